"""Signing in, joining by a link, one's own account and tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, login, update_session_auth_hash, views
from django.contrib.auth.forms import PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import OperationalError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from handan.club.store.access import actor
from handan.club.store.accounts import (
    count_request,
    end_sign_ins,
    language_of,
    open_link,
    set_address,
    set_password,
    sign_ins,
)
from handan.club.store.database import note_failure
from handan.club.store.members import accept, new_account, new_token, open_invitation
from handan.club.store.models import AccessToken, Role, Scope
from handan.errors import FieldError, InputError
from handan.web.mail import mail_links
from handan.web.operations.client_address import client_address
from handan.web.operations.middleware import number_of
from handan.web.pages.forms import Marked
from handan.web.pages.here import posted, public, public_form, remember, waiting_games
from handan.web.pages.refusals import refusal
from handan.web.pages.unsent import FIELD, Unsent, for_accounts, send_again

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class JoinForm(forms.Form):
    """A new account."""

    username = forms.CharField(
        max_length=150, widget=forms.TextInput(attrs={"autocomplete": "username"}), label=_("username")
    )
    password = forms.CharField(
        max_length=200, widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}), label=_("password")
    )
    again = forms.CharField(
        max_length=200, widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}), label=_("password again")
    )

    def clean(self) -> dict[str, Any]:
        """Refuse two different passwords."""
        values = super().clean() or {}
        if values.get("password") != values.get("again"):
            self.add_error("again", _("The two passwords differ."))
        return values


def _scopes() -> list[tuple[int, str]]:
    return [(scope.value, gettext(str(scope.label))) for scope in Scope]


class TokenForm(Marked):
    """A new token."""

    name = forms.CharField(max_length=100, label=_("name of the token"))
    scope = forms.TypedChoiceField(choices=_scopes, coerce=int, label=_("scope"))


class AddressForm(forms.Form):
    """The address for mail, changed with the password only: whoever has it can set a new password."""

    email = forms.EmailField(max_length=254, required=False, label=_("address"), help_text=_("empty: none is kept"))
    password = forms.CharField(
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        label=_("present password"),
    )

    def __init__(self, request: HttpRequest) -> None:
        self.request, self.user = request, cast("User", request.user)
        super().__init__(request.POST if "email" in request.POST else None, initial={"email": self.user.email})

    def clean_password(self) -> str:
        """Refuse another password; who guesses is counted as one who signs in."""
        password: str = self.cleaned_data["password"]
        if authenticate(self.request, username=self.user.get_username(), password=password) != self.user:
            raise ValidationError(_("This is not the password of the account."))
        return password


@public_form
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
            form.add_error(error.field if error.field in form.fields else None, refusal(error))
        except InputError as error:
            form.add_error("password", refusal(error))
        else:
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            return redirect("ladder", slug=invitation.club.slug)
    context = {"form": form, "invitation": invitation, "role": Role(invitation.role).label}
    return render(request, "handan/join.html", context)


@public_form
@for_accounts
def account(request: HttpRequest) -> HttpResponse:
    """One's own memberships, sessions, address for mail, password and tokens."""
    user = cast("User", request.user)  # for_accounts has seen to it
    form, address = TokenForm(request.POST if "name" in request.POST else None), AddressForm(request)
    secret = ""
    if request.method == "POST":
        if "revoke" in request.POST:
            AccessToken.objects.filter(user=user, pk=_number(request.POST["revoke"])).delete()
            messages.success(request, _("The token is revoked."))
            return redirect("account")
        if "elsewhere" in request.POST:
            ended = end_sign_ins(user, number_of(request))
            messages.success(
                request,
                ngettext(
                    "Signed out elsewhere: {number} session.", "Signed out elsewhere: {number} sessions.", ended
                ).format(number=ended),
            )
            return redirect("account")
        if address.is_valid():
            set_address(user, address.cleaned_data["email"])
            messages.success(request, _("The address is changed."))
            return redirect("account")
        if form.is_valid():
            secret = new_token(
                user, form.cleaned_data["name"], Scope(form.cleaned_data["scope"]), form.cleaned_data["token"]
            )
    memberships = user.memberships.select_related("club")
    rows = [{"club": item.club, "role": Role(item.role).label, "card": item.player} for item in memberships]
    request.here = None  # type: ignore[attr-defined]  # the games that wait are of several clubs
    waiting = [waiting_games(actor(item.club, user)) for item in memberships]
    tokens = AccessToken.objects.filter(user=user).order_by("created")
    handed = user.password_links.exclude(used=None).exclude(by=None).select_related("by").order_by("-used").first()
    context = {
        "form": form,
        "secret": secret,
        "rows": rows,
        "tokens": tokens,
        "address": address,
        "handed": handed,
        "sessions": sign_ins(user),
        "all_waiting": [games for games in waiting if games.count or games.with_other],
        "this": number_of(request),
        "mails": settings.CONFIGURATION.mails,
    }
    return render(request, "handan/account.html", context)


def say_ended(request: HttpRequest, ended: int) -> None:
    """Say how many links that an account handed on have ended with its right, if any have."""
    if ended:
        messages.info(
            request,
            ngettext(
                "{number} invitation or link to a new password that this account had made has ended.",
                "{number} invitations and links to a new password that this account had made have ended.",
                ended,
            ).format(number=ended),
        )


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 18 else 0


class SignIn(views.LoginView):
    """Signing in, upon which the browser speaks the language of the account."""

    template_name, redirect_authenticated_user = "handan/sign_in.html", True

    def get_context_data(self, **given: Any) -> dict[str, Any]:
        """Return what the page shows; it holds on to a form that was sent before."""
        return {**super().get_context_data(**given), "unsent": Unsent.parse(self.request.POST.get(FIELD, ""))}

    def form_valid(self, form: Any) -> HttpResponse:
        """Sign in; a form that was sent before is shown once more."""
        answer, unsent = super().form_valid(form), Unsent.parse(self.request.POST.get(FIELD, ""))
        if unsent is not None:
            answer = send_again(self.request, unsent, answer["Location"])
        remember(answer, language_of(form.get_user()))
        return answer


sign_in = public_form(SignIn.as_view())


class SignOut(views.LogoutView):
    """Signing out; where the database cannot be written, this browser at least forgets who it was."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """End the session."""
        try:
            return super().post(request, *args, **kwargs)
        except OperationalError as error:
            note_failure(error)
            request.session = type(request.session)()  # an empty one, which drops the cookie and is not stored
            request.user = AnonymousUser()
            return redirect("home")


sign_out = public_form(SignOut.as_view())


@public_form
@for_accounts
def change_password(request: HttpRequest) -> HttpResponse:
    """Change one's own password; every other session and every token ends."""
    user = cast("User", request.user)
    form = PasswordChangeForm(user, posted(request))
    if request.method == "POST" and form.is_valid():
        ended = set_password(user, form.cleaned_data["new_password1"], keep=number_of(request))
        update_session_auth_hash(request, user)
        messages.success(request, _("The password is changed; you are signed out everywhere else, tokens are revoked."))
        say_ended(request, ended)
        return redirect("account")
    return render(request, "handan/password.html", {"form": form})


@public_form
def new_password(request: HttpRequest, secret: str) -> HttpResponse:
    """Set a new password by a link, once; every session and every token ends."""
    link = open_link(secret)
    if link is None:
        return render(request, "handan/password.html", status=404)
    form = SetPasswordForm(link.user, posted(request))
    if request.method == "POST" and form.is_valid():
        ended = set_password(link.user, form.cleaned_data["new_password1"], link)
        messages.success(request, _("The new password is set; sign in with it. Tokens for programs are revoked."))
        say_ended(request, ended)
        return redirect("sign-in")
    return render(request, "handan/password.html", {"form": form, "owner": link.user.get_username()})


@public_form
def reset(request: HttpRequest) -> HttpResponse:
    """Say how to get a link to a new password, and mail one where an account has the address; both answer the same."""
    form, mails = PasswordResetForm(posted(request)), settings.CONFIGURATION.mails
    if request.method == "POST" and mails and form.is_valid():
        count_request(client_address(request))
        mail_links(form.cleaned_data["email"])
        return redirect("reset-sent")
    return render(request, "handan/reset.html", {"form": form, "mails": mails})


@public
def reset_sent(request: HttpRequest) -> HttpResponse:
    """Say the same to everybody who asked for a link."""
    return render(request, "handan/reset_sent.html")
