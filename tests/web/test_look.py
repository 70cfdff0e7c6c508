"""Light or dark, large letters, plates or a table: chosen by a form without scripts, and kept in cookies."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handan.club.store.models import Club

NIGHT = "screen and (prefers-color-scheme: dark)"


def page(client: object, club: Club) -> str:
    return str(client.get(f"/{club.slug}/").content.decode())  # type: ignore[attr-defined]


def test_a_scheme_is_chosen_without_scripts_and_survives_a_reload(club: Club) -> None:
    from django.test import Client

    visitor, other = Client(), Client()
    assert f'tokens-dark.css" media="{NIGHT}"' in page(visitor, club)
    answer = visitor.post("/account/look/", {"scheme": "dark", "next": f"/{club.slug}/"})
    assert (answer.status_code, answer["Location"]) == (302, f"/{club.slug}/")
    assert 'tokens-dark.css" media="screen"' in page(visitor, club)
    assert 'name="scheme" value="dark" aria-pressed="true"' in page(visitor, club)
    assert NIGHT in page(other, club)  # the page that is kept for visitors is not that of the other look
    visitor.post("/account/look/", {"scheme": "light", "next": "/"})
    assert "tokens-dark.css" not in page(visitor, club)
    visitor.post("/account/look/", {"letters": "large"})
    assert 'data-letters="large"' in page(visitor, club)
    assert "tokens-dark.css" not in page(visitor, club)
    assert "data-numbers" not in page(visitor, club)
    visitor.post("/account/look/", {"numbers": "hidden"})
    assert 'data-numbers="hidden"' in page(visitor, club)


def test_what_is_no_look_is_not_kept(database: str) -> None:
    from django.test import Client

    answer = Client().post("/account/look/", {"scheme": "<script>", "other": "x"})
    assert not answer.cookies
    assert Client().get("/account/look/").status_code == 405
