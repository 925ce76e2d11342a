"""What stands above quotes."""

import numpy as np
import pytest

from onrecord.answer.paragraphs import heading_for
from onrecord.types import PassageTimeline
from onrecord.understand.lexicon import messages_in

LINE = PassageTimeline(*(np.zeros(0, np.int64) for _ in range(4)), names=("r1", "r2"))  # type: ignore[arg-type]


@pytest.mark.parametrize("said", [messages_in("en"), messages_in("fr")])
@pytest.mark.parametrize("verdict", ["answered", "low_relevance", "low_diversity", "nothing_found"])
@pytest.mark.parametrize("whole", [True, False])
def test_without_citations_there_is_a_heading_all_the_same(said, verdict, whole):
    assert heading_for(verdict, 0.9, whole, (), LINE, said)
