"""`make release-check`: builds what would be published and says what is wrong with it.

Looks at the metadata, at the licences of what is shipped and of what is installed with it, and at the version in the changelog and the tag.
"""

import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Collection, Iterator, Sequence
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path, PurePosixPath

import click

ROOT = Path(__file__).parents[1]
HEADING = re.compile(r"^## \[(\d[^\]]*)\] - \d{4}-\d\d-\d\d$", re.MULTILINE)
LICENCE = re.compile(r"licen[cs]e|copying|ofl", re.IGNORECASE)
FONTS = {".otf", ".ttf", ".woff", ".woff2"}
WORKS = FONTS | {".gif", ".ico", ".jpg", ".png", ".svg"}
"""Endings of files that somebody has drawn, so that a licence must say whether we may pass them on."""
DRAWN_HERE = ("marketpost/web/static/icon.svg",)
"""Pictures that were drawn for Marketpost: our own LICENSE is theirs."""


def version() -> str:
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"])


def wrong_version(version: str, changelog: str) -> Iterator[str]:
    """Whether the version, and so the tag `v` and this version, is what the changelog tells of last."""
    newest = next(iter(HEADING.findall(changelog)), None)
    if newest != version:
        yield f"pyproject.toml has version {version}, but the newest heading of CHANGELOG.md is {newest}"


def wrong_tag(version: str, elsewhere: Collection[str]) -> Iterator[str]:
    """Whether the version was released before: `elsewhere` are the tags of other commits."""
    if f"v{version}" in elsewhere:
        yield f"there is a tag v{version} on another commit: set a new version"


def wrong_contents(files: Sequence[str]) -> Iterator[str]:
    """Our own licence is shipped, and a licence lies beside each font and each picture that was not drawn here."""
    paths = [PurePosixPath(file) for file in files]
    if not any(path.name == "LICENSE" for path in paths):
        yield "our LICENSE is not shipped"
    licensed = {path.parent for path in paths if LICENCE.search(path.name)}
    for path in paths:
        if path.suffix.lower() in WORKS and path.parent not in licensed and not any(map(path.match, DRAWN_HERE)):
            yield f"{path} is shipped without a licence beside it"


def wrong_licence(found: Distribution) -> Iterator[str]:
    """What is installed with us names its licence, and brings the text of it where it has fonts, which end up in our pictures."""
    names = [str(file) for file in found.files or ()]
    if not licence(found):
        yield f"{found.name} names no licence"
    if any(PurePosixPath(name).suffix in FONTS for name in names) and not any(LICENCE.search(PurePosixPath(name).name) for name in names):
        yield f"{found.name} has fonts and no text of a licence"


def licence(found: Distribution) -> str:
    """As its metadata has it: by the newer field, by its classifiers, or in words."""
    head = found.metadata
    classified = [each.rpartition(" :: ")[2] for each in head.get_all("Classifier", []) if each.startswith("License ::")]
    return head.get("License-Expression", "") or ", ".join(classified) or head.get("License", "").partition("\n")[0]


def needed() -> Iterator[Distribution]:
    """What `make run` installs on this machine; some of what is locked is for other systems or older Pythons."""
    for name in dict.fromkeys(re.findall(r"^([\w.-]+)==", (ROOT / "constraints.txt").read_text("utf-8"), re.MULTILINE)):
        try:
            yield distribution(name)
        except PackageNotFoundError:
            continue


def build(folder: Path, *only: str, left: str = "") -> list[Path]:
    """The source archive, and the wheel made from it; with `--wheel` that alone.

    Built from a copy, because setuptools leaves files behind where it builds; `left` is one from an earlier time.
    """
    source = folder / "source"
    if left:
        (source / left).parent.mkdir(parents=True)
        (source / left).write_text("")
    for name in _git("ls-files", "--cached", "--others", "--exclude-standard"):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, source / name)
    command = [sys.executable, "-m", "build", "--no-isolation", *only, "--outdir", str(folder / "dist"), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise click.ClickException(f"cannot be built:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return sorted((folder / "dist").iterdir())


def contents(built: Path) -> list[str]:
    if built.suffix == ".whl":
        with zipfile.ZipFile(built) as wheel:
            return wheel.namelist()
    with tarfile.open(built) as archive:
        return archive.getnames()


def wrong_metadata(built: Sequence[Path]) -> Iterator[str]:
    done = subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *built], capture_output=True, text=True, check=False)
    if done.returncode:
        yield f"twine check: {done.stdout.strip()}"


def _git(*arguments: str) -> list[str]:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def wrong(folder: Path) -> Iterator[str]:
    """Everything that is wrong with what is here, if it were to be released."""
    yield from wrong_version(version(), (ROOT / "CHANGELOG.md").read_text("utf-8"))
    built = build(folder)
    for file in built:
        click.echo(f"{file.name}: {file.stat().st_size / 1000:,.0f} kB, {len(contents(file))} files")
        yield from (f"{file.name}: {fault}" for fault in wrong_contents(contents(file)))
    yield from wrong_metadata(built)
    for found in needed():
        click.echo(f"needs {found.name} {found.version}: {licence(found)}")
        yield from wrong_licence(found)


@click.command()
def main() -> None:
    """Build the source archive and the wheel, and check what can be checked before they are published."""
    with tempfile.TemporaryDirectory() as folder:
        faults = [*wrong_tag(version(), set(_git("tag")) - set(_git("tag", "--points-at", "HEAD"))), *wrong(Path(folder))]
    for fault in faults:
        click.echo(f"WRONG: {fault}")
    if faults:
        sys.exit(1)
    click.echo(f"All is well: tag this commit v{version()}.")


if __name__ == "__main__":
    main()
