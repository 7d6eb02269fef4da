"""Which cases of a test belong to the quick set, `make test`. `make test-all` runs all of them."""

from collections.abc import Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def quick_with(values: Iterable[Any], *quick: Any) -> list[ParameterSet]:
    """These values as parameters of a test; all but some of them are slow."""
    return [pytest.param(each, marks=() if each in quick else pytest.mark.slow) for each in values]
