"""Names are found however they are typed: in any script, in part, with blanks or without."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handan.ledger.name_folding import folded
from handan.ledger.name_search import BETWEEN, MIDDLE, SOUND, START, WHOLE, Spelt, Wanted, spelt, table_of
from handan.ledger.phonetic import initials, is_initials, sound

HEPBURN = {  # Cabinet notification 1 of 1954, table 2 beside table 1
    "し": "shi si", "ち": "chi ti", "つ": "tsu tu", "ふ": "fu hu", "じ": "ji zi", "しゃ": "sha sya", "ちょ": "cho tyo",
    "じゅ": "ju zyu jyu", "ぢ": "di ji", "づ": "du dzu zu", "きょ": "kyo", "ん": "n", "を": "o wo",
}  # fmt: skip


PARTS = st.sampled_from(
    ["", "a", "sa", "tō", "Satō", "さとう", "佐藤", "김", "민수", "ㄱㅁ", "ㄱ", "o'", "7", "Ada", "\n", "."]
)


def fit(text: str, name: str, reading: str = "") -> int | None:
    return dict(Wanted.of(text, 16).fits(table_of([spelt("Other"), spelt(name, reading)])).iter_rows()).get(1)


@pytest.mark.parametrize("kana", HEPBURN)
def test_kana_and_both_spellings_of_a_syllable_sound_alike(kana: str) -> None:
    katakana = "".join(chr(ord(char) + 0x60) for char in kana)
    assert {sound(f"ka{text}") for text in [kana, katakana, *HEPBURN[kana].split()]} == {sound(f"ka{kana}")}


@pytest.mark.parametrize(
    "names",
    [
        "Sato Satō Satoh Satou さとう サトウ ｻﾄｳ サトー", "Suzuki すずき スズキ ｽｽﾞｷ", "Ono Ohno Oono おおの",
        "Shin'ichi Sinichi しんいち", "Homma Honma ほんま", "Jun Zyun ジュン", "Kyōko Kyouko Kyoko きょうこ",
        "Jürgen Juergen Jurgen", "matcha mattya まっちゃ", "Vikutoru ヴィクトル", "fan ファン",
    ],
)  # fmt: skip
def test_spellings_of_one_name_sound_alike(names: str) -> None:
    assert len({sound(name) for name in names.split()}) == 1


def test_names_that_are_no_romaji_stay_as_they_are() -> None:
    assert [sound(name) for name in ("Lind", "Łucja", "大野", "Zhang", "Müller")] == [
        "lind", "lucja", "大野", "zhang", "muller",
    ]  # fmt: skip


def test_initials_of_hangul_stand_for_the_name() -> None:
    assert initials("김민수") == folded("ㄱㅁㅅ")
    assert fit("ㄱㅁㅅ", "김민수") == fit("ㄱㅁ", "김민수") == fit("기", "김민수") == START
    assert fit("ㅁㅅ", "김민수") is None
    assert fit("ㄱㅅ", "김민수") is None


@pytest.mark.parametrize(
    "text", ["スズキ", "ｽｽﾞｷ", "すずき", "suzuki", "鈴木", "Suzu", "ichiro", "suzukiichi", "一郎鈴"]
)
def test_a_part_in_any_script_begins_the_name(text: str) -> None:
    for reading in ("Suzuki Ichirō", "すずき いちろう", "スズキ イチロウ"):
        assert fit(text, "鈴木 一郎", reading) == START


def test_whole_names_come_before_sounds_starts_and_middles() -> None:
    assert fit("鈴木一郎", "鈴木 一郎") == fit("suzuki ichiro", "鈴木 一郎", "Suzuki Ichiro") == WHOLE
    assert fit("すずきいちろう", "鈴木 一郎", "Suzuki Ichirō") == fit("Satoh", "Sato") == SOUND
    assert (fit("ada", "Ada Lindqvist"), fit("ada", "山田 春子", "Yamada Haruko")) == (START, MIDDLE)
    assert fit("x", "Ada") is None


def naive_fit(wanted: Wanted, name: Spelt) -> int | None:
    """How well a text fits one name, fragment by fragment."""
    starts = True
    for plain, heard in wanted.fragments:
        begins = f" {plain}" in name.words or f" {heard}" in name.heard
        if not (begins or plain in name.words or (not is_initials(plain) and heard in name.heard)):
            return None
        starts = starts and begins
    if wanted.whole in name.wholes.split(BETWEEN)[1:]:
        return WHOLE
    if wanted.heard in name.sounds.split(BETWEEN)[1:]:
        return SOUND
    return START if starts else MIDDLE


@given(st.lists(PARTS, min_size=1, max_size=4), st.lists(st.tuples(st.lists(PARTS, max_size=3), PARTS), max_size=20))
def test_many_names_are_looked_through_as_one_by_one(parts: list[str], people: list[tuple[list[str], str]]) -> None:
    names = [spelt(" ".join(name), reading) for name, reading in people]
    for text in (" ".join(parts), "".join(parts)):
        wanted = Wanted.of(text, 16)
        fits = {place: fit for place, name in enumerate(names) if (fit := naive_fit(wanted, name)) is not None}
        assert list(wanted.fits(table_of(names)).iter_rows()) == list(fits.items())
