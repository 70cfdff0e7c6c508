"""`handan rank`: what a rank is called elsewhere."""

from handan.cli import options
from handan.cli.output import Form, write
from handan.ranks import Rank


def command(text: str, form: options.Format = Form.TABLE) -> None:
    """Print a rank in all languages."""
    write(str(Rank.parse(text)))
