"""The application that a production server runs."""

import gc
import os

gc.disable()  # nearly all that is loaded stays, and would be gone through again and again
from django.core.wsgi import get_wsgi_application  # noqa: E402

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "handan.web.settings")
django_application = get_wsgi_application()

from handan.web.operations.queued import queued  # noqa: E402  # needs the applications
from handan.web.operations.warming import say_ready, warm_up  # noqa: E402

gc.freeze()  # else all of it is gone through at the next object that is made
gc.enable()
warm_up()
application = queued(django_application)
say_ready()
