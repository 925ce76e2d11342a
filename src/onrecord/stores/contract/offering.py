"""What a store may have of its own: a whitened space, and a list of its terms."""

from __future__ import annotations

from contextlib import closing

import numpy as np

from onrecord.stores.contract.world import World, passages, recording, unit
from onrecord.types import Scope


class Offering(World):
    """A whitened space and terms."""

    def test_whitened_is_dense_and_the_same_where_how_it_is_said_counts_less(self) -> None:
        rows = unit(*((1.0, 0.1 * (n % 7), 0.9 * (n % 2), 0.2 * (n % 3)) for n in range(600)))
        with closing(self.filled()) as store:
            for name in ("long", "longer"):
                store.add(recording(name, 600), passages(name, ("Yes.",) * 600), vectors=rows)
            whole, part = store.timeline(), store.timeline(Scope(recordings=("call", "longer", "chat")))
            query = unit((1, 0.5, 0.5, 0))[0]
            plain, whitened = store.whitened(query, whole)
            assert whitened.dtype == np.float32 and np.allclose(plain, store.dense(query, whole), atol=1e-6)
            assert np.isfinite(whitened).all() and np.abs(whitened).max() <= 1.001
            said = np.isin(whole.recordings, [whole.names.index(name) for name in ("long", "longer")])
            assert np.ptp(whitened[said]) < np.ptp(plain[said])
            assert whitened[whole.names.index("chat") == whole.recordings].tolist() == [0]
            inside = np.isin(whole.rows, part.rows)
            for every, some in zip((plain, whitened), store.whitened(query, part), strict=True):
                assert np.allclose(every[inside], some, atol=1e-5)
            store.remove("longer")
            assert not store.whitened(query, part)[1][3:603].any()

    def test_terms_that_begin_alike(self) -> None:
        with closing(self.filled()) as store:
            assert store.beginning("fr") == {term for term in ("freight", "fresh") if store.heard([term])}
            assert {"freight"} <= store.beginning("f") and not store.beginning("freightz")
            for text in ("", "%", "_r", "^", "'", '"', "\x00", "\ud800"):
                assert not store.beginning(text), repr(text)
            every = {term for letter in "abcdefghijklmnopqrstuvwxyz" for term in store.beginning(letter)}
            assert store.heard(every) == every
            for recording in store.recordings():
                store.remove(recording.id)
            assert not store.beginning("f")
