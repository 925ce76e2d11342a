"""What every store must pass. Inherit `StoreContract`, say how one is opened, and let pytest run it::

class TestMine(StoreContract):
    @pytest.fixture(autouse=True)
    def place(self, tmp_path):
        self.folder = tmp_path

    def open(self, workspace="default"):
        return MyStore(self.folder, workspace)
"""

from onrecord.stores.contract.store import StoreContract
from onrecord.stores.contract.world import VECTORS, passages, recording

__all__ = ["VECTORS", "StoreContract", "passages", "recording"]
