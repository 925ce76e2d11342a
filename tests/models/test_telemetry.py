"""The telemetry of the libraries that onrecord uses is off, unless the user allows it."""

import os
import subprocess
import sys

LOAD = """
from onrecord.errors import ModelError
from onrecord.models.minilm.session import Session

try:
    Session(b"no model")
except ModelError:
    print("ONNX Runtime was asked")
"""


def test_onnx_runtime_sends_no_telemetry(tmp_path):
    """From version 1.29 on, ONNX Runtime writes a device id and a file of events, unless disabled."""
    suppressing = ("CI", "ORT_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS", "XDG_CACHE_HOME")
    environment = {name: value for name, value in os.environ.items() if name not in suppressing}
    done = subprocess.run(
        [sys.executable, "-c", LOAD],
        env={**environment, "HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "ONNX Runtime was asked\n"
    assert list(tmp_path.iterdir()) == []


def test_a_user_may_allow_telemetry(monkeypatch):
    from onrecord.models.vectors import disable_telemetry

    monkeypatch.setenv("ORT_DISABLE_TELEMETRY", "0")
    monkeypatch.delenv("HF_HUB_DISABLE_TELEMETRY", raising=False)
    disable_telemetry()
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "0"
    assert os.environ["HF_HUB_DISABLE_TELEMETRY"] == "1"
