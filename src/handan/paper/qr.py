"""QR codes, where segno is installed."""

from __future__ import annotations

from markupsafe import Markup

from handan.paper.markup import tag


def qr(address: str) -> Markup:
    """Return the QR code of an address as a drawing without a size; the address itself where segno is not installed."""
    if not address:
        return Markup()
    try:
        import segno
    except ImportError:
        return tag("span", address, classes="address")
    drawing = segno.make(address, error="m", micro=False).svg_inline(
        border=4, omitsize=True, svgclass="qr", lineclass=None
    )
    return Markup(drawing)  # noqa: S704  # digits and tags of segno
