"""The operator's pages: what they show and do, and who does not get in."""

import re
from collections.abc import Iterator

import pytest
from click.testing import CliRunner
from werkzeug.test import TestResponse

from api.http.app import create_app
from marketpost.cli.main import main
from marketpost.mail.outbound.gate import DEAD_AFTER
from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.play.people.operators import new_password, operator_with, password_hash, read_operators
from marketpost.play.people.reporting import report
from marketpost.rules.words import LANGUAGES, Words
from marketpost.store.delivery_queue import EMAIL, Delivery
from marketpost.store.operator_sessions import SESSION_LIVES
from marketpost.store.settings import Settings
from marketpost.web.page_language import WORDS
from tests.service import Person, Service, service
from tests.web.conftest import OURS, Browser
from workers.counters import count_delivery

PASSWORD, OTHER = new_password(), new_password()
OPERATORS = f"olga:{password_hash(PASSWORD)}, otto:{password_hash(OTHER)}"
ATTEMPTS = 30
PAGES = ("", "/search", "/search?text=ann", "/suppressions", "/reports", "/reports?all=1", "/audit")
FORMS = (
    "/drain",
    "/resume",
    "/sign-out",
    "/suppressions/add",
    "/suppressions/lift",
    "/players/{player}/suspend",
    "/players/{player}/unsuspend",
)


@pytest.fixture(scope="module")
def office() -> Iterator[Service]:
    with service(workers=0, OPERATORS=OPERATORS, LIMITS=f"operator-sign-ins-address={ATTEMPTS}") as running:
        yield running


class Operator(Browser):
    def send(self, path: str, **form: str) -> TestResponse:
        """A form as the page sends it, with the key of the session."""
        return self.post(f"/operate{path}", token=self.token("/operate"), **form)


def enter(office: Service, password: str = PASSWORD, address: str = "192.0.2.1") -> tuple[Operator, TestResponse]:
    """From a network address of one's own, so that attempts of other tests do not count."""
    client = office.app.test_client()
    client.environ_base["REMOTE_ADDR"] = address
    return Operator(client), client.post("/operate/sign-in", data={"token": "", "password": password}, headers=OURS)


@pytest.fixture(scope="module")
def olga(office: Service) -> Operator:
    return enter(office)[0]


@pytest.fixture(scope="module")
def ann(office: Service) -> Person:
    return office.person("ann")


def acts(office: Service) -> list[tuple[str, str, str]]:
    return [(act.who, act.what, act.player) for act in office.ports.audit.read()]


def test_without_the_setting_there_is_no_such_page(house: Service) -> None:
    client = house.app.test_client()

    assert [client.get(f"/operate{page}").status_code for page in (*PAGES, "/sign-in")] == [404] * (len(PAGES) + 1)
    assert client.post("/operate/sign-in", data={"password": PASSWORD}, headers=OURS).status_code == 404


def test_a_setting_that_cannot_be_read_repeats_no_secret() -> None:
    for text in ("olga", f"olga:{PASSWORD}", f"o l:{password_hash(PASSWORD)}", f"{OPERATORS}, olga:{password_hash(OTHER)}"):
        with pytest.raises(ValueError, match="another form") as refused:
            read_operators(text)
        assert PASSWORD not in str(refused.value)
    assert operator_with(read_operators(OPERATORS), OTHER) == "otto"
    assert operator_with({}, "") is None


def test_a_command_makes_a_password_and_what_to_set() -> None:
    password, setting = (line.split()[1] for line in CliRunner().invoke(main, ["operator", "olga"]).output.splitlines())

    assert operator_with(read_operators(setting), password) == "olga"
    assert CliRunner().invoke(main, ["operator", "o:l"]).exit_code == 1


def test_nobody_without_a_session_gets_in(office: Service, ann: Person) -> None:
    admin = office.person("root", ("read", "play", "admin"))
    stranger, player = Browser(office.app.test_client()), Browser(office.app.test_client())
    player.client.set_cookie("session", admin.token)
    forged = Browser(office.app.test_client())
    forged.client.set_cookie("operator", "olga")
    before = acts(office)

    for visitor in (stranger, player, forged):
        for page in (*PAGES, f"/players/{ann.id}"):
            answer = visitor.get(f"/operate{page}", headers={"Authorization": f"Bearer {admin.token}"})
            assert (answer.status_code, answer.headers["Location"]) == (303, "/operate/sign-in")
        for form in FORMS:
            assert visitor.post(f"/operate{form.format(player=ann.id)}", token="", why="x", address=ann.email).status_code == 401

    assert acts(office) == before
    assert not office.ports.drain.since()


def test_a_form_from_elsewhere_does_nothing(office: Service, olga: Operator, ann: Person) -> None:
    before, token = acts(office), olga.token("/operate")
    elsewhere = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}

    for form in FORMS:
        path = f"/operate{form.format(player=ann.id)}"
        assert olga.post(path, token="", why="x", address=ann.email).status_code == 403
        assert olga.post(path, token="ab" * 32, why="x", address=ann.email).status_code == 403
        assert olga.post(path, elsewhere, token=token, why="x", address=ann.email).status_code == 403
        assert olga.post(path, {}, token=token, why="x", address=ann.email).status_code == 403
    signing_in = olga.client.post("/operate/sign-in", data={"token": "", "password": PASSWORD}, headers=elsewhere)

    assert signing_in.status_code == 403
    assert acts(office) == before


def test_a_session_is_short_strict_and_ends(office: Service) -> None:
    otto, answer = enter(office, OTHER)
    cookie = answer.headers["Set-Cookie"]
    copied = otto.cookie("operator")

    assert answer.headers["Location"] == "/operate"
    assert all(part in cookie for part in ("HttpOnly", "SameSite=Strict", f"Max-Age={SESSION_LIVES}"))
    assert otto.get("/operate").status_code == 200
    assert acts(office)[-1] == ("otto (page)", "sign in", "-")
    otto.send("/sign-out")
    thief = Browser(office.app.test_client())
    thief.client.set_cookie("operator", copied)
    assert thief.get("/operate").status_code == 303


def test_a_changed_password_ends_the_sessions_of_the_old_one(office: Service) -> None:
    otto, _ = enter(office, OTHER)
    later = create_app(Settings.read(office.environment | {"OPERATORS": f"otto:{password_hash(new_password())}"})).test_client()
    later.set_cookie("operator", otto.cookie("operator"))

    assert later.get("/operate").status_code == 303


def test_over_tls_the_cookie_belongs_to_this_host_alone(office: Service) -> None:
    app = create_app(Settings.read(office.environment | {"PUBLIC_URL": "https://games.example.org"}))
    cookie = app.test_client().post("/operate/sign-in", data={"token": "", "password": PASSWORD}, headers=OURS).headers["Set-Cookie"]

    assert cookie.startswith("__Host-operator=")
    assert all(part in cookie for part in ("Secure", "Path=/;", "SameSite=Strict"))


def test_who_guesses_is_stopped_and_others_are_not(office: Service) -> None:
    answers = [enter(office, f"op_guess-{number}", "192.0.2.66")[1].status_code for number in range(ATTEMPTS + 1)]

    assert answers == [403] * ATTEMPTS + [429]
    assert enter(office, PASSWORD, "192.0.2.66")[1].status_code == 429
    assert enter(office, PASSWORD, "192.0.2.7")[1].status_code == 303


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_there_in_every_language(office: Service, olga: Operator, ann: Person, language: str) -> None:
    say = Words(language, WORDS).say
    game = ann.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"open": True}]}).json["id"]
    olga.post("/operate/language", token=olga.token("/operate"), language=language)

    shown = {page: olga.get(f"/operate{page}").text for page in (*PAGES, f"/players/{ann.id}", f"/games/{game}")}

    assert all(f'<html lang="{language}">' in page and say("operate.audit") in page for page in shown.values())
    assert ann.email in shown["/search?text=ann"]
    assert f"/operate/games/{game}" in shown[f"/players/{ann.id}"]
    assert say("operate.status-open") in shown[f"/games/{game}"]
    assert "entry 1: Opened" in shown[f"/games/{game}"]
    olga.post("/operate/language", token=olga.token("/operate"), language="en")


def test_the_overview_tells_health_queues_and_letters(office: Service, olga: Operator, ann: Person) -> None:
    now = office.ports.clock()
    office.mailer.deliveries.put([Delivery("waits", ann.id, LetterKind.NEWS, now - 7_200_000, now - 7_200_000)])
    for outcome in ("delivered", "delivered", "bounced"):
        count_delivery(olga.client.application.extensions["marketpost"].work_queue.redis, EMAIL, "news", outcome)

    rows = re.findall(r"<tr><th scope=\"row\">(.*?)</tr>", olga.get("/operate").text)
    cells = [re.findall(r">([^<]+)<", f">{row}") for row in rows]

    assert ["Letters", "1", "2 hours", "0"] in cells
    assert ["Letters", "2", "0", "0", "1"] in cells
    assert "workers: moves" in olga.get("/operate").text
    office.mailer.deliveries.erase(ann.id, ann.email)


def test_an_operator_suspends_and_says_why(office: Service, olga: Operator) -> None:
    bob = office.person("bob")

    assert olga.send(f"/players/{bob.id}/suspend", why=" ").status_code == 422
    olga.send(f"/players/{bob.id}/suspend", why="insults")
    olga.send(f"/players/{bob.id}/suspend", why="a second click")

    assert bob.get("/v1/players/me").status_code == 401
    assert bob.id in olga.get("/operate/search").text
    assert "insults" in olga.get("/operate/audit").text
    olga.send(f"/players/{bob.id}/unsuspend", why="a mistake")
    assert office.person("bob").get("/v1/players/me").status_code == 200
    assert acts(office)[-2:] == [("olga (page)", "suspend", bob.id), ("olga (page)", "unsuspend", bob.id)]


def test_a_dead_address_is_listed_and_lifted(office: Service, olga: Operator) -> None:
    cleo = office.person("cleo")
    player = office.ports.players.find(cleo.id)
    assert player
    office.ports.players.change(player, lambda known: {"bounces": DEAD_AFTER})
    olga.send("/suppressions/add", address="spam@example.org", why="asked for it")

    listed = olga.get("/operate/suppressions").text
    assert (cleo.email in listed, "spam@example.org" in listed) == (True, True)
    for address in (cleo.email, "spam@example.org"):
        olga.send("/suppressions/lift", address=address, why="asked for it")

    listed = olga.get("/operate/suppressions").text
    assert (cleo.email in listed, "spam@example.org" in listed) == (False, False)
    assert olga.send("/suppressions/lift", address=cleo.email, why="again").status_code == 404
    assert acts(office)[-2:] == [("olga (page)", "lift suppression", cleo.id), ("olga (page)", "lift suppression", "(no player)")]


def test_a_report_is_read_and_put_aside(office: Service, olga: Operator, ann: Person) -> None:
    dora = office.person("dora")
    made = report(office.ports, ann.id, dora.id, "<b>rude</b>")

    assert "&lt;b&gt;rude&lt;/b&gt;" in olga.get("/operate/reports").text
    olga.send(f"/reports/{made.id}/done", why="talked to them")

    assert "rude" not in olga.get("/operate/reports").text
    assert "rude" in olga.get("/operate/reports?all=1").text
    assert acts(office)[-1] == ("olga (page)", f"report {made.id} done", dora.id)


def test_the_service_drains_and_the_operator_still_acts(office: Service, olga: Operator, ann: Person) -> None:
    olga.send("/drain")
    try:
        assert "drains since" in olga.get("/operate").text
        olga.send("/suppressions/add", address="late@example.org", why="meanwhile")
        assert "late@example.org" in olga.get("/operate/suppressions").text
    finally:
        olga.send("/resume")

    assert not office.ports.drain.since()
    assert [what for _, what, _ in acts(office)[-3:]] == ["drain", "suppress", "resume"]
