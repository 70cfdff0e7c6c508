"""JSON of any encoding as Python's values."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from handan.errors import Clause, InputError
from handan.files.io.decoding import no_headings, to_utf8
from handan.files.io.options import Options


def json_text(
    data: bytes, source: str, options: Options, headings: Callable[[str], int] = no_headings
) -> tuple[str, str]:
    """Return the text of a JSON file and the encoding that was guessed, if any (`to_utf8`).

    Raises:
        InputError: It is too large, or not in the encoding that the user gives.
    """
    options.limits.check("unpacked", len(data), source)
    whole = replace(options, limits=replace(options.limits, line=options.limits.unpacked))  # it may stand on one line
    data, guess = to_utf8(data, source, whole, headings)
    return data.decode(), guess


def json_value(text: str, source: str) -> Any:
    """Return what a text holds; ValueError if it is no JSON, InputError if its levels are too many."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:  # Python names a function of its own that would read it
        raise ValueError(f"a number of more than {sys.get_int_max_str_digits():,} digits stands in it") from None
    except RecursionError:
        pattern = "{source} is nested too deeply; an array of games was expected"
        raise InputError(Clause.of(pattern, source=source)) from None


def json_values(data: bytes, source: str, options: Options) -> list[Any]:
    """Return the value of a file, or those of its lines (JSON Lines); InputError if it holds neither."""
    text, _ = json_text(data, source, options)
    try:
        return [json_value(text, source)]
    except ValueError as fault:
        try:
            return [json_value(line, source) for line in text.splitlines() if line.strip()]
        except ValueError:
            raise InputError(Clause.of("{source} is not JSON: {why}", source=source, why=str(fault))) from None
