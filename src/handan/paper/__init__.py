"""Papers of a club: cards, poster, record sheet, wall plates, rating list, an evening, a month, certificates."""

from handan.paper.card_table import CardTable, card_table
from handan.paper.catalog import PAPERS, Material, Printed, make
from handan.paper.certificates import certificates
from handan.paper.document import Paper
from handan.paper.evening_sheet import Evening, EveningGame, evening_of, evening_sheet
from handan.paper.from_ratings import cards_of, heading_of, list_of, members_of
from handan.paper.heading import Heading, Member
from handan.paper.member_cards import member_cards
from handan.paper.month import Month, MonthLine, Promotion, month_of, period_of, promotion_of
from handan.paper.monthly_sheet import monthly_sheet
from handan.paper.pdf import missing
from handan.paper.points_cards import points_cards
from handan.paper.poster import poster
from handan.paper.rating_list import ListLine, RatingList, rating_list
from handan.paper.record_sheet import record_sheet
from handan.paper.wall_plates import wall_plates
from handan.paper.words import LANGUAGES

__all__ = [
    "LANGUAGES",
    "PAPERS",
    "CardTable",
    "Evening",
    "EveningGame",
    "Heading",
    "ListLine",
    "Material",
    "Member",
    "Month",
    "MonthLine",
    "Paper",
    "Printed",
    "Promotion",
    "RatingList",
    "card_table",
    "cards_of",
    "certificates",
    "evening_of",
    "evening_sheet",
    "heading_of",
    "list_of",
    "make",
    "member_cards",
    "members_of",
    "missing",
    "month_of",
    "monthly_sheet",
    "period_of",
    "points_cards",
    "poster",
    "promotion_of",
    "rating_list",
    "record_sheet",
    "wall_plates",
]
