"""The application that `handan serve` runs."""

import gc

gc.disable()  # nearly all that is loaded stays, and would be gone through again and again
from handan.web.wsgi import application as django_application  # noqa: E402  # sets Django up

# isort: split
from handan.web.operations.entrance import Entrance, most_of  # noqa: E402  # needs the applications
from handan.web.operations.queued import queued  # noqa: E402
from handan.web.operations.warming import say_ready, warm_up  # noqa: E402

gc.freeze()  # else all of it is gone through at the next object that is made
gc.enable()
warm_up()
application = Entrance(queued(django_application).answer, most_of)
say_ready()
