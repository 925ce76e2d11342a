"""The OpenAPI description is complete, and the server replies as described to any input."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import load_all_checks
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    positive_data_acceptance,
    status_code_conformance,
)

from onrecord.settings import Server
from server_world import World


@pytest.fixture(scope="module")
def app(world: World) -> FastAPI:
    return world.app(Server(rate=""))


def test_every_operation_is_described(app: FastAPI) -> None:
    described = app.openapi()
    assert described["info"]["title"] == "onrecord" and described["info"]["version"]
    operations = [
        (path, method, operation)
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    ]
    paths = {path for path, _, _ in operations}
    assert {
        "/api/chat",
        "/api/ask",
        "/api/search",
        "/api/plan",
        "/api/faq",
        "/api/recordings",
        "/api/recordings/{recording}/transcript",
        "/v1/chat/completions",
        "/v1/models",
        "/healthz",
        "/readyz",
    } <= paths
    for path, method, operation in operations:
        assert operation["summary"], (path, method)
        assert operation["tags"], (path, method)
        assert operation.get("description"), (path, method)
    ids = [operation["operationId"] for _, _, operation in operations]
    assert len(ids) == len(set(ids))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_whatever_is_sent_gets_a_reply_of_its_own(app: FastAPI) -> None:
    """No generated request causes a server error, and replies match their schemas.

    Four checks are left out, because the server refuses more than the schema says, such as a question
    without words or a route that needs a right.
    """
    load_all_checks()
    unsaid = [
        status_code_conformance,
        negative_data_rejection,
        positive_data_acceptance,
        content_type_conformance,
    ]
    schema = schemathesis.openapi.from_asgi("/openapi.json", app)
    operations = [result.ok() for result in schema.get_all_operations()]
    assert len(operations) > 12
    for operation in operations:

        @given(case=operation.as_strategy())
        @settings(max_examples=25, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        def answered(case: Any) -> None:
            case.call_and_validate(excluded_checks=unsaid)

        answered()
