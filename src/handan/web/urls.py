"""Where everything is."""

from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from handan.web.operations import views
from handan.web.pages.here import choose, choose_language

urlpatterns = [
    path("healthz", views.health, name="health"),
    path("metrics", views.figures, name="metrics"),
    path("api/", include(("handan.web.api.urls", "api"), namespace="api")),
    # a token of the form would need a cookie, and visitors get none; all that it changes is their own language
    path("account/language/", csrf_exempt(choose_language), name="language"),
    path("account/look/", choose, name="look"),
    path("", include("handan.web.pages.urls")),
]
handler400 = "handan.web.operations.failures.bad_request"
handler500 = "handan.web.operations.failures.server_error"
