"""How mutants are made; `make mutants` tries them."""

from pathlib import Path

from tests.mutation.__main__ import AREAS, ROOT, choose, known
from tests.mutation.mutants import mutants

HERE = Path("here.py")
SOURCE = b'''
def owes(player: int, rent: int = 2):
    """Whether the player must pay."""
    log.info("%s", 3)
    return player < rent and not player
SCRIPT = """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('DEL', KEYS[1])
"""
'''


def test_a_mutant_changes_one_place_and_names_its_line() -> None:
    found = [each.name.partition(": ")[2].partition(" -> ")[2] for each in mutants(HERE, SOURCE)]

    assert found == [
        "def owes(player: int, rent: int = 3):",
        "return (player <= rent) and not player",
        "return (player < rent or not player)",
        "return player < rent and (player)",
        "if redis.call('EXISTS', KEYS[1]) ~= 1 then return 0 end",
        "if redis.call('EXISTS', KEYS[1]) == 1 then return 1 end",
        "nothing",
    ]


def test_every_mutant_of_the_stores_scripts_can_be_compiled_and_differs() -> None:
    file = Path("marketpost/store/game_scripts.py")
    source = (ROOT / file).read_bytes()
    changed = [each.apply(source) for each in mutants(file, source)]

    assert len(changed) > 50
    assert all(compile(each, file, "exec") and each != source for each in changed)


def test_the_seed_chooses_the_same_mutants_again_from_every_area() -> None:
    assert choose(40, 7) == choose(40, 7) != choose(40, 8)
    assert {area for area, _ in choose(40, 7)} == set(AREAS)


def test_a_reason_is_known_only_for_mutants_that_exist() -> None:
    files = {Path(name.partition(": ")[0]) for name in known()}
    there = {each.name for file in files for each in mutants(file, (ROOT / file).read_bytes())}

    assert set(known()) <= there
