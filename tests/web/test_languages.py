"""Pages in people's own language: which one, every message in each, and the same figures in all."""

from __future__ import annotations

import gettext
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from handan.handicaps import CARDS, card_terms
from handan.paper.words import words_of
from handan.wording.languages import LANGUAGES
from tests.catalogs import WEB, catalog_file, compiled, filled, updated
from tests.conftest import ROOT
from tests.forms import extended_but
from tests.web.test_pages import MakeClub, registered, signed_in, text

if TYPE_CHECKING:
    from django.test import Client

PLACEHOLDERS = re.compile(r"%\(\w+\)s|\{\w*\}|</?\w+>")
OTHERS = [language for language in LANGUAGES if language != "en"]
TWO = ["de", "ja"]
"""Languages of pages whose every sentence comes from the catalogs, which are compared with each other below."""


@pytest.fixture
def visitor(database: str) -> Client:
    from django.test import Client

    return Client()


class Played(NamedTuple):
    """A club, and the addresses of its pages."""

    home: str
    player: str
    game: str


@pytest.fixture
def played(make_club: MakeClub) -> Played:
    """A club of the Tokyo card with two players and a game of two stones."""
    from handan.club.store.clock import today
    from handan.club.store.models import Role

    club = make_club("points", card="tokyo15")
    secretary = signed_in(club, Role.SECRETARY)
    player, _ = (registered(secretary, club, name, rank) for name, rank in (("山田 春子", "5k"), ("Bob", "2d")))
    game = {"black": "山田 春子", "white": "Bob", "result": "B+R", "date": str(today()), "handicap": "2", "komi": "0.5"}
    home = f"/{club.slug}/"
    return Played(home, f"{home}players/{player}/", str(secretary.post(f"{home}games/new/", game)["Location"]))


def test_a_constant_is_written_in_the_language_of_each_page(database: str) -> None:
    from django.template import engines
    from django.utils.translation import override

    template = engines["jinja2"].from_string("{{ '5k'|table_rank }} {{ 'win'|word }}")
    written = []
    for language in ("ja", "en", "de"):
        with override(language):
            written.append(template.render({}))
    assert written == ["5級 勝ち", "5k win", "5k gewonnen"]


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_has_a_translation_with_the_same_placeholders(language: str) -> None:
    now, written = updated(language), filled(language)
    assert {message.id for message in written} == {message.id for message in now}, "run python -m tests.catalogs"
    for message in written:
        if not message.id:
            continue
        ids = [message.id] if isinstance(message.id, str) else list(message.id)
        strings = [message.string] if isinstance(message.string, str) else list(message.string or ())
        assert all(string.strip() for string in strings), ids
        assert not message.fuzzy, ids
        wanted = set(PLACEHOLDERS.findall(ids[-1]))
        for number, string in enumerate(strings):
            seen = set(PLACEHOLDERS.findall(string))
            few = len(strings) > 1 and number == 0  # one thing need not be counted
            assert seen == wanted or (few and seen == set(PLACEHOLDERS.findall(ids[0]))), string


@pytest.mark.parametrize("language", OTHERS)
def test_compiled_catalogs_say_what_the_written_ones_say(language: str) -> None:
    import io

    with catalog_file(language, "mo").open("rb") as file:
        there = gettext.GNUTranslations(file)
    made = gettext.GNUTranslations(io.BytesIO(compiled(filled(language))))
    kept, expected = (vars(catalog)["_catalog"] for catalog in (there, made))
    assert {key: value for key, value in kept.items() if key} == {key: value for key, value in expected.items() if key}


@pytest.mark.parametrize("language", OTHERS)
def test_catalogs_hold_no_person_host_path_or_day(language: str) -> None:
    head = re.sub(
        "2026-05-01|2026-03-01|2020-10-24", "", catalog_file(language).read_text(encoding="utf-8")
    )  # examples
    assert not re.search(r"https?:|(?<![\w.])/\w+/\w|20[1-9]\d-\d\d-\d\d", head)


def test_no_message_hides_in_braces_where_it_is_not_gathered() -> None:
    for file in sorted(WEB.rglob("*.py")):
        assert not re.search(r"\{[np]?p?gettext\(", file.read_text(encoding="utf-8")), file.name


def test_words_of_other_rooms_are_all_in_the_catalogs(database: str) -> None:
    from handan.club.rules import CONFIRMATIONS
    from handan.club.store.models import Openness, Role, Scope
    from handan.club.zones import SERVERS
    from handan.ledger import Ledger
    from handan.paper import PAPERS
    from handan.systems import SYSTEMS
    from handan.web.operations import failures
    from handan.web.pages import errors, privacy
    from handan.web.pages.formatting import KINDS
    from handan.web.plain_data import STATUS

    catalog = filled("ja")
    words = {choice.label for kind in (Role, Openness, Scope) for choice in kind} | set(CONFIRMATIONS.values())
    kinds = {kind for name in SYSTEMS for kind in SYSTEMS[name].traits.game_kinds}
    assert kinds <= KINDS.keys()
    words |= {*KINDS.values()}
    words |= {*filter(None, STATUS.values()), SERVERS}
    words |= {*errors.TITLES.values(), *failures.TITLES.values()}
    words |= {privacy.BY_NAME, privacy.OTHERWISE, privacy.NOT_AT_ALL}
    words |= {paper.title for paper in PAPERS.values()}
    rated = (SYSTEMS[name]().rate(Ledger.of([])).arrays.reasons for name in SYSTEMS)
    words |= {f"not rated: {reason}" for reasons in rated for reason in reasons if reason}
    assert not [word for word in words if str(word) not in catalog]


# names of the pages by the glossary: /docs/languages.md names the sources
GLOSSARY = {
    "ja": ("順位表", "手合割", "持ち点制", "5級", "初段", "黒", "対局"),
    "zh-hans": ("排行榜", "手合", "积分卡", "5级", "1段", "黑", "对局"),
    "zh-hant": ("排行榜", "手合", "積分卡", "5級", "1段", "黑", "對局"),
    "ko": ("순위표", "치수", "점수 카드", "5급", "1단", "흑", "대국"),
    "fr": ("Classement", "Handicap", "Cartes de points", "5K", "1D", "Noir", "Parties"),
    "de": ("Rangliste", "Vorgabe", "Punktekarten", "5k", "1d", "Schwarz", "Partien"),
}


@pytest.mark.parametrize("language", extended_but(TWO, OTHERS))
def test_pages_speak_the_language_of_the_browser(played: Played, visitor: Client, language: str) -> None:
    ladder, terms, cards, kyu, dan, black, games = GLOSSARY[language]
    home = played.home

    def page(path: str) -> Any:
        return visitor.get(path, headers={"Accept-Language": f"{language},en;q=0.5"})

    answer = page(home)
    assert f'<html lang="{language}">' in answer.content.decode()
    assert {ladder, terms, cards, kyu, dan} <= {word for word in GLOSSARY[language] if word in text(answer)}
    listed = text(page(f"{home}games/"))
    assert black in listed
    assert games in listed
    pages = [home + path for path in ("", "games/", "terms/", "lists/", "rules/", "card/", "print/")]
    for path in (*pages, played.player, played.game):
        answer = page(path)
        assert answer.status_code == 200, path
        shown = answer.content.decode()
        assert not re.search(r">[^<]*\b(Ladder|Games|Who takes|Save|Show|Player|Opponent|Black|White)\b", shown), path


def figures(answer: Any) -> list[str]:
    """Return the figures of a table, whatever sign stands before their decimals."""
    pattern = r'<(?:td class="n(?: [^"]*)?"|span class="points[^"]*")(?: data-label="[^"]*")?>(.*?)</(?:td|span)>'
    cells = re.findall(pattern, answer.content.decode())
    return [re.sub(r"\D", "", cell) for cell in cells]


@pytest.mark.parametrize("system", extended_but(["sagc"], ["sagc", "glicko2", "points"]))
def test_figures_are_the_same_in_all_languages(make_club: MakeClub, visitor: Client, system: str) -> None:
    from handan.club.store.clock import today
    from handan.club.store.models import Role

    club = make_club(system)
    secretary = signed_in(club, Role.SECRETARY)
    ada, _ = (registered(secretary, club, name, rank) for name, rank in (("Ada", "5k"), ("Bo", "4k")))
    for result in ("B+", "W+", "B+"):
        game = {"black": "Ada", "white": "Bo", "result": result, "date": str(today()), "komi": "6.5", "another": "1"}
        assert secretary.post(f"/{club.slug}/games/new/", game).status_code == 302
    for path in ("", f"players/{ada}/"):
        read = [figures(visitor.get(f"/{club.slug}/{path}", headers={"Accept-Language": code})) for code in LANGUAGES]
        assert read[0]
        assert all(page == read[0] for page in read)
    signs = visitor.get(f"/{club.slug}/?with=glicko2&with=elo", headers={"Accept-Language": "de"}).content.decode()
    assert not re.search(r'<td class="n[^"]*">[^<]*\d\.\d', signs)


def test_a_form_without_scripts_sets_the_language_and_a_cookie_keeps_it(played: Played, visitor: Client) -> None:
    home = played.home
    form = visitor.get(home).content.decode()
    assert form.count('<button name="language"') == len(LANGUAGES)
    answer = visitor.post("/account/language/", {"language": "ko", "next": home})
    assert (answer.status_code, answer["Location"]) == (302, home)
    cookie = answer.cookies["language"]
    assert (cookie.value, cookie["httponly"], cookie["samesite"]) == ("ko", True, "Lax")
    assert list(answer.cookies) == ["language"]
    again = visitor.get(home, headers={"Accept-Language": "de"})
    assert "순위표" in text(again)
    assert visitor.post("/account/language/", {"language": "xx", "next": home}).status_code == 302
    assert "순위표" in text(visitor.get(home))


def test_the_switch_leads_to_no_other_site(database: str, visitor: Client) -> None:
    answer = visitor.post("/account/language/", {"language": "ja", "next": "https://example.org/"})
    assert answer["Location"] == "/"


def test_kept_pages_of_one_language_are_not_those_of_another(played: Played, visitor: Client) -> None:
    from django.test import Client

    home = played.home
    pages = {code: visitor.get(home, headers={"Accept-Language": code}) for code in LANGUAGES}
    assert len({page["ETag"] for page in pages.values()}) == len(LANGUAGES)
    for code, page in pages.items():
        assert {"Cookie", "Accept-Language"} <= {name.strip() for name in page["Vary"].split(",")}
        assert page["Content-Language"] == code
        same = {"Accept-Language": code, "If-None-Match": page["ETag"]}
        assert visitor.get(home, headers=same).status_code == 304
        chosen = Client()
        chosen.cookies["language"] = code
        assert chosen.get(home, headers={"If-None-Match": page["ETag"]}).status_code == 304
        assert chosen.get(home).content == page.content


def test_another_chinese_and_an_unknown_language_find_their_nearest(played: Played, visitor: Client) -> None:
    for wish, language in (("zh-TW", "zh-hant"), ("zh-HK", "zh-hant"), ("zh-CN", "zh-hans"), ("zh", "zh-hans"),
                         ("de-AT", "de"), ("fr-CA", "fr"), ("nl", "en"), ("en-US", "en")):  # fmt: skip
        assert visitor.get(played.home, headers={"Accept-Language": wish})["Content-Language"] == language


def test_a_sentence_of_terms_is_in_english_that_of_the_command_line(database: str) -> None:
    from django.utils.translation import override

    from handan.web.pages.wording import terms_words

    with override("en"):
        for card in CARDS.values():
            for difference in range(200):
                terms = card_terms(card, ("Ada", 0), ("Bo", difference))
                assert terms_words(terms, "en") == terms.text


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("ja", "黒：Ada、2子、黒から6目半"),
        ("zh-hans", "黑：Ada，让2子，黑贴6目半"),
        ("zh-hant", "黑：Ada，讓2子，黑貼6目半"),
        ("ko", "흑: Ada, 2점, 흑 덤 6.5집"),
        ("fr", "Noir : Ada, 2 pierres, Noir donne 6,5"),
        ("de", "Schwarz: Ada, 2 Steine, Schwarz gibt 6,5"),
    ],
)
def test_terms_are_said_in_the_words_of_the_glossary(database: str, language: str, sentence: str) -> None:
    from django.utils.translation import override

    from handan.handicaps import Terms
    from handan.handicaps.terms import GIVEN
    from handan.web.pages.wording import terms_words

    terms = Terms("Ada", "Bo", GIVEN, 3.0, 2, 1, 2, 6.5, "impossible")
    with override(language):
        assert terms_words(terms, language).replace("\u00a0", " ") == sentence


def test_no_page_parts_things_by_a_mark_of_one_language() -> None:
    """Outside sentences, which each language has whole."""
    sentences = re.compile(r"\{%[-+]? trans.*?endtrans -?%\}|\{#.*?#\}", re.DOTALL)
    for file in sorted(WEB.rglob("templates/**/*.html")):
        page = sentences.sub("{% sentence %}", file.read_text(encoding="utf-8"))
        parted = re.findall(
            r"(?:%\}|\}\}|</\w+>)[,;:]\s+(?=\{%|\{\{|<|\w).*|^\s*[,;:] ?(?:\{%|\{\{|<).*", page, re.MULTILINE
        )
        assert not parted, file.name


def test_the_things_of_a_list_are_parted_as_japanese_parts_them(played: Played, make_club: MakeClub) -> None:
    from handan.club.store.clock import today
    from handan.club.store.models import Club, Role

    home = played.home
    secretary = signed_in(Club.objects.get(slug=home.strip("/")), Role.SECRETARY)
    other = str(played.player).rstrip("/").rpartition("/")[2]
    game = {"black": "山田 春子", "white": "Bob", "date": str(today()), "handicap": "0", "komi": "6", "another": "1"}
    assert secretary.post(f"{home}games/new/", {**game, "result": "jigo"}).status_code == 302
    secretary.post(f"{home}lists/", {"label": ""})
    secretary.cookies["language"] = "ja"
    members = secretary.post(f"{home}players/list/", {"text": "名前\t読み\nCy\tsai"})
    assert "列： 名前、読み" in text(members)
    assert "敗、持碁1" in text(secretary.get(f"{home}pair/?one={other}&other=Bob"))
    assert "現在、" in text(secretary.get(f"{home}lists/"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_that_was_played_and_fair_terms_say_komi_in_the_same_words(database: str, language: str) -> None:
    from django.utils.translation import override

    from handan.handicaps import Terms
    from handan.handicaps.terms import GIVEN
    from handan.paper.words import komi_words
    from handan.web.pages.formatting import terms_text
    from handan.web.pages.wording import terms_words

    with override(language):
        for komi in (6.5, 0.5, 2.0, 0.0, -5.0):
            fair = Terms("Ada", "Bo", GIVEN, 3.0, 2, 1, 2, komi, "impossible")
            giving = komi_words(komi, language)
            assert terms_text(2, komi).endswith(giving)
            assert terms_words(fair, language).endswith(giving)


def test_data_for_programs_speak_no_language(played: Played, visitor: Client) -> None:
    home = played.home
    paths = [home + path for path in ("ladder.csv", "ladder.json", "games.csv", "games.json", "club.json")]
    for path in (*paths, f"{played.player}card.json", f"{played.player}card.csv", f"{played.game}game.json"):
        plain, other = (visitor.get(path, headers={"Accept-Language": code}) for code in ("en", "ja"))
        assert plain.getvalue() == other.getvalue()


def test_a_server_that_only_shows_lets_the_language_be_chosen(
    played: Played, visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.conf import settings

    monkeypatch.setattr(settings, "READ_ONLY", True)
    assert visitor.post("/account/language/", {"language": "ja", "next": "/"}).status_code == 302
    visitor.cookies["language"] = "de"
    refused = visitor.post("/sign-in/", {})
    assert (refused.status_code, refused["Content-Language"]) == (403, "de")
    assert refused.content.decode().startswith("Dieser Server zeigt nur")


def test_the_glossary_of_the_docs_is_that_of_the_catalogs() -> None:
    table = re.findall(r"^\| (.+) \|$", (ROOT / "docs" / "languages.md").read_text(encoding="utf-8"), re.MULTILINE)
    head, *rows = [line.split(" | ") for line in table]
    catalogs = {language: filled(language) for language in head[1:]}
    assert set(catalogs) == set(OTHERS)
    assert len(rows) > 10
    of_papers = {text: name for name, text in words_of("shared", "en").items()}
    for english, *cells in rows:
        for language, cell in zip(head[1:], cells, strict=True):
            if english in of_papers:
                assert words_of("shared", language)[of_papers[english]] == cell, (english, language)
                continue
            text, _, context = english.rstrip("]").partition(" [")
            message = catalogs[language].get(text, context or None)
            assert message is not None, english
            assert str(message.string).replace("\u00a0", " ") == cell, (english, language)


@pytest.mark.extended
def test_pages_vary_by_the_choice_and_data_name_no_language(played: Played, visitor: Client) -> None:
    for path in ("/nope/nope/", f"{played.home}games/g99999/", "/sign-in/", "/privacy/", "/api/none"):
        assert "Cookie" in visitor.get(path)["Vary"], path
    for path in (f"{played.home}ladder.csv", f"{played.home}ladder.json", "/api/clubs"):
        assert not visitor.get(path, headers={"Accept-Language": "ja"}).has_header("Content-Language"), path


def test_an_error_before_the_page_speaks_the_language_of_who_asks(
    played: Played, visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.contrib.sessions.middleware import SessionMiddleware
    from django.db import OperationalError

    def fails(*_: object) -> None:
        raise OperationalError("the database is gone")

    monkeypatch.setattr(SessionMiddleware, "process_request", fails)
    visitor.raise_request_exception = False
    for language, title in (("de", "Der Server kann gerade nicht antworten"), ("en", "The server cannot answer")):
        answer = visitor.get(played.home, headers={"Accept-Language": language})
        assert answer.status_code == 503
        assert f'<html lang="{language}">' in answer.content.decode()
        assert title in answer.content.decode()
        visitor.get("/privacy/", headers={"Accept-Language": "ja"})


@pytest.mark.extended
def test_names_with_marks_stand_in_translated_sentences_as_they_are(make_club: MakeClub) -> None:
    from handan.club.store.clock import today
    from handan.club.store.models import Role

    club, name = make_club("points", card="tokyo15"), "<b>x</b> %s {0} %(name)s \"'&"
    secretary = signed_in(club, Role.SECRETARY)
    keys = [registered(secretary, club, each, "5k") for each in (name, "%d {} {name}")]
    home = f"/{club.slug}/"
    game = {"black": name, "white": "%d {} {name}", "result": "B+R", "date": str(today()), "komi": "6.5"}
    entered = str(secretary.post(f"{home}games/new/", game)["Location"])
    paths = ["", "games/", "compared/?with=elo", "who-is-who/", "members/", "log/", "terms/", "games/new/", "print/"]
    paths += [f"players/{key}/{rest}" for key in keys for rest in ("", "edit/", "adjust/", "own/", "forget/")]
    for language in LANGUAGES:
        for path in [home + path for path in paths] + [entered, f"{entered}withdraw/", f"{entered}correct/"]:
            answer = secretary.get(path, headers={"Accept-Language": language})
            assert answer.status_code == 200, (path, language)
            page = answer.content.decode()
            assert "<b>x" not in page, (path, language)
            assert not re.search(r'="[^"]*<b', page), (path, language)
        card = secretary.get(f"{home}players/{keys[0]}/", headers={"Accept-Language": language}).content.decode()
        assert "&lt;b&gt;x&lt;/b&gt; %s {0} %(name)s" in card
        assert "%d {} {name}" in card


def test_a_name_that_is_written_to_the_left_stands_apart_from_the_figures_beside_it() -> None:
    from handan.web.pages.wording import name_in_its_language

    for name in ("שרה כהן", "علي حسن"):
        assert name_in_its_language(name, "", "", "en") == f'<span dir="rtl">{name}</span>'
    assert name_in_its_language("Ada Lindqvist", "", "", "en") == "Ada Lindqvist"


OTHER_WORDS = {
    "ja": ("選手", "要約値", "番地", "閲覧ソフト", "控え", "下見", "今夜", "(?<!囲碁)クラブ",
           "計算外", "数えられ", "訪問者", "ブラウザ(?!ー)", "期待される得点", "法則", "\uff5e"),
    "zh-hans": ("账册", "账簿", "账号", "棋份", "级段", "成员", "收回", "重构", "性质系数", "均衡(?:手合|贴目)",
                "点数", "(?<!围棋)俱乐部", "遗忘", "赛事", "本社", "(?<!真美乐)棋会", "手工", "注册(?!编号|号)"),
    "zh-hant": ("帳冊", "帳簿", "帳戶", "棋份", "級段", "成員", "收回", "均衡(?:手合|貼目)",
                "點數", "(?<!圍棋)俱樂部", "社團", "遺忘", "賽事", "本社", "(?<!真美樂)棋會", "錄入", "簽名",
                "註冊(?!編號|號)", r"(?:第|\d|\}|\)s)行(?!動)",
                "服務器", "數據庫", "磁盤", "保存", "發送", "概率", "方差", "當前", "生成", "鏈接", "製表符", "運行",
                "打開", "迭代", "重構"),
    "ko": ("대장", "기록부", "접바둑", "급단", "비밀 숫자", "열쇠", "용지", "빅", "맞는 (?:치수|덤)",
           "결과 시트", "기원", "급수", "최초", "공식 (?:목록|순위(?!표))", "점수 제외", "당신"),
    "fr": ("épreuve", "événement", "écritures", "inscriptions", r"\brangs?\b", "non comptée", "classée", "vainqueur",
           "facteur de type"),
    "de": (r"\bBuch\b", "Hauptbuch", "Bedingung", "Veranstaltung", r"\b[CK]lub", r"\bRatings?\b", "gerecht", "Neuling",
           "[Bb]eförder", r"\b[Ss]ichern\b|[Gg]esichert", "[Uu]nterschr", "Anmerkung"),
}  # fmt: skip
"""Second words and marks for what has one in a language: ledger, log, account, rank, terms, event, jigo …

In traditional characters those of the mainland's computers count among them: Taiwan says 伺服器, 資料庫, 儲存, 機率.
"""
CHINESE_MARKS = r"[一-龯]\(|[一-龯]: |[一-龯] (?:\{|%\()|[一-龯] \d|(?:\}|\)s|\d) [一-龯]"
JAPANESE_MARKS = r"[ぁ-龯]\(|[ぁ-龯]: |[ぁ-龯][?!]|[ぁ-龯] (?:\{|%\()|(?:\}|\)s) [ぁ-龯]"
"""Half-width marks beside a character, and blanks around what stands in a sentence."""
KOREAN_MARKS = r"[가-힣] \(|; "
"""A blank before a bracket, and a mark that Korean does without."""
NAME = r"(?:\{(?!rank|declared|day)\w+\}|%\((?!rank|day|moment)\w+\)s)"
"""A placeholder of which nobody knows how it ends; ranks end with 단 or 급, days with 일."""
BARE_PARTICLE = rf"{NAME}(?:은|는|이|가|을|를|와|과|로|으로|라|이라)(?![가-힣(])"
"""A particle that fits only some of the words that can stand before it; `은(는)` fits all."""
NOUNS = {
    "은이을과": "급·단 클럽 대국 회원 항목 레이팅 기록 기록원 치석 덤",
    "는가를와": "순위표 치수표 장부 기록지 총무 선수 점수 대회",
}
"""Nouns of the catalog, by the particles that stand behind them."""


def texts_of(language: str) -> list[str]:
    """Every translation of a language, all plural forms."""
    strings = [message.string for message in filled(language) if message.id]
    return [text for string in strings for text in ([string] if isinstance(string, str) else string or ())]


@pytest.mark.parametrize("language", OTHER_WORDS)
def test_one_thing_has_one_word(language: str) -> None:
    texts = texts_of(language)
    for word in OTHER_WORDS[language]:
        assert not [text for text in texts if re.search(word, text)], word


LANGUAGES_OF_TERMS = ("de", "fr", "ja", "ko", "zh-hans", "zh-hant")
TERMS = {
    r"ledgers?": ("register", "registre", "台帳", "장부", "账本", "帳本"),
    r"secretar(?:y|ies)": ("schriftführer", "secrétaire", "世話人", "총무", "干事", "幹事"),
    r"result keepers?": ("ergebnisdienst", "des résultats", "記録係", "기록원", "记录员", "記錄員"),
    r"newcomers?": ("neue", "nouveau", "新人", "새 회원", "新人|未申报者", "新人|未申報者"),
    r"withdrawn": ("zurückge", "retir", "取り下げ", "철회", "撤回", "撤回"),
    r"events?": ("turnier", "tournoi", "大会", "대회", "[比参]赛|赛后", "[比參]賽|賽後"),
    r"tablet": ("tablet", "tablette", "タブレット", "태블릿", "平板", "平板"),
    r"invitations?": ("einladung", "invitation", "招待", "초대", "邀请", "邀請"),
    r"deviations?": ("abweichung", "écart", "偏差", "편차", "标准差", "標準差"),
    r"expected scores?": ("erwartungswert", "scores? attendu", "期待得点", "기대 득점", "期望得分", "期望得分"),
}
"""An English word, and the word for it in each of `LANGUAGES_OF_TERMS`."""


@pytest.mark.parametrize("place", range(len(LANGUAGES_OF_TERMS)), ids=LANGUAGES_OF_TERMS)
def test_a_word_of_the_glossary_is_said_wherever_english_says_it(place: int) -> None:
    sentences = []
    for message in filled(LANGUAGES_OF_TERMS[place]):
        ids = [message.id] if isinstance(message.id, str) else message.id
        texts = [message.string] if isinstance(message.string, str) else list(message.string or ())
        sentences.append((re.sub(r"`.*?`|\{[^}]*\}|%\(\w+\)s", "", str(ids[-1])), texts[-1]))
    for english, words in TERMS.items():
        pairs = [pair for pair in sentences if re.search(rf"\b(?:{english})\b", pair[0], re.IGNORECASE)]
        assert pairs
        assert not [pair for pair in pairs if not re.search(words[place], pair[1], re.IGNORECASE)], english


@pytest.mark.parametrize("language", ["zh-hans", "zh-hant"])
def test_chinese_has_its_own_marks_and_no_blanks(language: str) -> None:
    sentences = [text for text in texts_of(language) if not re.search(r"[=×^/]|6–11: ", text)]  # no formulas
    assert not [text for text in sentences if re.search(CHINESE_MARKS, text)]


@pytest.mark.parametrize(("language", "marks"), [("ja", JAPANESE_MARKS), ("ko", KOREAN_MARKS)])
def test_marks_are_those_of_japan_and_of_korea(language: str, marks: str) -> None:
    sentences = [text for text in texts_of(language) if not re.search(r"[=×^/]", text)]  # no formulas
    assert not [text for text in sentences if re.search(marks, text)]


def test_korean_particles_fit_what_they_stand_behind() -> None:
    texts = texts_of("ko")
    assert not [text for text in texts if re.search(BARE_PARTICLE, text)]
    for particles, nouns in NOUNS.items():
        others = "".join(other for other in NOUNS if other != particles)
        wrong = rf"(?:{'|'.join(nouns.split())})[{others}](?![가-힣(])"
        assert not [text for text in texts if re.search(wrong, text)]


def test_no_french_line_begins_with_a_mark() -> None:
    assert not [text for text in texts_of("fr") if re.search(r"\S [;:?!»]|« ", text)]


@pytest.mark.parametrize(("language", "marks"), [("fr", "\\w'\\w|[\"„“”]|\u202f"), ("de", "\\w'\\w|[\"”«»]")])
def test_quotes_apostrophes_and_blanks_are_those_of_the_language(language: str, marks: str) -> None:
    assert not [text for text in texts_of(language) if re.search(marks, text)]


@pytest.mark.parametrize(
    ("language", "familiar"),
    [
        ("de", r"\b(?:[Dd]u|[Dd]ich|[Dd]ein\w*|[Ee]uch|[Ee]ure[mnrs]?|[Ss]eht|Druckt|[Gg]ebt)\b|t ihr\b|\bändere\b"),
        ("fr", r"\b(?:[Tt]u|[Tt]oi|[Tt]on|[Tt]es)\b"),
        ("ko", "세요|[나까]요|당신"),
    ],
)
def test_pages_address_everybody_in_the_polite_form(language: str, familiar: str) -> None:
    assert not [text for text in texts_of(language) if re.search(familiar, text)]


@pytest.mark.parametrize("language", ["fr", "de"])
def test_no_figure_of_a_sentence_has_the_decimal_sign_of_another_language(language: str) -> None:
    assert not [text for text in texts_of(language) if re.search(r"\d\.\d", text)]


def test_a_french_ladder_is_not_a_rating() -> None:
    for message in filled("fr"):
        english, french = str(message.id).casefold(), str(message.string).casefold()
        assert not message.id or "classement" not in french or "ladder" in english, message.id


def test_a_word_of_a_form_is_not_that_of_a_factor(make_club: MakeClub) -> None:
    """The zone of South African clubs is another thing than the time zone, and a person's name than a club's."""
    from handan.club.store.models import Role

    club = make_club()
    client = signed_in(club, Role.ADMINISTRATOR)
    client.cookies["language"] = "ja"
    assert "時間帯" in text(client.get(f"/{club.slug}/zone/"))
    assert "圏" not in text(client.get(f"/{club.slug}/zone/"))
    client.cookies["language"] = "zh-hans"
    assert "棋社名称" in text(client.get("/clubs/new/"))
    refused = text(client.post(f"/{club.slug}/zone/", {"zone": "Nowhere/None"}))
    assert "时区" in refused
    assert "区 Nowhere" not in refused.replace("时区", "")


def test_what_cannot_be_found_leads_back_and_bears_the_mark_of_the_house(visitor: Client) -> None:
    page = visitor.get("/nope/nope/").content.decode()
    assert re.search(r'<header>.*class="brand" href="/"', page, re.DOTALL)


def test_an_empty_club_says_once_what_to_begin_with(make_club: MakeClub) -> None:
    from handan.club.store.models import Role

    club = make_club()
    client = signed_in(club, Role.SECRETARY)
    page = client.get(f"/{club.slug}/").content.decode()
    assert page.count(f'href="/{club.slug}/players/list/"') == 1
    assert "Register a player" not in page
    registered(client, club, "Ada", "5k")
    assert "Register a player" in client.get(f"/{club.slug}/").content.decode()


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("Black", "White by 2.5", "Black by 0.5", "White by 7")),
        ("ja", ("黒勝ち", "白2目半勝ち", "黒半目勝ち", "白7目勝ち")),
        ("zh-hans", ("黑胜", "白胜2目半", "黑胜半目", "白胜7目")),
        ("zh-hant", ("黑勝", "白勝2目半", "黑勝半目", "白勝7目")),
        ("ko", ("흑승", "백 2.5집승", "흑 0.5집승", "백 7집승")),
        ("fr", ("Noir gagne", "Blanc de 2,5", "Noir de 0,5", "Blanc de 7")),
        ("de", ("Schwarz gewinnt", "Weiß mit 2,5", "Schwarz mit 0,5", "Weiß mit 7")),
    ],
)
def test_a_result_is_said_as_the_language_says_it(database: str, language: str, words: tuple[str, ...]) -> None:
    from django.utils.translation import override

    from handan.web.pages.formatting import result_text

    with override(language):
        assert tuple(map(result_text, ("B+", "W+2.5", "B+0.5", "W+7"))) == words


@pytest.mark.parametrize("language", TWO)
def test_an_address_that_is_taken_is_said_without_words_of_programs(make_club: MakeClub, language: str) -> None:
    import io

    from handan.club.store.models import Role

    club = make_club()
    client = signed_in(club, Role.ADMINISTRATOR)
    client.cookies["language"] = language
    ledger = client.get(f"/{club.slug}/ledger.jsonl.gz").getvalue()
    pages = [client.post("/clubs/import/", {"ledger": io.BytesIO(ledger)})]
    pages += [client.post("/clubs/new/", {"name": "Two", "slug": club.slug, "system": "points", "save": "1"})]
    for page in pages:
        errors = re.findall(r'<p class="error"[^>]*>(.*?)</p>', page.content.decode())
        assert errors
        assert all(club.slug in error and not re.search(r"\b(slug|Slug|Club)\b", error) for error in errors), errors


LISTS = {
    "ja": ("公式順位表1", "持ち点制", "コミなし"), "zh-hans": ("正式名单1", "积分卡", "不贴目"),
    "zh-hant": ("正式名單1", "積分卡", "不貼目"), "ko": ("공식 순위표 1", "점수 카드", "덤 없음"),
    "fr": ("Liste officielle 1", "Cartes de points", "sans komi"),
    "de": ("Amtliche Liste 1", "Punktekarten", "kein Komi"),
}  # fmt: skip


@pytest.mark.parametrize("language", extended_but(TWO, OTHERS))
def test_a_list_that_nobody_named_a_scope_and_a_game_without_komi_have_words(played: Played, language: str) -> None:
    from handan.club import changes, lists
    from handan.club.store.clock import today
    from handan.club.store.models import Club, Role
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    club = Club.objects.get(slug=played.home.strip("/"))
    keys = list(state_of(club).keys.values())
    facts = {"black": keys[0], "white": keys[1], "result": "B+R", "date": str(today()), "komi": 0.0, "handicap": 3}
    write(club, lambda state: changes.games.record_game(state, facts, today()), author="x")
    write(club, lambda state: lists.publish(state, today()), author="x")
    client = signed_in(club, Role.SECRETARY)
    client.cookies["language"] = language
    name, system, komi = LISTS[language]
    for path in ("lists/", "lists/1/", "print/"):
        page = text(client.get(f"{played.home}{path}"))
        assert name in page, path
        assert "Official list" not in page, path
        assert system in page or path == "print/"
    assert re.search(r'<td class="n strong">\d+</td>', client.get(f"{played.home}lists/1/").content.decode())
    assert komi in text(client.get(f"{played.home}games/"))
    scopes = re.findall(r'<option value="\d"[^>]*>(\w+)', client.get("/account/").content.decode())
    assert scopes
    assert not {"read", "write", "administer"} & set(scopes)
