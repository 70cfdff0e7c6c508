"""The two forms of every loop: plain Python, and machine code, which says the same again."""

import pytest

FORMS = ["plain", pytest.param("compiled", marks=pytest.mark.extended)]
