"""One page of a club that works offline and prints well: ladder, cards with reasons, who takes what, charts."""

from handan.reports.club_report import ClubReport, report
from handan.reports.page import as_html

__all__ = ["ClubReport", "as_html", "report"]
