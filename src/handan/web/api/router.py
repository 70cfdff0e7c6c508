"""The router of all calls: calls of several modules share a path, which one router alone can serve."""

from ninja import Path, Router

from handan.web.api import bodies

router = Router()
Slug = Path[bodies.Slug]
PlayerKey = Path[bodies.PlayerKey]
GameKey = Path[bodies.GameKey]
