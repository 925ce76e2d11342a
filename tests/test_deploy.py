"""The files in deploy/ that run and monitor a server: they name only things that exist."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from typing import Any

import promql_parser
import pytest
import yaml
from click.testing import CliRunner

from onrecord.serve.cli import main
from onrecord.serve.http.metrics import Metrics
from onrecord.settings import names

DEPLOY = Path(__file__).parent.parent / "deploy"
RULES = yaml.safe_load((DEPLOY / "rules.yaml").read_text())
RECORDED = [rule for group in RULES["groups"] for rule in group["rules"] if "record" in rule]
DASHBOARD = json.loads((DEPLOY / "grafana" / "onrecord.json").read_text())
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
METRIC = re.compile(r"\bonrecord[a-z_0-9:]*\b(?:\{([^}]*)\})?")
VALUES = {
    "verdict": {"answered", "low_relevance", "low_diversity", "nothing_found"},
    "kind": {"shown", "marked", "withheld", "prompt", "completion"},
    "thumb": {"good", "bad"},
    "why": {"failed", "left"},
    "outcome": {"used", "failed"},
    "stage": {"plan", "embed", "search", "rerank", "first_text", "total"},
}


def expressions() -> Iterator[str]:
    """Yield all PromQL expressions of the rules and the dashboard."""
    for group in RULES["groups"]:
        yield from (rule["expr"] for rule in group["rules"])
    for panel in DASHBOARD["panels"]:
        yield from (target["expr"] for target in panel.get("targets", ()))


def exported() -> dict[str, set[str]]:
    """Return the labels of each time series of a server, by the name of the series."""
    labels_by_name: dict[str, set[str]] = {}
    for collector in vars(Metrics()).values():
        for family in collector.describe() if hasattr(collector, "describe") else ():
            ends = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum")}.get(
                family.type, ("",)
            )
            labels = {*collector._labelnames, *(("le",) if family.type == "histogram" else ())}
            labels_by_name |= {family.name + end: labels for end in ends}
    return labels_by_name


def test_prometheus_can_read_every_expression() -> None:
    for expression in expressions():
        parsed = promql_parser.parse(expression.replace("$__rate_interval", "5m"))
        assert parsed.prettify()
    with pytest.raises(ValueError, match="unclosed"):
        promql_parser.parse("sum(rate(onrecord_answers_total[5m])")


def test_every_metric_that_is_watched_is_exported_with_its_labels() -> None:
    """Expressions use only existing metrics, labels and label values."""
    known, recorded = exported(), {rule["record"] for rule in RECORDED}
    assert len(known) > 15
    used = set()
    for expression in expressions():
        for match in METRIC.finditer(expression.replace('job="onrecord"', "")):
            name = match[0].partition("{")[0]
            used.add(name)
            assert name in known or name in recorded, f"{name} in {expression}"
            for label, values in re.findall(r'(\w+)[=~!]+"([^"]*)"', match[1] or ""):
                assert label in known[name], f"{label} of {name}"
                if label in VALUES:
                    assert set(values.split("|")) <= VALUES[label], f"{label}={values} of {name}"
    for name in ("answers_total", "sentences_total", "answers_reranked_total", "answers_remembered_total"):
        assert f"onrecord_{name}" in used


def test_labels_by_which_series_are_summed_are_theirs() -> None:
    """Expressions group only by existing labels."""
    labels = {label for of in exported().values() for label in of}
    for expression in expressions():
        for by in re.findall(r"\bby \(([^)]*)\)", expression):
            assert set(re.split(r", *", by)) <= labels, expression


def test_panels_have_queries_and_places_of_their_own() -> None:
    """Every panel has a query and a title, and no panels overlap."""
    panels = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
    assert len(panels) >= 12 and all(panel["targets"] and panel["title"] for panel in panels)
    taken = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken and at["x"] + at["w"] <= 24, panel["title"]
        taken |= cells


def test_alerts_say_what_is_wrong_and_how_urgent_it_is() -> None:
    alerts = [rule for group in RULES["groups"] for rule in group["rules"] if "alert" in rule]
    assert len(alerts) >= 6
    for alert in alerts:
        assert alert["annotations"]["summary"] and alert["labels"]["severity"] in ("page", "ticket")


# ---------------------------------------------------------------- commands and containers


def test_what_compose_and_the_image_take_is_there() -> None:
    """Files that the compose file mounts and the image copies exist.

    The server runs as its own user and listens on loopback only.
    """
    for service in COMPOSE["services"].values():
        for volume in service["volumes"]:
            source = volume.split(":")[0]
            if source.startswith("./") and source != "./metrics.key":  # the operator creates this file
                assert (DEPLOY / source).is_file(), source
    docker = (DEPLOY / "Dockerfile").read_text()
    for line in re.findall(r"^COPY (?!--)(.*)$", docker, re.M):
        for source in line.split()[:-1]:
            assert (DEPLOY.parent / source).exists(), source
    assert "USER onrecord" in docker and COMPOSE["services"]["onrecord"]["ports"] == ["127.0.0.1:8000:8000"]


def test_compose_has_the_server_postgresql_and_what_watches_them() -> None:
    """The compose file has the server, PostgreSQL, Prometheus and Grafana.

    Only the server starts by default.
    """
    services = COMPOSE["services"]
    assert services.keys() == {"onrecord", "postgres", "prometheus", "grafana"}
    assert {name for name, service in services.items() if not service.get("profiles")} == {"onrecord"}
    named = {volume.split(":")[0] for service in services.values() for volume in service["volumes"]}
    assert {name for name in named if not name.startswith(".")} == COMPOSE["volumes"].keys()
    assert services["onrecord"]["depends_on"].keys() <= services.keys()
    extras = re.search(r"'\.\[(.*)\]'", (DEPLOY / "Dockerfile").read_text())
    assert extras and "postgres" in extras[1].split(",")
    assert services["postgres"]["image"] in (DEPLOY.parent / "docs" / "postgres.md").read_text()


@pytest.mark.parametrize("file", ["deploy/compose.yaml", "src/onrecord/recipes/compose.yaml"])
def test_images_are_built_from_a_file_that_is_there(file: str) -> None:
    """Documented build commands name existing files."""
    text = (DEPLOY.parent / file).read_text() + (DEPLOY / "Dockerfile").read_text()
    built = re.findall(r"docker build (?:\S+ )*-f (\S+) \.", text)
    assert built and all((DEPLOY.parent / path).is_file() for path in built)
    assert len(built) == text.count("docker build ")


def test_the_dashboard_reads_the_source_that_is_provisioned() -> None:
    """All panels use the provisioned data source."""
    (source,) = yaml.safe_load((DEPLOY / "grafana" / "sources.yaml").read_text())["datasources"]
    for panel in DASHBOARD["panels"]:
        assert panel["type"] == "row" or panel["datasource"]["uid"] == source["uid"]


@pytest.mark.skipif(not which("systemd-analyze"), reason="there is no systemd here")
def test_systemd_can_read_the_unit(tmp_path: Path) -> None:
    unit = (DEPLOY / "onrecord.service").read_text()
    (tmp_path / "onrecord.service").write_text(unit.replace("/opt/onrecord/bin/onrecord", "/bin/true"))
    command = ["systemd-analyze", "verify", str(tmp_path / "onrecord.service")]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0 and "onrecord.service" not in checked.stderr, checked.stderr


def test_variables_are_settings() -> None:
    """Environment variables in the files are settings of the package."""
    known = {f"ONRECORD_{name.replace('.', '__').upper()}" for name in names()}
    known |= {"ONRECORD_CACHE", "ONRECORD_LLM_API_KEY", "ONRECORD_IMAGE"}
    for file in ("Dockerfile", "compose.yaml", "onrecord.service"):
        variables = set(re.findall(r"\bONRECORD_[A-Z_]+", (DEPLOY / file).read_text()))
        assert variables and variables <= known, variables - known


def commands() -> list[list[str]]:
    """Return every command that a file in deploy/ runs or tells the user to run."""
    unit = (DEPLOY / "onrecord.service").read_text()
    docker = (DEPLOY / "Dockerfile").read_text()
    commands_found = [shlex.split(re.search(r"^ExecStart=(.*)$", unit, re.M)[1])[1:]]  # type: ignore[index]
    commands_found.append(json.loads(re.search(r"^CMD (\[.*\])$", docker, re.M)[1]))  # type: ignore[index]
    for line in (DEPLOY / "compose.yaml").read_text().splitlines():
        if " run --rm " in line:
            commands_found.append(shlex.split(line.rpartition(" onrecord ")[2].partition(" > ")[0]))
    return commands_found


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_commands_are_ones_that_there_are(words: list[str]) -> None:
    """Every command and its options exist.

    Options are parsed before ``--help`` is answered, so an unknown option is refused.
    """
    place: Any = main
    while hasattr(place, "commands") and words:
        place, words = place.commands[words[0]], words[1:]
    options = {name for parameter in place.params for name in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options
    assert CliRunner().invoke(place, ["--help"]).exit_code == 0
