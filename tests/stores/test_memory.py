"""The double passes what every store must pass."""

from onrecord.stores.base import Store
from onrecord.stores.contract import StoreContract
from onrecord.stores.memory import MemoryStore


class TestMemoryStore(StoreContract):
    def open(self, workspace: str = "default") -> Store:
        return MemoryStore(workspace)
