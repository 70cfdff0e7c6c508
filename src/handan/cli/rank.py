"""`handan rank`: what a rank is called elsewhere, and where it stands."""

from typing import Annotated

import typer

from handan.cli import options
from handan.cli.output import Form
from handan.cli.rows import show
from handan.cli.tables import Column
from handan.errors import InputError
from handan.ranks import FORMATS, Rank
from handan.wording.figures import brief

LANGUAGES = {
    "en": "English, short",
    "en-long": "English",
    "ja": "Japanese",
    "zh": "Chinese, simplified",
    "zh-hant": "Chinese, traditional",
    "ko": "Korean",
    "fr": "French",
    "de": "German",
}
Words = Annotated[
    list[str], typer.Argument(metavar="TEXT", help="A rank in any language: 5k, 三段, 5급, P9段, shodan.")
]
BareKyu = Annotated[bool, typer.Option("--bare-kyu", help="Read a number alone as kyu, as in result tables.")]

Source = Annotated[
    str | None, typer.Option("--from", metavar="ORGANISATION", help="Whose rank it is: kgs, egf, aga, japan, …")
]
Target = Annotated[
    str | None, typer.Option("--to", metavar="ORGANISATION", help="Whose rank is wanted; without it, all of them.")
]


def command(
    words: Words, *, bare_kyu: BareKyu = False, source: Source = None, target: Target = None,
    form: options.Format = Form.TABLE,
) -> None:  # fmt: skip
    """Print a rank in all languages, its stage and its Elo; or, with --from and --to, what it is called elsewhere."""
    rank = Rank.parse(" ".join(words), bare_kyu=bare_kyu)
    if source is not None or target is not None:
        _compare(rank, source, target, form)
        return
    names = {language: rank.format(language) for language in FORMATS}
    place = {
        "stage": rank.stage,
        "title": rank.title,
        "elo": rank.elo,
        "stones": rank.stones,
        "rank_number": rank.number_from_30k,
    }
    row = {"rank": str(rank), **place, **names}
    lines = {LANGUAGES.get(language, language): name for language, name in names.items()} | {
        "stage": rank.stage,
        **({"title": rank.title} if rank.title else {}),
        "Elo": brief(rank.elo),
        "stones axis (30k = 1, 1d = 31)": brief(rank.stones),
        "rank number": str(rank.number_from_30k),
    }
    columns = [Column("rank", list(lines)), Column(str(rank), list(lines.values()))]
    show(form, [row], list(row), columns, document={"rank": str(rank), **place, "names": names})


def _compare(rank: Rank, source: str | None, target: str | None, form: Form) -> None:
    """Print what the dated table says about a rank."""
    from handan.comparison import ORGANISATIONS, compared, organisation

    if source is None:
        raise InputError("--to needs --from ORGANISATION, whose rank it is")
    others = [name for name in ORGANISATIONS if name != organisation(source)]
    answers = compared(rank, source, [target] if target else others)
    rows = [answer.as_dict() for answer in answers]
    notes = list(dict.fromkeys(note for answer in answers for note in answer.notes))
    flat = [row | {"notes": "; ".join(row["notes"])} for row in rows]
    text = "\n".join([*(answer.text for answer in answers), *notes])
    show(form, flat, list(rows[0]), [], document=rows[0] if target else rows, head=text)
