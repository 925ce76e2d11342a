"""Errors of ``onrecord chat``: Chainlit is not installed, or there is no archive."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from conftest import Shell


@pytest.mark.skipif(find_spec("chainlit") is not None, reason="Chainlit is installed here")
def test_without_the_extra_its_name_is_reported(filled: Shell) -> None:
    """Without Chainlit, the error names the extra to install."""
    error_output = filled("chat", code=1).stderr
    assert "pip install 'onrecord[chainlit]'" in error_output and len(error_output.splitlines()) == 1


def test_there_is_no_archive_to_chat_with(shell: Shell) -> None:
    assert "there is no archive" in shell("chat", code=1).stderr
