"""Where everything is."""

from django.urls import URLResolver, include, path
from django.urls.resolvers import RoutePattern
from django.views.decorators.csrf import csrf_exempt

from handan.web.pages.look import choose
from handan.web.pages.speaking import choose_language


class ReadWhenAsked(URLResolver):
    """Addresses in a name space of their own, whose module is loaded when somebody asks for one of them."""

    def __init__(self, route: str, module: str, namespace: str) -> None:
        """Take where they begin, the module that lists them, and the name space."""
        super().__init__(RoutePattern(route), module, app_name=namespace, namespace=namespace)

    def _populate(self) -> None:
        """Tell the names of these addresses to nobody: Django finds them by the name space, and asks for them then."""


urlpatterns = [
    path("", include("handan.web.operations.urls")),
    # ninja, pydantic and the schemas of all calls take a new process longer to load than all pages
    ReadWhenAsked("api/", "handan.web.api.urls", "api"),
    # a token of the form would need a cookie, and visitors get none; all that it changes is their own language
    path("account/language/", csrf_exempt(choose_language), name="language"),
    path("account/look/", choose, name="look"),
    path("", include("handan.web.pages.urls")),
]
handler400 = "handan.web.operations.watching.bad_request"
handler500 = "handan.web.operations.watching.server_error"
