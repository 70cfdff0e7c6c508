# What `handan.rate` takes, for type checkers and editors; `python -m tests.test_typed` writes it.

from typing import Any, Literal, TypeAlias, TypedDict, Unpack, overload

from handan.ratings import Ratings
from handan.systems import System
from handan.systems.core.live import Live

SystemName: TypeAlias = Literal[
    "points",
    "sagc",
    "elo",
    "egf",
    "egf-classic",
    "aga",
    "accelrat",
    "igs",
    "dgs",
    "kgs",
    "ogs",
    "glicko",
    "glicko2",
    "trueskill",
    "bradley-terry",
    "decayed",
    "whr",
    "holigor",
    "handan",
]

class PointsSettings(TypedDict, total=False):
    card: str
    settle: Literal["game", "day", "month"]
    freeze: Literal["all", "pair"]
    daily_limit: int | None
    conditions: Literal["any", "card"]
    jigo: Literal["card", "unchanged", "white_wins"]
    forfeits: Literal["unrated", "rated"]
    step_low: int
    step_low_below: int
    at_1d: float | None
    stone: int
    promotion: Literal["reached", "nearest"]
    demotion: Literal["below", "stone", "never"]
    rank_points: str | None
    start: float
    late_ranks: Literal["remark", "adjust"]

class SAGCSettings(TypedDict, total=False):
    tournament: float
    club: float
    friendly: float
    floors: Literal["zones", "next_floor"]
    clamp_x: bool
    start: str
    late_ranks: Literal["remark", "adjust"]

class EloSettings(TypedDict, total=False):
    k: float
    k_new: float
    new_games: int
    start: float | None
    stone: float | None
    advantage: float
    batch: Literal["game", "event"]
    per_rank: float
    at_1d: float
    late_ranks: Literal["remark", "adjust"]

class EGFSettings(TypedDict, total=False):
    start: float | None
    default_class: Literal["A", "B", "C", "D"]
    batch: Literal["event", "game"]
    reset_two_grades: bool
    late_ranks: Literal["remark", "adjust"]
    entry: Literal["rank", "rating"]

class EGFClassicSettings(TypedDict, total=False):
    start: float | None
    default_class: Literal["A", "B", "C", "D"]
    batch: Literal["event", "game"]
    reset_two_grades: bool
    late_ranks: Literal["remark", "adjust"]
    entry: Literal["rank", "rating"]
    epsilon: float
    epsilon_from: Literal["both", "stronger"]
    clamp_expected: bool

class AGASettings(TypedDict, total=False):
    start: str | None
    sigma: Literal["grid", "laplace"]
    law: Literal["bayrate", "accelrat"]
    entry: Literal["rank", "rating"]

class AccelratSettings(TypedDict, total=False):
    start: str | None
    sigma: Literal["grid", "laplace"]
    law: Literal["accelrat"]
    entry: Literal["rank", "rating"]

class IGSSettings(TypedDict, total=False):
    prior: float
    window: int
    start: float
    tolerance: float
    late_ranks: Literal["remark", "adjust"]

class DGSSettings(TypedDict, total=False):
    start: float | None
    epsilon: float
    proposal: Literal["proper", "conventional"]
    fewest_moves: int
    late_ranks: Literal["remark", "adjust"]

class KGSSettings(TypedDict, total=False):
    prior: float
    window: int
    start: float
    tolerance: float
    late_ranks: Literal["remark", "adjust"]
    rounds: int
    komi_per_stone: float

class OGSSettings(TypedDict, total=False):
    start: float | None
    start_deviation: float
    rank_deviation: float
    volatility: float
    tau: float
    min_deviation: float
    max_deviation: float
    handicap: Literal["v6", "v5"]
    rules: Literal["japanese", "korean", "chinese", "aga", "other-area"]
    ageing_days: float
    late_ranks: Literal["remark", "adjust"]

class GlickoSettings(TypedDict, total=False):
    period: Literal["event", "month", "week", "day", "game"]
    start: float | None
    start_deviation: float
    rank_deviation: float
    max_deviation: float
    min_deviation: float
    stone: float | None
    advantage: float
    per_rank: float
    at_1d: float
    late_ranks: Literal["remark", "adjust"]
    w2: float
    c: float | None

class Glicko2Settings(TypedDict, total=False):
    period: Literal["event", "month", "week", "day", "game"]
    start: float | None
    start_deviation: float
    rank_deviation: float
    max_deviation: float
    min_deviation: float
    stone: float | None
    advantage: float
    per_rank: float
    at_1d: float
    late_ranks: Literal["remark", "adjust"]
    volatility: float
    tau: float
    idle_days: float

class TrueSkillSettings(TypedDict, total=False):
    mu: float | None
    sigma: float
    rank_sigma: float
    beta: float
    tau: float
    tau_per: Literal["game", "day"]
    p_draw: float
    stone: float | None
    advantage: float
    per_rank: float
    at_1d: float
    late_ranks: Literal["remark", "adjust"]

class BradleyTerrySettings(TypedDict, total=False):
    prior: float
    advantage: float | None
    entry: Literal["ranks", "none"]
    stone: float | None
    handicap: Literal["pinned", "learned"]
    at_1d: float | None
    per_rank: float
    tolerance: float
    late_ranks: Literal["remark", "adjust"]
    uncertainty: bool

class DecayedSettings(TypedDict, total=False):
    prior: float
    advantage: float | None
    entry: Literal["ranks", "none"]
    stone: float | None
    handicap: Literal["pinned", "learned"]
    at_1d: float | None
    per_rank: float
    tolerance: float
    late_ranks: Literal["remark", "adjust"]
    uncertainty: bool
    tau: float

class WHRSettings(TypedDict, total=False):
    prior: float
    advantage: float
    entry: Literal["ranks", "none"]
    stone: float | None
    handicap: Literal["pinned", "learned"]
    at_1d: float | None
    per_rank: float
    tolerance: float
    late_ranks: Literal["remark", "adjust"]
    w2: float
    period_days: int
    uncertainty: bool
    hessian_shift: float

class HoligorSettings(TypedDict, total=False):
    p: float
    few: float
    age: Literal["exp", "none", "printed"]
    tolerance: float
    sweeps: int

class HandanSettings(TypedDict, total=False):
    deviation: float | None
    w2: float | None
    opponents: float | None
    results: float | None
    look_back: float
    rank_share: float | None
    performance: float
    scale: Literal["learned", "fixed"]
    newcomers: Literal["learned", "fixed"]
    start: float | None
    stone: float | None
    advantage: float | None
    per_rank: float
    at_1d: float
    late_ranks: Literal["remark", "adjust"]

@overload
def rate(games: Any, system: Literal["points"], **settings: Unpack[PointsSettings]) -> Ratings: ...
@overload
def rate(games: Any, system: Literal["sagc"], **settings: Unpack[SAGCSettings]) -> Ratings: ...
@overload
def rate(games: Any, system: Literal["elo"], **settings: Unpack[EloSettings]) -> Ratings: ...
@overload
def rate(games: Any, system: Literal["egf"], **settings: Unpack[EGFSettings]) -> Ratings: ...
@overload
def rate(games: Any, system: Literal["egf-classic"], **settings: Unpack[EGFClassicSettings]) -> Ratings: ...
@overload
def rate(games: Any, system: Literal["aga"], **settings: Unpack[AGASettings]) -> Ratings: ...
@overload
def rate(games: Any, system: Literal["accelrat"], **settings: Unpack[AccelratSettings]) -> Ratings: ...
@overload
def rate(games: Any, system: Literal["igs"], **settings: Unpack[IGSSettings]) -> Ratings: ...
@overload
def rate(games: Any, system: Literal["dgs"], **settings: Unpack[DGSSettings]) -> Ratings: ...
@overload
def rate(games: Any, system: Literal["kgs"], **settings: Unpack[KGSSettings]) -> Ratings: ...
@overload
def rate(games: Any, system: Literal["ogs"], **settings: Unpack[OGSSettings]) -> Ratings: ...
@overload
def rate(games: Any, system: Literal["glicko"], **settings: Unpack[GlickoSettings]) -> Ratings: ...
@overload
def rate(games: Any, system: Literal["glicko2"], **settings: Unpack[Glicko2Settings]) -> Ratings: ...
@overload
def rate(games: Any, system: Literal["trueskill"], **settings: Unpack[TrueSkillSettings]) -> Ratings: ...
@overload
def rate(games: Any, system: Literal["bradley-terry"], **settings: Unpack[BradleyTerrySettings]) -> Ratings: ...
@overload
def rate(games: Any, system: Literal["decayed"], **settings: Unpack[DecayedSettings]) -> Ratings: ...
@overload
def rate(games: Any, system: Literal["whr"], **settings: Unpack[WHRSettings]) -> Ratings: ...
@overload
def rate(games: Any, system: Literal["holigor"], **settings: Unpack[HoligorSettings]) -> Ratings: ...
@overload
def rate(games: Any, system: Literal["handan"], **settings: Unpack[HandanSettings]) -> Ratings: ...
@overload
def rate(games: Any, system: SystemName | System) -> Ratings:
    """Rate games by a system.

    Args:
        games: A ledger, a list of `Game`, or whatever `handan.read` takes: a path or several, a frame, a table in
            columns, a list of rows.
        system: The name of one of `SYSTEMS`, or a system with its settings, such as `handan.systems.Elo(k=32)`; for a
            name that is a text of your program, `handan.systems.system(name)`.
        settings: Settings of the system that is named, such as `card="tokyo15"` or `k=32`.

    Raises:
        InputError: Games cannot be read, or no system has the name; the text proposes one that is like it.
        SettingError: The system has no such setting, or the value is out of its range.
    """  # noqa: PYI021  # editors show it

@overload
def live(system: Literal["points"], **settings: Unpack[PointsSettings]) -> Live: ...
@overload
def live(system: Literal["sagc"], **settings: Unpack[SAGCSettings]) -> Live: ...
@overload
def live(system: Literal["elo"], **settings: Unpack[EloSettings]) -> Live: ...
@overload
def live(system: Literal["egf"], **settings: Unpack[EGFSettings]) -> Live: ...
@overload
def live(system: Literal["egf-classic"], **settings: Unpack[EGFClassicSettings]) -> Live: ...
@overload
def live(system: Literal["aga"], **settings: Unpack[AGASettings]) -> Live: ...
@overload
def live(system: Literal["accelrat"], **settings: Unpack[AccelratSettings]) -> Live: ...
@overload
def live(system: Literal["igs"], **settings: Unpack[IGSSettings]) -> Live: ...
@overload
def live(system: Literal["dgs"], **settings: Unpack[DGSSettings]) -> Live: ...
@overload
def live(system: Literal["kgs"], **settings: Unpack[KGSSettings]) -> Live: ...
@overload
def live(system: Literal["ogs"], **settings: Unpack[OGSSettings]) -> Live: ...
@overload
def live(system: Literal["glicko"], **settings: Unpack[GlickoSettings]) -> Live: ...
@overload
def live(system: Literal["glicko2"], **settings: Unpack[Glicko2Settings]) -> Live: ...
@overload
def live(system: Literal["trueskill"], **settings: Unpack[TrueSkillSettings]) -> Live: ...
@overload
def live(system: Literal["bradley-terry"], **settings: Unpack[BradleyTerrySettings]) -> Live: ...
@overload
def live(system: Literal["decayed"], **settings: Unpack[DecayedSettings]) -> Live: ...
@overload
def live(system: Literal["whr"], **settings: Unpack[WHRSettings]) -> Live: ...
@overload
def live(system: Literal["holigor"], **settings: Unpack[HoligorSettings]) -> Live: ...
@overload
def live(system: Literal["handan"], **settings: Unpack[HandanSettings]) -> Live: ...
@overload
def live(system: SystemName | System) -> Live:
    """Return ratings that follow play after play, in memory, to the bit as `rate` rates the same games.

    Args:
        system: The name of one of `SYSTEMS`, or a system with its settings.
        settings: Settings of the system that is named.
    """  # noqa: PYI021  # editors show it
