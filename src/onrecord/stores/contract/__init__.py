"""Tests that every store must pass. Inherit `StoreContract`, define `open`, and let pytest run it::

class TestMine(StoreContract):
    @pytest.fixture(autouse=True)
    def place(self, tmp_path):
        self.folder = tmp_path

    def open(self, workspace="default"):
        return MyStore(self.folder, workspace)

`CompleteStoreContract` is for a store that also has caches and a whitened space, and lists its terms.
"""

from onrecord.stores.contract.store import CompleteStoreContract, StoreContract
from onrecord.stores.contract.world import VECTORS, passages, recording

__all__ = ["VECTORS", "CompleteStoreContract", "StoreContract", "passages", "recording"]
