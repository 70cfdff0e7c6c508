"""Black and White in many languages, so that no hint ever takes one for the other."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

BLACK, WHITE = "black", "white"
WORDS = {
    BLACK: """
        black blacks noir noirs noire noires schwarz schwarze schwarzer negro negra negros negras negre nero nera neri
        nere czarny czarna czarne czarni zwart zwarte svart svarta sorte musta cerny cerna čierny čierna fekete sötét
        negru preto preta pretos pretas чёрный чёрные чёрная чёрных черни черно чорні чорний црни црна crni crna
        μαύρα μαύρος μαύρο siyah siyahlar kuro 黒 黒番 黒方 黑 黑方 黑棋 黑子 执黑 執黑 흑 흑번 heuk heug hei heifang
        đen hitam ดำ שחור أسود سیاه nigra nigraj beltza melns melnais juoda juodi juodieji
    """,
    WHITE: """
        white whites blanc blancs blanche blanches weiß weiss weiße weisse weißer blanco blanca blancos blancas bianco
        bianca bianchi bianche biały biała białe biali witte vit vita hvid hvide hvit valkoinen bílý bílá biely biela
        fehér világos alb albe branco branca brancos brancas белый белые белая белых бели бяло білі білий бели бела
        bijeli bijela beli bela λευκά λευκός άσπρα άσπρο beyaz beyazlar shiro 白 白番 白方 白棋 白子 执白 執白
        백 백번 baek baeg bai baifang trắng putih ขาว לבן أبيض سفید blanka blankaj zuria balts baltais balta balti
        baltieji
    """,
}
"""Words that are no English word of another meaning, such as Dutch wit or Danish sort; single letters mean nothing:
B is Black in English, and White in French, Spanish and Polish."""
PLAYER = """
    player players name joueur joueurs nom spieler jugador jugadora nombre giocatore nome gracz speler naam игрок oyuncu
    jogador spelare spiller pelaaja hrac játékos 棋手 선수
"""
LONGEST = 40  # characters; our choice: a longer heading is a sentence


def colour_of(name: str) -> str:
    """Return `black` or `white` if a heading says one of them in some language, empty if none or both."""
    if len(name) > LONGEST:
        return ""
    colours = {_colour(word) for word in _split(name)} - {""}
    return colours.pop() if len(colours) == 1 else ""


def player_of(name: str) -> str:
    """Return the colour of a heading that says nothing but the player of that colour, empty for any other."""
    return colour_of(name) if all(_colour(word) or word in _players() for word in _split(name)) else ""


def may_mean(name: str, candidate: str) -> bool:
    """Return whether a hint may propose `candidate` for `name`: not if it could be a slip for the other colour.

    Args:
        name: What was written.
        candidate: A name that is there, such as `black_rank`.
    """
    colour = candidate.split("_", maxsplit=1)[0]
    if colour not in WORDS:
        return True
    written = colour_of(name)
    if written:
        return written == colour
    from rapidfuzz.distance import OSA

    first = next(iter(_split(name)), "")
    own = OSA.distance(first, colour)
    sounds_other = any(first[:1] == other[0] for other in WORDS if other != colour)
    return (
        own < 2
        and not sounds_other
        and all(OSA.distance(first, word) > own for word, other in _words().items() if other != colour)
    )


def _split(name: str) -> list[str]:
    """Return the words of a heading, plain."""
    return [word for word in re.split(r"[\W\d_]+", _plain(name[:LONGEST])) if word]


def _colour(word: str) -> str:
    """Return the colour of a plain word, or of the English one that it begins with; empty if it is none."""
    return _words().get(word) or next((colour for colour in WORDS if word.startswith(colour)), "")


@cache
def _words() -> dict[str, str]:
    """Return the colour of each word."""
    return {_plain(word): colour for colour, words in WORDS.items() for word in words.split()}


@cache
def _players() -> frozenset[str]:
    """Return what stands beside a colour and adds nothing."""
    return frozenset(_plain(word) for word in PLAYER.split())


def _plain(text: str) -> str:
    """Return text without capitals, marks and width of letters."""
    split = unicodedata.normalize("NFKD", text.translate(str.maketrans("łŁđĐ", "lLdD")))
    return "".join(c for c in split if unicodedata.category(c) != "Mn").casefold()
