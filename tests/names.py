"""All spellings in which a name can hide in bytes: encodings, escapes of JSON, HTML and addresses, folded forms."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from functools import cache
from urllib.parse import quote, quote_plus

from handan.ledger.name_folding import folded


@cache
def spellings(name: str) -> set[bytes]:
    """Return the bytes of a name and of its words in every encoding and escape, in capitals, small and folded."""
    spellings: set[bytes] = set()
    for text in (name, *name.split()):
        for form in (text, text.upper(), text.lower(), text.casefold(), folded(text), folded(text).replace(" ", "")):
            escaped = (json.dumps(form)[1:-1], html.escape(form), quote(form), quote_plus(form))
            numbered = "".join(letter if letter.isascii() else f"&#{ord(letter)};" for letter in form)
            spellings |= {item.encode() for item in (form, *escaped, numbered)}
            spellings |= {form.encode(code) for code in ("utf-16-le", "utf-16-be")}
    return spellings


def traces(data: bytes, names: Iterable[str]) -> set[bytes]:
    """Return the spellings of names that stand in bytes."""
    return {spelt for name in names for spelt in spellings(name) if spelt in data}
