"""What `make docs` does to the pages: on a checkout their links lead to files, on the site to pages.

A link to a page outside docs/ that the site has too leads there; a link to any other file of the repository becomes
plain text, or a link to the repository if `repo_url` is set in mkdocs.yml. A link that leads nowhere fails the build,
and so does a page that would load anything from the web.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
PAGES_OUTSIDE = (
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "bench/results.md",
    "bench/history.md",
    "bench/compilation.md",
    "bench/peers/README.md",
)
"""Pages beside docs/ that the site has below project/."""
CODE_BLOCK = re.compile(r"(^```.*?^```)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
FETCHED = re.compile(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=[\"']?(https?:)?//[^>]*>")
log = get_plugin_logger("hexholm")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that lie beside docs/."""
    for name in PAGES_OUTSIDE:
        files.append(File.generated(config, f"project/{name}", abs_src_path=str(ROOT / name)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn the links of a checkout into those of the site."""
    place = page.file.src_uri

    def link(match: re.Match[str]) -> str:
        image, text, target = match.groups()
        path, mark, anchor = target.partition("#")
        if "://" in target or not path:
            return match[0]
        wanted = posixpath.normpath(posixpath.join(posixpath.dirname(_in_repository(place)), path))
        on_site = _on_site(wanted)
        if files.get_file_from_path(on_site):
            return f"{image}[{text}]({posixpath.relpath(on_site, posixpath.dirname(place) or '.')}{mark}{anchor})"
        if not (ROOT / wanted).exists():
            log.warning("%s: a link to %s, which is not there", _in_repository(place), target)
        return f"[{text}]({config.repo_url.rstrip('/')}/blob/main/{wanted})" if config.repo_url else text

    parts = CODE_BLOCK.split(markdown)
    return "".join(part if i % 2 else LINK.sub(link, part) for i, part in enumerate(parts))


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:  # noqa: ARG001  # MkDocs passes them by name
    """Fail the build if a page would load anything from the web."""
    for match in FETCHED.finditer(output):
        if 'rel="canonical"' not in match[0]:
            log.warning("%s loads something from the web: %s", page.file.src_uri, match[0])
    return output


def _in_repository(place: str) -> str:
    """Where the source of a page of the site is."""
    return place.removeprefix("project/") if place.startswith("project/") else f"docs/{place}"


def _on_site(path: str) -> str:
    """Where the site has a file of the repository, if it has it."""
    return path.removeprefix("docs/") if path.startswith("docs/") else f"project/{path}"
