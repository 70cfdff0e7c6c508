"""`handan rank`: what a rank is called elsewhere, and where it stands."""

from typing import Annotated

import typer

from handan.cli import options
from handan.cli.figures import brief
from handan.cli.output import Form, write, write_csv, write_json
from handan.cli.tables import Column, aligned
from handan.ranks import FORMATS, Rank

LANGUAGES = {
    "en": "English, short",
    "en-long": "English",
    "ja": "Japanese",
    "zh": "Chinese, simplified",
    "zh-hant": "Chinese, traditional",
    "ko": "Korean",
}
Words = Annotated[
    list[str], typer.Argument(metavar="TEXT", help="A rank in any language: 5k, 三段, 5급, P9段, shodan.")
]
BareKyu = Annotated[bool, typer.Option("--bare-kyu", help="Read a number alone as kyu, as in result tables.")]


def command(words: Words, *, bare_kyu: BareKyu = False, form: options.Format = Form.TABLE) -> None:
    """Print a rank in all languages, its stage and its Elo."""
    rank = Rank.parse(" ".join(words), bare_kyu=bare_kyu)
    names = {language: rank.format(language) for language in FORMATS}
    place = {"stage": rank.stage, "elo": rank.elo, "stones": rank.stones, "rank_number": rank.number_from_30k}
    if form is Form.JSON:
        write_json({"rank": str(rank), **place, "names": names})
    elif form is Form.CSV:
        row = {"rank": str(rank), **place, **names}
        write_csv([row], list(row))
    else:
        lines = {LANGUAGES.get(language, language): name for language, name in names.items()} | {
            "stage": rank.stage,
            "Elo": brief(rank.elo),
            "stones axis (30k = 1, 1d = 31)": brief(rank.stones),
            "rank number": str(rank.number_from_30k),
        }
        write(aligned([Column("rank", list(lines)), Column(str(rank), list(lines.values()))]))
