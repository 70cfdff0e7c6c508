"""A card as a club writes its own: of the demonstration, and of whoever tries a paper with it."""

from __future__ import annotations

OWN_CARD = """# 桜の手合割表 Card of the Sakura Go Club
0–4: even, Black gives 6
5–8: Black first, Black gives 3
9–13: Black first, no komi
14–18: Black first, White gives 3
19–24: 2 stones, Black gives 3
25–30: 2 stones, no komi
31–37: 3 stones, Black gives 2
38–45: 3 stones, White gives 3
46–56: 4 stones, no komi
57–68: 5 stones, no komi
69–82: 6 stones, White gives 2
83–100: 7 stones, White gives 5
101–130: 9 stones, White gives 5"""
"""An irregular card of thirteen lines, as clubs have them; our own invention."""
