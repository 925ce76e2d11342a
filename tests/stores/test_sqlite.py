"""The embedded store passes what every store must pass."""

from pathlib import Path

import pytest

from onrecord.stores import Store, open_store
from onrecord.stores.contract import StoreContract


class TestSqliteStore(StoreContract):
    @pytest.fixture(autouse=True)
    def place(self, tmp_path: Path) -> None:
        self.path = tmp_path / "talks.db"

    def open(self, workspace: str = "default") -> Store:
        return open_store(self.path, workspace)
