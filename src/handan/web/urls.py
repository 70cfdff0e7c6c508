"""Where each page is."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
