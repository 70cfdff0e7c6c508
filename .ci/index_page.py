"""The README and the links of the project as a package index shows them: they lead to the repository where it is known.

Hatchling calls this when it makes the metadata of the package. Where a release is built by GitHub's workflow, the
environment names the repository; elsewhere a link within the repository becomes its text, a picture goes, and the
project has no links.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"!\[[^\]]*\]\((?!https?:)[^)]*\)\n*")
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|`[^`]*`)*)\]\((?!https?:|#|mailto:)([^)\s]+)\)")


class IndexPage(MetadataHookInterface):
    """Fills in the fields `readme` and `urls`."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the page and the links."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": index_page(text, repository())}
        metadata["urls"] = project_urls()


def repository() -> str:
    """Return the address under which files of this commit are shown, empty where it is not known."""
    server, name = os.environ.get("GITHUB_SERVER_URL", ""), os.environ.get("GITHUB_REPOSITORY", "")
    commit = os.environ.get("GITHUB_SHA", "")
    return f"{server}/{name}/blob/{commit}" if server and name and commit else ""


def project_urls() -> dict[str, str]:
    """Return the links of the project by their well-known labels, none where its repository is not known."""
    server, name = os.environ.get("GITHUB_SERVER_URL", ""), os.environ.get("GITHUB_REPOSITORY", "")
    if not server or not name:
        return {}
    owner, _, project = name.partition("/")
    home = f"{server}/{name}"
    return {
        "Homepage": home,
        "Documentation": f"https://{owner}.github.io/{project}/",
        "Source": home,
        "Changelog": f"{home}/blob/main/CHANGELOG.md",
        "Issues": f"{home}/issues",
    }


def index_page(text: str, address: str) -> str:
    """Return a README whose relative links start at an address, or are text where that is empty."""
    text = PICTURE.sub("", text)
    return LINK.sub(lambda link: f"[{link[1]}]({address}/{link[2]})" if address else link[1], text)
