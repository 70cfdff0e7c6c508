"""Settings of the Django project, made from the server's configuration."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import dj_database_url

from handan.files.io.limits import MOST_LEDGER
from handan.web.configuration import LOCAL, configured
from handan.web.operations.logs import logging_configuration
from handan.wording.languages import LANGUAGES as PAGE_LANGUAGES

CONFIGURATION = configured()
DEBUG = CONFIGURATION.debug


LONGEST_WAIT = 8  # seconds for which a writer waits for others; our choice
LONGEST_JOURNAL = 16_000_000  # bytes to which SQLite cuts its journal after a long reading; our choice
LIMITS = {"lock_timeout": LONGEST_WAIT, "statement_timeout": 120, "idle_in_transaction_session_timeout": 60}
"""Seconds after which PostgreSQL ends what waits for a lock, works, or forgot its transaction; our choice."""


def _database(url: str) -> dict[str, Any]:
    """Return Django's settings of a database: for SQLite those under which nothing is lost and writers wait."""
    config: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True))
    if config["ENGINE"].endswith("sqlite3"):
        config["CONN_MAX_AGE"] = None
        keeping = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;" if _writable(Path(config["NAME"])) else ""
        config["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": LONGEST_WAIT,
            "init_command": f"{keeping} PRAGMA foreign_keys=ON; PRAGMA busy_timeout={1000 * LONGEST_WAIT};"
            f"PRAGMA journal_size_limit={LONGEST_JOURNAL}; PRAGMA secure_delete=ON;",
        }
    else:
        own = config.setdefault("OPTIONS", {})
        limits = " ".join(f"-c {name}={seconds}s" for name, seconds in LIMITS.items())
        own["options"] = f"{limits} {own.get('options', '')}".strip()  # those of the URL go before ours
    return config


def _writable(file: Path) -> bool:
    """Whether a file may be written to; one that is not there yet is made. A backup on a read-only medium is read."""
    return not file.exists() or os.access(file, os.W_OK)


DATABASES = {"default": _database(CONFIGURATION.database)}
SECRET_KEY = CONFIGURATION.secret_key or secrets.token_urlsafe(50)  # `handan serve` keeps one beside the database
ALLOWED_HOSTS = [*CONFIGURATION.hosts, *LOCAL]  # the machine itself may always ask, if only for its health
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "axes",
    "handan.club.store.apps.ClubConfig",
    "handan.web.apps.WebConfig",
]
MIDDLEWARE = [
    "handan.web.operations.middleware.RequestLog",
    "django.middleware.http.ConditionalGetMiddleware",
    "handan.web.operations.middleware.Zones",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "handan.web.operations.middleware.Languages",
    "handan.web.operations.middleware.ReadOnly",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "handan.web.operations.middleware.SignIns",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "handan.web.operations.middleware.Policy",
    "handan.web.pages.errors.Errors",
]
ROOT_URLCONF = "handan.web.urls"
WSGI_APPLICATION = "handan.web.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [Path(__file__).parent / "templates"],
        "OPTIONS": {
            "environment": "handan.web.pages.environment.environment",
            "context_processors": [
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "handan.web.pages.here.page_context",
            ],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.Jinja2"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AXES_FAILURE_LIMIT = CONFIGURATION.sign_ins_an_hour
AXES_COOLOFF_TIME = 1  # hours
AXES_HANDLER = "handan.web.operations.guesses.Guesses"
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"], "ip_address"]  # nobody locks out others from elsewhere
AXES_LOCKOUT_TEMPLATE = "handan/too_many.html"
AXES_HTTP_RESPONSE_CODE = 429
AXES_DISABLE_ACCESS_LOG = True
AXES_VERBOSE = False
AXES_CLIENT_IP_CALLABLE = "handan.web.operations.client_address.client_address"
COMPUTING_SECONDS = CONFIGURATION.computing_seconds
READ_ONLY = CONFIGURATION.read_only
WRITES_A_MINUTE = CONFIGURATION.writes_a_minute
LOGIN_URL = "sign-in"
CSRF_FAILURE_VIEW = "handan.web.pages.unsent.refused"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "home"
LANGUAGE_CODE = CONFIGURATION.language
LANGUAGES = tuple(PAGE_LANGUAGES.items())
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 31_536_000  # a year, in seconds; our choice
LANGUAGE_COOKIE_HTTPONLY, LANGUAGE_COOKIE_SAMESITE = True, "Lax"
TIME_ZONE = CONFIGURATION.zone
USE_TZ = True
STATIC_URL = "static/"
WHITENOISE_USE_FINDERS = True
LOGGING = logging_configuration(CONFIGURATION.log_level)
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if CONFIGURATION.email else 'dummy'}.EmailBackend"
if CONFIGURATION.email:
    _mail = urlsplit(CONFIGURATION.email)
    EMAIL_HOST, EMAIL_PORT = _mail.hostname or "localhost", _mail.port or 587
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = unquote(_mail.username or ""), unquote(_mail.password or "")
    EMAIL_USE_SSL = _mail.scheme == "smtps"
    EMAIL_USE_TLS = not EMAIL_USE_SSL and EMAIL_HOST not in LOCAL
    EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = CONFIGURATION.sender
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATA_UPLOAD_MAX_MEMORY_SIZE = CONFIGURATION.upload_limit
FILE_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
LEDGER_LIMIT = MOST_LEDGER
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000  # a record sheet has many lines

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = CONFIGURATION.https
SECURE_SSL_REDIRECT = CONFIGURATION.https
SECURE_REDIRECT_EXEMPT = ["^healthz$", "^metrics$"]
SECURE_HSTS_SECONDS = 31_536_000 if CONFIGURATION.https else 0
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
ALLOWED_ORIGINS = CONFIGURATION.allowed_origins
if CONFIGURATION.behind_proxy:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
