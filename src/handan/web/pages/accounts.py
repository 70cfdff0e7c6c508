"""Signing in, joining by a link, one's own account and tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth import login, views
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy

from handan.club.members import accept, new_account, new_token, open_invitation
from handan.club.models import AccessToken, Role, Scope
from handan.errors import FieldError, InputError
from handan.web.pages.here import posted, public

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class JoinForm(forms.Form):
    """A new account."""

    username = forms.CharField(max_length=150, widget=forms.TextInput(attrs={"autocomplete": "username"}))
    password = forms.CharField(max_length=200, widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}))
    again = forms.CharField(
        max_length=200, widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}), label="password again"
    )

    def clean(self) -> dict[str, Any]:
        """Refuse two different passwords."""
        values = super().clean() or {}
        if values.get("password") != values.get("again"):
            self.add_error("again", "The two passwords differ.")
        return values


class TokenForm(forms.Form):
    """A new token."""

    name = forms.CharField(max_length=100)
    scope = forms.TypedChoiceField(choices=Scope.choices, coerce=int)


@public
def join(request: HttpRequest, secret: str) -> HttpResponse:
    """Use an invitation: with the account one is signed in with, or with a new one."""
    invitation = open_invitation(secret)
    form = JoinForm(posted(request))
    if request.method == "POST" and request.user.is_authenticated:
        accept(secret, request.user)
        return redirect("ladder", slug=invitation.club.slug)
    if request.method == "POST" and form.is_valid():
        try:
            with transaction.atomic():  # no account is left of a link that cannot be used
                user = new_account(form.cleaned_data["username"], form.cleaned_data["password"])
                accept(secret, user)
        except FieldError as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
        except InputError as error:
            form.add_error("password", str(error))
        else:
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            return redirect("ladder", slug=invitation.club.slug)
    context = {"form": form, "invitation": invitation, "role": Role(invitation.role).label}
    return render(request, "handan/join.html", context)


@public
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """One's own memberships, password and tokens."""
    user = cast("User", request.user)  # login_required has seen to it
    form = TokenForm(request.POST if "name" in request.POST else None)
    secret = ""
    if request.method == "POST":
        if "revoke" in request.POST:
            AccessToken.objects.filter(user=user, pk=_number(request.POST["revoke"])).delete()
            messages.success(request, "The token is revoked.")
            return redirect("account")
        if form.is_valid():
            secret = new_token(user, form.cleaned_data["name"], Scope(form.cleaned_data["scope"]))
    held = user.memberships.select_related("club")
    rows = [{"club": item.club, "role": Role(item.role).label} for item in held]
    tokens = AccessToken.objects.filter(user=user).order_by("created")
    return render(request, "handan/account.html", {"form": form, "secret": secret, "rows": rows, "tokens": tokens})


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 18 else 0


sign_in = public(views.LoginView.as_view(template_name="handan/sign_in.html", redirect_authenticated_user=True))
sign_out = public(views.LogoutView.as_view())
change_password = public(
    views.PasswordChangeView.as_view(template_name="handan/password.html", success_url=reverse_lazy("account"))
)
reset = public(
    views.PasswordResetView.as_view(
        template_name="handan/reset.html",
        email_template_name="handan/reset_mail.txt",
        subject_template_name="handan/reset_subject.txt",
        success_url=reverse_lazy("reset-sent"),
    )
)
reset_sent = public(views.PasswordResetDoneView.as_view(template_name="handan/reset_sent.html"))
reset_confirm = public(
    views.PasswordResetConfirmView.as_view(template_name="handan/password.html", success_url=reverse_lazy("sign-in"))
)
