"""Tables as people keep them: headings in many languages, dates and results as they write them, cross tables.

`header_rows` looks for the headings and `column_names` says what they mean; `table` takes the rows from there to games,
a step for each thing that may stand otherwise. What has no headings of games is a cross table (`cross`), sentences,
or what a program printed (`standings`, `game_lists`); what holds players alone is for `player_tables`.
"""
