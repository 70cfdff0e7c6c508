"""Where the server is watched."""

from django.urls import path

from handan.web.operations import views

urlpatterns = [
    path("healthz", views.health, name="health"),
    path("metrics", views.figures, name="metrics"),
]
