"""Containers as they are deployed: the image, the compose file and the manifests fit each other and what the service needs."""

import re
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from tests.image import FILE, steps
from workers.own_job import JOBS
from workers.queue import MOVES

ROOT = Path(__file__).parents[2]
COMPOSE = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text("utf-8"))["services"]
MANIFESTS = list(yaml.safe_load_all((ROOT / "deploy/kubernetes/marketpost.yaml").read_text("utf-8")))
IGNORED = (ROOT / ".dockerignore").read_text("utf-8").split()
PROCESSES = ["api", "worker", *(f"worker --queue {queue}" for queue in JOBS if queue != MOVES), "mail-in", "sweeper"]


def ours() -> list[dict[str, Any]]:
    """The containers of our own image in the manifests."""
    found = [each["spec"]["template"]["spec"] for each in MANIFESTS if each["kind"] == "Deployment"]
    return [spec for spec in found if spec["containers"][0]["image"] == "marketpost"]


def test_the_image_is_built_from_files_that_exist_and_are_not_ignored() -> None:
    copied = [name for what, rest in steps(FILE.read_text("utf-8")) if what == "COPY" for name in rest.split()[:-1]]

    assert [name for name in copied if not (ROOT / name).exists() or f"!{name}" not in IGNORED] == []


def test_the_image_has_no_root_and_a_check_of_its_health() -> None:
    last = FILE.read_text("utf-8").split("\nFROM ")[2]

    assert re.search(r"^USER \d+$", last, re.MULTILINE)
    assert "HEALTHCHECK" in last


@pytest.mark.parametrize("process", PROCESSES)
def test_every_process_is_deployed(process: str) -> None:
    commands = [str(each.get("command", "")).partition(" --bind")[0] for each in COMPOSE.values() if each["image"] == "marketpost"]
    arguments = [" ".join(spec["containers"][0]["args"]).partition(" --bind")[0] for spec in ours()]

    assert process in commands
    assert process in arguments


def test_nothing_of_ours_may_write_to_its_own_files() -> None:
    assert all(each["read_only"] and each["cap_drop"] == ["ALL"] for each in COMPOSE.values() if each["image"] == "marketpost")
    assert all(spec["containers"][0]["securityContext"]["readOnlyRootFilesystem"] for spec in ours())
    assert all(spec["securityContext"]["runAsNonRoot"] for spec in ours())


def test_nothing_starts_before_redis_has_read_its_file() -> None:
    """While it does, `ping` is answered with an error, at which `valkey-cli` fails only with `-e`. To be alive, that answer is enough."""
    waits = [each["depends_on"] for each in COMPOSE.values() if each["image"] == "marketpost"]
    specs = [
        each["spec"]["template"]["spec"]["containers"][0]
        for each in MANIFESTS
        if each["metadata"]["name"] in ("games", "queue") and "template" in each["spec"]
    ]

    assert all(each[name] == {"condition": "service_healthy"} for each in waits for name in ("games", "queue"))
    assert all(COMPOSE[name]["healthcheck"]["test"] == ["CMD", "valkey-cli", "-e", "ping"] for name in ("games", "queue"))
    assert [each["readinessProbe"]["exec"]["command"] for each in specs] == [["valkey-cli", "-e", "ping"]] * 2
    assert [each["livenessProbe"]["exec"]["command"] for each in specs] == [["valkey-cli", "ping"]] * 2


def test_every_setting_can_be_given_to_the_containers() -> None:
    assert all(
        each["env_file"] == [{"path": "marketpost.env", "required": False}] for each in COMPOSE.values() if each["image"] == "marketpost"
    )
    assert COMPOSE["mail-in"]["environment"].keys() - COMPOSE["api"]["environment"].keys() == {"MAIL_LISTEN"}


@pytest.mark.parametrize("unit", sorted((ROOT / "deploy/systemd").glob("marketpost-*.service")), ids=lambda path: path.name)
def test_who_stops_a_process_waits_as_long_as_the_page_for_operators_says(unit: Path) -> None:
    assert "\nTimeoutStopSec=70\n" in unit.read_text("utf-8")
    assert "wait for 70 seconds" in (ROOT / "docs/operate.md").read_text("utf-8")


@pytest.mark.parametrize("where", ["compose", "kubernetes"])
def test_games_are_on_disk_before_anybody_is_told(where: str) -> None:
    (games,) = [each for each in MANIFESTS if each["kind"] == "StatefulSet"]
    command = {
        "compose": COMPOSE["games"]["command"],
        "kubernetes": " ".join(games["spec"]["template"]["spec"]["containers"][0]["command"]),
    }

    assert "--appendonly yes --appendfsync always" in command[where]
    assert "--maxmemory-policy noeviction" in command[where]


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda each: f"{each['kind']}-{each['metadata']['name']}")
def test_the_manifests_fit_the_schemas_of_kubernetes(manifest: dict[str, Any]) -> None:
    kubernetes_validate.validate(manifest, "1.34", strict=True)
