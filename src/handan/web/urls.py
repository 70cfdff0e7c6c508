"""Where everything is."""

from django.urls import include, path

urlpatterns = [
    path("", include("handan.web.operations.urls")),
    path("api/", include("handan.web.api.urls")),
    path("", include("handan.web.pages.urls")),
]
handler500 = "handan.web.operations.watching.server_error"
