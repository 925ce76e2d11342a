"""What stands above quotes."""

import numpy as np
import pytest

from onrecord.answer.paragraphs import heading_for
from onrecord.answer.phrases import English, French
from onrecord.types import Line

LINE = Line(*(np.zeros(0, np.int64) for _ in range(4)), names=("r1", "r2"))  # type: ignore[arg-type]


@pytest.mark.parametrize("said", [English(), French()])
@pytest.mark.parametrize("verdict", ["answered", "low_relevance", "low_diversity", "nothing_found"])
@pytest.mark.parametrize("whole", [True, False])
def test_without_citations_there_is_a_heading_all_the_same(said, verdict, whole):
    assert heading_for(verdict, 0.9, whole, (), LINE, said)
