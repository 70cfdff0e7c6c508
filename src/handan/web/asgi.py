"""The application that `handan serve` runs."""

import gc
import os
from functools import partial
from pathlib import Path

from django.urls import get_resolver

from handan.web.wsgi import application as django_application  # sets Django up

# isort: split
from handan.web.configuration import READY
from handan.web.operations.entrance import Entrance, most_of, worked

_ = get_resolver().url_patterns  # all pages, which Django loads at the first request otherwise
application = Entrance(partial(worked, django_application), most_of)
gc.freeze()  # what is loaded stays, and need not be gone through
if ready := os.environ.get(READY):
    Path(ready).touch()
