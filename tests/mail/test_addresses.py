"""More than one address: added by mail with a code, answered and signed in from, and never shared."""

import re
import threading

import pytest

from marketpost.mail.outbound.attempt import DeliveryOutcome, OutcomeKind
from marketpost.mail.outbound.sign_in_codes import change_main_address, send_address_code, send_code
from marketpost.play.limits import Limit, OverLimit, read_limits
from marketpost.play.log.actions import SeatPlan
from marketpost.play.people.addresses import confirm_address, make_main, remove_address
from marketpost.play.people.erasure import erase
from marketpost.play.people.registration import register, sign_in
from marketpost.play.table.seating import open_game
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.credentials import CodeAsker
from marketpost.store.players import Player
from tests.mail.desk import DOMAIN, Desk
from tests.mail.feedback import arf

WORK = "me@work.example"
every_ruleset = pytest.mark.parametrize("rules", rulesets())
ADD = {"en": "address add", "de": "Adresse hinzufügen", "fr": "adresse ajouter", "it": "indirizzo aggiungi"}
MAIN = {"en": "address main", "de": "Adresse Hauptadresse", "fr": "adresse principale", "it": "indirizzo principale"}
REMOVE = {"en": "address remove", "de": "Adresse entfernen", "fr": "adresse supprimer", "it": "indirizzo rimuovi"}


@pytest.fixture
def ann(desk: Desk) -> Player:
    return desk.person("Ann")


@pytest.fixture
def ben(desk: Desk) -> Player:
    return desk.person("Ben")


def brought(desk: Desk, address: str) -> list[str]:
    return [each.mail.text for each in desk.street.brought if each.recipient == address]


def code_for(desk: Desk, player: Player, email: str = WORK) -> str:
    """The code that came to a new address."""
    send_address_code(desk.mailer, player, email)
    desk.work()
    found = re.findall(r"^ +([A-Z2-9]{8})\s*$", brought(desk, email)[-1], re.MULTILINE)
    return str(found[0])


def add(desk: Desk, player: Player, email: str = WORK) -> None:
    confirm_address(desk.mailer.ports, player, email, code_for(desk, player, email))


@every_ruleset
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_address_is_added_chosen_and_removed_by_mail(desk: Desk, ben: Player, rules: str, language: str) -> None:
    ann = desk.person("Ann", language)
    desk.table(ann, ben, rules=rules)
    letter = desk.box(ann)[0]

    assert desk.answer(ann, f"{ADD[language]} {WORK}", letter) == "answered"
    [line] = [line.strip() for line in brought(desk, WORK)[0].splitlines() if WORK in line and line.startswith("    ")]
    assert desk.again(ann).addresses == []
    assert desk.answer(ann, f"{line}\n\nAnn", letter) == "answered"
    assert desk.again(ann).addresses == [WORK]
    assert desk.answer(ann, f"{MAIN[language]} {WORK}", letter) == "answered"
    assert (desk.again(ann).email, desk.again(ann).addresses) == (WORK, [ann.email])
    assert desk.answer(ann, f"{REMOVE[language]} {ann.email}", letter, sender=WORK) == "answered"
    assert (desk.again(ann).email, desk.again(ann).addresses) == (WORK, [])
    assert desk.mailer.ports.players.player_of(ann.email) is None


@every_ruleset
def test_any_confirmed_address_may_play_and_letters_go_to_the_main_one(desk: Desk, ann: Player, ben: Player, rules: str) -> None:
    desk.table(ann, ben, rules=rules)
    player = desk.to_play()
    add(desk, player)
    before, at_work = desk.game().version, len(brought(desk, WORK))

    desk.answer(player, desk.good_orders(), sender=WORK.upper())

    assert desk.game().version > before
    assert len(brought(desk, WORK)) == at_work, "the receipt went to the main address"
    assert "receipt" in [each.letter for each in desk.mailer.deliveries.of(player.id)]


def test_an_address_that_is_not_confirmed_is_held(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    player, before = desk.to_play(), desk.game().version
    code_for(desk, player)

    assert desk.answer(player, desk.good_orders(), sender=WORK) == "held"
    assert desk.game().version == before


@pytest.mark.parametrize("verdict", [AuthVerdict.NONE, AuthVerdict.FAIL])
@pytest.mark.parametrize("text", [f"address add {WORK}", f"address main {WORK}", "address remove two@work.example"])
def test_a_change_of_addresses_waits_for_a_yes_unless_the_mail_is_genuine(desk: Desk, ann: Player, verdict: AuthVerdict, text: str) -> None:
    desk.table(ann, desk.person("Ben"))
    add(desk, ann, "two@work.example")
    before, written = desk.again(ann), len(brought(desk, WORK))

    desk.answer(ann, text, desk.box(ann)[0], verdict=verdict)

    assert desk.again(ann) == before
    assert len(brought(desk, WORK)) == written
    assert "yes" in desk.newest(ann).text


def test_a_code_serves_only_the_player_who_asked_for_it(desk: Desk, ann: Player, ben: Player) -> None:
    code = code_for(desk, ann)

    for other, email, wrong in ((ben, WORK, code), (ann, "other@work.example", code), (ann, WORK, "AAAAAAAA")):
        with pytest.raises(Refused) as refused:
            confirm_address(desk.mailer.ports, other, email, wrong)
        assert refused.value.code == "wrong-code"
    with pytest.raises(Refused):
        sign_in(desk.mailer.ports, WORK, code, "", ("play",))
    confirm_address(desk.mailer.ports, ann, WORK, code.lower())
    assert desk.again(ann).owns(WORK)


def test_two_accounts_never_share_an_address(desk: Desk, ann: Player, ben: Player) -> None:
    codes = {player.id: code_for(desk, player) for player in (ann, ben)}
    start, results = threading.Barrier(2), {}

    def confirm(player: Player) -> None:
        start.wait()
        try:
            confirm_address(desk.mailer.ports, player, WORK, codes[player.id])
            results[player.id] = "ok"
        except Refused as refused:
            results[player.id] = refused.code

    threads = [threading.Thread(target=confirm, args=(player,)) for player in (ann, ben)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(results.values()) == ["address-taken", "ok"]
    [owner] = [player for player in (ann, ben) if desk.again(player).owns(WORK)]
    assert desk.mailer.ports.players.player_of(WORK) == owner.id
    assert [desk.again(player).claims for player in (ann, ben)] == [[], []]


def test_the_address_of_another_account_gets_a_letter_but_stays_theirs(desk: Desk, ann: Player, ben: Player) -> None:
    code = code_for(desk, ann, ben.email)

    with pytest.raises(Refused) as refused:
        confirm_address(desk.mailer.ports, ann, ben.email, code)

    assert refused.value.code == "address-taken"
    assert desk.mailer.ports.players.player_of(ben.email) == ben.id


@pytest.mark.parametrize("is_invited", [True, False])
def test_an_address_that_others_entered_belongs_to_whoever_confirms_it(desk: Desk, ann: Player, ben: Player, *, is_invited: bool) -> None:
    ports = desk.mailer.ports
    if is_invited:
        open_game(ports, "g1", ben.id, "portobello", [SeatPlan(player=ben.id), SeatPlan(invited=WORK)], {})
    else:
        register(ports, WORK, "Mallory")
    stranger = ports.players.player_of(WORK) or ""

    add(desk, ann)

    assert (desk.again(ann).addresses, desk.again(ann).claims) == ([WORK], [])
    assert ports.players.player_of(WORK) == ann.id
    assert ports.players.find(stranger) is None
    assert ports.index.page(f"player:{stranger}", None, 1) == [], "Ben may invite Ann herself"


def test_one_signs_in_with_any_address_and_the_code_goes_there(desk: Desk, ann: Player) -> None:
    add(desk, ann)
    asker = CodeAsker("request", "192.0.2.1")

    send_code(desk.mailer, WORK, asker)
    desk.work()

    code = re.findall(r"^ +([A-Z2-9]{8})\s*$", brought(desk, WORK)[-1], re.MULTILINE)[0]
    _, token = sign_in(desk.mailer.ports, WORK, code, "", ("play",), asker=asker)
    assert token.player == ann.id


def test_the_former_main_address_is_told(desk: Desk, ann: Player) -> None:
    add(desk, ann)

    change_main_address(desk.mailer, ann, WORK)
    desk.work()

    assert "no longer to ann@example.org" in " ".join(brought(desk, "ann@example.org")[-1].split())
    assert desk.again(ann).email == WORK


def test_erasing_frees_every_address(desk: Desk, ann: Player) -> None:
    add(desk, ann)
    add(desk, ann, "two@work.example")

    erase(desk.mailer.ports, ann.id)

    players = desk.mailer.ports.players
    assert [players.player_of(each) for each in (ann.email, WORK, "two@work.example")] == [None] * 3
    redis = players.redis
    assert not [key for key in redis.scan_iter("*") if redis.type(key) == b"string" and b"work.example" in (redis.get(key) or b"")]


def test_an_erasure_releases_an_address_whose_confirmation_broke_off(desk: Desk, ann: Player) -> None:
    players = desk.mailer.ports.players
    players.change(ann, lambda known: {"claims": [WORK]})
    players.claim(WORK, ann.id)

    erase(desk.mailer.ports, ann.id)

    assert players.player_of(WORK) is None


def test_a_removed_address_is_free_for_others(desk: Desk, ann: Player, ben: Player) -> None:
    add(desk, ann)
    with pytest.raises(Refused) as refused:
        remove_address(desk.mailer.ports, ann, ann.email)
    assert refused.value.code == "address-main"

    remove_address(desk.mailer.ports, ann, WORK)
    add(desk, ben)

    assert desk.again(ben).owns(WORK)
    assert not desk.again(ann).owns(WORK)


def test_an_address_that_was_made_the_main_one_meanwhile_is_not_released(desk: Desk, ann: Player) -> None:
    """Two requests at once: each has read the profile as it was before."""
    add(desk, ann)
    as_read = desk.again(ann)
    make_main(desk.mailer.ports, ann, WORK)

    with pytest.raises(Refused) as refused:
        remove_address(desk.mailer.ports, as_read, WORK)

    assert refused.value.code == "address-main"
    assert desk.mailer.ports.players.player_of(WORK) == ann.id


def test_whoever_complains_about_a_code_that_others_asked_for_gets_no_more(desk: Desk, ann: Player) -> None:
    code_for(desk, ann)
    [letter] = [each for each in desk.street.brought if each.recipient == WORK]

    assert desk.receive(arf(letter), f"complaints@{DOMAIN}") == "complaint"
    send_address_code(desk.mailer, ann, WORK)
    desk.work()

    assert len(brought(desk, WORK)) == 1
    assert desk.mailer.ports.suppressions.find(ann.email) is None


def test_nobody_collects_addresses(desk: Desk, ann: Player) -> None:
    desk.mailer.ports.limits.amounts = read_limits("addresses-player=1")
    add(desk, ann)

    with pytest.raises(OverLimit) as over:
        send_address_code(desk.mailer, ann, "two@work.example")

    assert over.value.limit == Limit.ADDRESSES_PLAYER


def test_a_new_address_that_bounces_costs_the_main_one_nothing(desk: Desk, ann: Player) -> None:
    desk.street.outcome = lambda recipient: DeliveryOutcome(OutcomeKind.BOUNCED, "550 unknown")
    send_address_code(desk.mailer, ann, WORK)
    desk.work()

    assert desk.again(ann).bounces == 0
