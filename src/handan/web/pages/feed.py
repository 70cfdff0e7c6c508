"""News of a club as an Atom feed: its last games and promotions, as visitors see them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from typing import Any, NamedTuple

from django.contrib.syndication.views import Feed
from django.http import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext

from handan.club.movement import MONTH, moved_since
from handan.club.service.looking import latest_first
from handan.club.state import COUNTS
from handan.club.store.clock import today
from handan.club.store.models import Role
from handan.ledger import When
from handan.ranks import Rank
from handan.web.pages.formatting import game_row
from handan.web.pages.here import Here, page
from handan.web.templatetags.wording import day, page_language, rank

GAMES = 30  # our choice: games in a feed


class News(NamedTuple):
    """A game or a promotion."""

    title: str
    text: str
    address: str
    mark: str
    """What names it for ever."""
    moment: datetime


@page(Role.VISITOR)
def feed(here: Here) -> HttpResponseBase:
    """The news of the club; a club that is closed to visitors has none for them."""
    return ClubFeed(here)(here.request)


class ClubFeed(Feed):  # type: ignore[type-arg]
    """The news that who asks may see."""

    feed_type = Atom1Feed

    def __init__(self, here: Here) -> None:
        self.here, self.title = here, here.club.name
        self.link = reverse("start", args=(here.club.slug,))
        self.subtitle = gettext("Games and promotions")
        self.language = page_language()

    def items(self) -> list[News]:
        """Return the news, latest first."""
        return sorted([*_games(self.here), *_promotions(self.here)], key=lambda item: item.moment, reverse=True)

    def item_title(self, item: Any) -> str:
        """Return the title of a game or promotion."""
        return str(item.title)

    def item_description(self, item: Any) -> str:
        """Return the text of a game or promotion, shown under its title."""
        return str(item.text)

    def item_link(self, item: Any) -> str:
        """Return the address of its page."""
        return str(item.address)

    def item_guid(self, item: Any) -> str:
        """Return the mark that names it for ever, by which a reader knows what is new."""
        return str(item.mark)

    def item_pubdate(self, item: Any) -> datetime:
        """Return when it was entered, or for a promotion its day."""
        moment: datetime = item.moment
        return moment


def _games(here: Here) -> Iterator[News]:
    rows = latest_first(here.games(status=COUNTS), GAMES).head(GAMES)
    for row in rows.iter_rows(named=True):
        game = game_row(here.state, row)
        title = f"{' – '.join(here.shown_name(game[side]) for side in ('black_name', 'white_name'))}: {game['result']}"
        text = " · ".join(filter(None, (day(game["date"]), game["terms"])))
        added = row["added"] if row["added"].tzinfo else row["added"].replace(tzinfo=UTC)
        address = reverse("game", args=(here.club.slug, game["key"]))
        yield News(title, text, address, f"{here.club.slug}:{game['key']}", added)


def _promotions(here: Here) -> Iterator[News]:
    since = today() - timedelta(days=MONTH)
    for key, moved in moved_since(here.standings, since).items():
        if not moved.promoted:
            continue
        for line in here.standings.lines(key, reasons=False):
            item = line.explanation
            when = When.of(item.date)
            if when is None or when.precision < 10 or when.moment.date() <= since or not (
                item.rank_before and item.rank_after and Rank.parse(item.rank_after) > Rank.parse(item.rank_before)
            ):  # fmt: skip
                continue
            title = gettext("{name}: promoted to {rank}").format(
                name=here.shown_name(here.state.labels[key]), rank=rank(item.rank_after)
            )
            moment = timezone.make_aware(datetime.combine(when.moment.date(), time(23, 59)))
            mark = f"{here.club.slug}:{key}:{item.rank_after}:{item.date}"
            yield News(title, day(item.date), reverse("player", args=(here.club.slug, key)), mark, moment)
