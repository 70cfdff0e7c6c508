"""The programming interface as Django knows it."""

from handan.web.api import look, privacy, submissions, write
from handan.web.api.calls import api, refusing_unknown, router

CALLS = (look, write, privacy, submissions)
"""The modules whose calls the router serves."""
router.add_decorator(refusing_unknown)
api.add_router("", router)
urlpatterns = api.urls[0]
