"""News of a club as an Atom feed: its last games and promotions, as visitors see them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple

from django.contrib.syndication.views import Feed
from django.http import HttpResponseBase
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed, get_tag_uri
from django.utils.translation import gettext

from handan.club.movement import MONTH
from handan.club.state import COUNTS, game_number
from handan.club.store.clock import today
from handan.club.store.models import Role
from handan.ledger.dates import DAY
from handan.ranks import Rank
from handan.ratings import Explanation
from handan.web.pages.formatting import game_row
from handan.web.pages.here import Here, page
from handan.web.pages.wording import day, page_language, rank

GAMES = 30  # our choice: games in a feed


class News(NamedTuple):
    """A game or a promotion."""

    title: str
    text: str
    address: str
    moment: datetime
    part: str = ""
    """Which news of several at one address."""
    changed: datetime | None = None
    """When the game was corrected last; None: never."""


@page(Role.VISITOR)
def feed(here: Here) -> HttpResponseBase:
    """The news of the club; a club that is closed to visitors has none for them."""
    return ClubFeed(here)(here.request)


class NewsFeed(Atom1Feed):
    """A feed that says of a club without news when its ledger was written last; Django would say now each time."""

    def latest_post_date(self) -> datetime:
        """Return the moment of the latest news or, without any, of the last entry."""
        moment: datetime = super().latest_post_date() if self.items else self.feed["entered"]
        return moment


class ClubFeed(Feed):  # type: ignore[type-arg]
    """The news that who asks may see."""

    feed_type = NewsFeed

    def __init__(self, here: Here) -> None:
        self.here, self.title, self.author_name = here, here.club.name, here.club.name
        self.link = here.address("start")
        self.subtitle = gettext("Games and promotions")
        self.language = page_language()

    def feed_extra_kwargs(self, _: None) -> dict[str, datetime]:
        """Return the moment of the club's last entry; of its first on a day before that."""
        entries = self.here.club.entries.filter(number__lte=max(self.here.state.number, 1)).order_by("-number")
        return {"entered": entries.values_list("entered", flat=True)[0]}

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
        """Return what names it for ever in all the world, by which a reader knows what is new."""
        whole = self.here.request.build_absolute_uri(f"{item.address}#{item.part}" if item.part else item.address)
        return str(get_tag_uri(whole, item.moment))

    def item_pubdate(self, item: Any) -> datetime:
        """Return when it or the game of a promotion was entered; for a promotion by no game, where its day began."""
        moment: datetime = item.moment
        return moment

    def item_updateddate(self, item: Any) -> datetime:
        """Return when it said something else last, as every entry of a feed has to (RFC 4287, 4.1.2)."""
        return item.changed or self.item_pubdate(item)


def _games(here: Here) -> Iterator[News]:
    rows = here.games(status=COUNTS, stop=GAMES)
    later = rows.filter(rows["latest"] != rows["line"])["latest"].to_list() if not here.state.sources else []
    changed = dict(here.club.entries.filter(number__in=later).values_list("number", "entered"))
    for row in rows.iter_rows(named=True):
        game = game_row(here.state, row)
        players = " – ".join(here.shown_name(game[side]) for side in ("black_name", "white_name"))
        title = gettext(": ").join((players, game["result"]))
        text = " · ".join(filter(None, (day(game["date"]), game["terms"])))
        address = here.address("game", game["key"])
        yield News(title, text, address, _added(row), changed=changed.get(row["latest"]))


def _added(row: dict[str, Any]) -> datetime:
    added: datetime = row["added"]
    return added if added.tzinfo else added.replace(tzinfo=UTC)


def _promotions(here: Here) -> Iterator[News]:
    since = today() - timedelta(days=MONTH)
    risen = [key for key, moved in here.standings.movements(since).items() if moved.promoted]
    lines = here.standings.lines_between(since + timedelta(days=1), date.max) if risen else {}
    promoted = [(key, line) for key in risen for line in lines.get(key, ()) if _is_promotion(line.explanation)]
    here.state.labels.prefetch(key for key, _ in promoted)
    here.state.recorded.prefetch([game_number(line.game) for _, line in promoted if line.game])
    for key, line in promoted:
        item = line.explanation
        title = gettext("{name}: promoted to {rank}").format(
            name=here.shown_name(here.state.labels[key]), rank=rank(item.rank_after)
        )
        began = timezone.make_aware(datetime.combine(date.fromisoformat(item.date[:DAY]), time()))
        moment = _added(here.state.game(line.game)) if line.game else began
        address = here.address("player", key)
        yield News(title, day(item.date), address, moment, f"{item.rank_after}-{item.date}")


def _is_promotion(line: Explanation) -> bool:
    """Whether a line of a card leads to a higher rank on a day that is known."""
    ranks = line.rank_before, line.rank_after
    return len(line.date) >= DAY and all(ranks) and Rank.parse(line.rank_after) > Rank.parse(line.rank_before)
