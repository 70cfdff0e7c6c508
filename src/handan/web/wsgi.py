"""The application as other servers than ours run it."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "handan.web.settings")
application = get_wsgi_application()
