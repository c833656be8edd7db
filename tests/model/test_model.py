"""Whatever players do, and whatever dies meanwhile, the service and a small model of it agree."""

import pytest

from marketpost.rules.ruleset import rulesets
from tests.mail.turns import every_ruleset
from tests.model.fragile import Stores
from tests.model.interleavings import CONTESTS, Contest, compete
from tests.model.run import check_model

GAMES = 3
ROUNDS = 25


@every_ruleset
@pytest.mark.usefixtures("_from_outside")
def test_service_and_model_agree(stores: Stores, name: str) -> None:
    assert check_model(stores, rulesets()[name], GAMES)["games"] >= GAMES


@pytest.mark.parametrize("contest", CONTESTS)
def test_scripts_of_the_store_keep_their_promise_in_many_threads(stores: Stores, contest: type[Contest]) -> None:
    assert compete(contest, stores.url, 1, ROUNDS).deaths
