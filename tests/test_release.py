"""What `make release-check` finds, and that what is here could be released."""

import subprocess
from importlib.metadata import Distribution
from pathlib import Path

from tests import release
from tests.running.live import MARKETPOST

CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2027-01-05\n- more\n\n## [1.0.0] - 2026-11-18\n- all\n"


def installed(folder: Path, head: str, *files: str) -> Distribution:
    """A distribution with these files, as pip leaves it behind."""
    info = folder / "thing-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.4\nName: thing\nVersion: 1\n{head}\n")
    (info / "RECORD").write_text("".join(f"{file},,\n" for file in files))
    return Distribution.at(info)


def test_what_is_here_could_be_released(tmp_path: Path) -> None:
    assert list(release.wrong(tmp_path)) == []
    wheel, archive = sorted((tmp_path / "dist").iterdir())
    assert (wheel.suffix, archive.suffix) == (".whl", ".gz")
    assert "marketpost/py.typed" in release.contents(wheel), "type checkers ignore a package without it"


def test_the_version_is_told_as_it_is_installed() -> None:
    told = subprocess.run([MARKETPOST, "--version"], capture_output=True, text=True, check=True).stdout

    assert told.split()[-1] == release.version()


def test_a_tag_fits_the_newest_heading_of_the_changelog() -> None:
    assert list(release.wrong_version("1.1.0", CHANGELOG)) == []
    assert len(list(release.wrong_version("1.0.0", CHANGELOG))) == 1
    assert len(list(release.wrong_version("1.2.0", CHANGELOG))) == 1


def test_no_version_is_released_twice() -> None:
    assert list(release.wrong_tag("1.1.0", {"v1.0.0"})) == []
    assert len(list(release.wrong_tag("1.1.0", {"v1.0.0", "v1.1.0"}))) == 1


def test_a_font_is_shipped_with_its_licence() -> None:
    ours = "thing-1.dist-info/licenses/LICENSE"

    assert list(release.wrong_contents([ours, "thing/font.ttf", "thing/OFL.txt", "thing/code.py"])) == []
    assert list(release.wrong_contents([ours, "thing/fonts/font.ttf", "thing/OFL.txt"])) == [
        "thing/fonts/font.ttf is shipped without a licence beside it"
    ]
    assert list(release.wrong_contents(["thing/code.py"])) == ["our LICENSE is not shipped"]


def test_only_a_picture_that_was_drawn_here_needs_no_licence_beside_it() -> None:
    ours, drawn = "thing-1/LICENSE", [f"thing-1/{file}" for file in release.DRAWN_HERE]

    assert all((release.ROOT / file).is_file() for file in release.DRAWN_HERE)
    assert list(release.wrong_contents([ours, *drawn])) == []
    assert len(list(release.wrong_contents([ours, *drawn, "thing-1/marketpost/web/static/other.svg"]))) == 1


def test_what_we_need_names_its_licence_and_brings_that_of_its_fonts(tmp_path: Path) -> None:
    free = "License-Expression: Apache-2.0"

    assert list(release.wrong_licence(installed(tmp_path / "a", free, "thing/font.ttf", "thing/LICENSE"))) == []
    assert list(release.wrong_licence(installed(tmp_path / "b", free, "thing/font.ttf"))) == ["thing has fonts and no text of a licence"]
    assert list(release.wrong_licence(installed(tmp_path / "c", "", "thing/code.py"))) == ["thing names no licence"]


def test_the_fonts_of_our_boards_are_among_what_is_looked_at() -> None:
    assert "font-roboto" in {found.name for found in release.needed()}
