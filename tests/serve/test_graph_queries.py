"""Every graph query is in every interface, with the same parameters."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from onrecord.serve.cli import main
from onrecord.serve.graph_queries import READS, WRITES, parameters_of
from server_world import World

BODIES = {query.__name__: f"{query.__name__.title()}Body" for query in WRITES}


@pytest.fixture(scope="module")
def schema(world: World) -> dict:
    return TestClient(world.app()).get("/openapi.json").json()


@pytest.mark.parametrize("query", READS, ids=lambda query: query.__name__)
def test_addresses_have_the_parameters_of_what_reads(schema: dict, query) -> None:
    """The route of a read query has its parameters, help texts and defaults."""
    described = schema["paths"][f"/api/graph/{query.__name__}"]["get"]
    offered = {each["name"]: each for each in described["parameters"]}
    declared = {
        "name" if each.name == "names" else each.name: each  # HTTP repeats the parameter: name=Ann&name=Bo
        for each in parameters_of(query)
    }
    assert offered.keys() - {"workspace"} == declared.keys()
    for name, each in declared.items():
        assert offered[name]["description"] == each.bounds.help
        assert offered[name]["required"] == (each.default is each.required)


@pytest.mark.parametrize("query", WRITES, ids=lambda query: query.__name__)
def test_bodies_have_the_parameters_of_what_writes(schema: dict, query) -> None:
    """The request body of a write query has its parameters."""
    body = schema["components"]["schemas"][BODIES[query.__name__]]
    assert body["properties"].keys() - {"workspace"} == {each.name for each in parameters_of(query)}
    assert body["required"] == [each.name for each in parameters_of(query) if each.default is each.required]


@pytest.mark.parametrize("query", [*READS, *WRITES], ids=lambda query: query.__name__)
def test_commands_have_the_parameters_of_queries(query) -> None:
    command = (
        "alias" if query.__name__ == "aliases" else query.__name__
    )  # `alias` without --of lists the aliases
    offered = {parameter.name for parameter in main.commands["graph"].commands[command].params}
    assert {each.name for each in parameters_of(query)} <= offered
