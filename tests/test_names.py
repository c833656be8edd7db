"""One name for one thing: classes and files of the product are told apart by their names alone."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from marketpost.rules.ruleset import rulesets

ROOT = Path(__file__).parents[1]
DOCUMENTS = ROOT / "marketpost" / "client" / "documents.py"
"""Types of the API's documents, under the names that the schemas have which describe them."""
MODULES = [file for folder in ("marketpost", "api", "workers") for file in sorted((ROOT / folder).rglob("*.py")) if file != DOCUMENTS]
RULESETS = [ROOT / "marketpost" / "rules" / name for name in rulesets()]


def of_ruleset(file: Path) -> bool:
    """Rulesets have the same parts under the same names."""
    return file.parent in RULESETS


def used_twice(names: Iterable[tuple[str, Path]]) -> dict[str, list[str]]:
    found = defaultdict(list)
    for name, file in names:
        found[name].append(str(file.relative_to(ROOT)))
    return {name: files for name, files in found.items() if len(files) > 1}


def classes(files: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    for file in files:
        yield from ((node.name, file) for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.ClassDef))


def test_no_two_classes_share_a_name() -> None:
    assert used_twice(classes(file for file in MODULES if not of_ruleset(file))) == {}


def test_a_class_of_a_ruleset_has_the_name_of_no_class_outside() -> None:
    own = {name for name, _ in classes(file for file in MODULES if of_ruleset(file))}
    outside = {name for name, _ in classes(file for file in MODULES if not of_ruleset(file))}

    assert own
    assert own & outside == set()


def test_no_two_files_share_a_name_but_those_of_rulesets_and_of_rest_resources() -> None:
    resources = (ROOT / "api").glob("*.py")
    files = {*MODULES} - {*resources} - {file for file in MODULES if of_ruleset(file) or file.name == "__init__.py"}

    assert used_twice((file.name, file) for file in sorted(files)) == {}
