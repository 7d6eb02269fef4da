"""Facts about many hands of Notty at once: how many cards remain after discarding groups, which
cards would help, and what a theft would break.

A hand is a pair of masks (see `agents.notty.rules.Hand`), many hands are two arrays. The cards
of one colour are looked up by their row: the number of each card, 0 to 2, as a digit of base 3.
"""

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.games.notty import COLOURS, KINDS, NUMBERS, ROW, SHORTEST_RUN, SMALLEST_SET

Masks = NDArray[np.int64]
Facts = NDArray[np.float32]
Small = NDArray[np.int8]

_COPIES: Final = 2
_NEVER: Final = 30
"""The loss of a card that is not there."""

_POWERS: Final = [(_COPIES + 1) ** number for number in range(NUMBERS)]
_SHIFTS: Final = np.arange(0, KINDS, NUMBERS)
_NUMBERS: Final = np.arange(NUMBERS)

_MOST_SETS: Final = 5
MOST_GAIN: Final = 3


class Rows(NamedTuple):
    """Facts about the cards of one colour, by row.

    number  for each mask of nine bits its row, if no card is there twice
    held    how often each number is there
    used    the most cards in disjoint runs
    gain    for each number: how many more cards are in runs if it is added
    loss    for each number: how many fewer are in runs if it is removed
    near    the pairs of cards that one more card would make a run
    """

    number: NDArray[np.int64]
    held: Small
    used: Small
    gain: Small
    loss: Small
    near: Small


@cache
def rows() -> Rows:
    count = (_COPIES + 1) ** NUMBERS
    every = np.arange(count)
    held = np.stack([every // power % (_COPIES + 1) for power in _POWERS], axis=1).astype(np.int8)
    used = np.zeros(count, dtype=np.int8)
    # Rows in ascending order, as blocks by their highest number: it is in a run or not.
    for high, power in enumerate(_POWERS):
        for copies in range(1, _COPIES + 1):
            block = slice(copies * power, (copies + 1) * power)
            best = used[every[block] - power]
            for length in range(SHORTEST_RUN, high + 2):
                run = sum(_POWERS[high - length + 1 : high + 1])
                fits = (held[block, high - length + 1 : high] > 0).all(axis=1)
                rest = np.where(fits, every[block] - run, 0)
                best = np.where(fits, np.maximum(best, used[rest] + length), best)
            used[block] = best
    gain = np.zeros_like(held)
    loss = np.full_like(held, _NEVER)
    for number, power in enumerate(_POWERS):
        more, fewer = held[:, number] < _COPIES, held[:, number] > 0
        gain[more, number] = used[every[more] + power] - used[more]
        loss[fewer, number] = used[fewer] - used[every[fewer] - power]
    there = held > 0
    near = (there[:, 1:] & there[:, :-1]).sum(axis=1) + (there[:, 2:] & there[:, :-2]).sum(axis=1)
    masks = np.arange(ROW + 1)
    numbers = sum([(masks >> at & 1) * power for at, power in enumerate(_POWERS)])
    return Rows(np.asarray(numbers), held, used, gain, loss, near.astype(np.int8))


def counts_of(ones: Masks, twos: Masks) -> Small:
    """How often each kind is there: a matrix of colours and numbers for each pair of masks."""
    return rows().held[_row_numbers(ones, twos)]


def _row_numbers(ones: Masks, twos: Masks) -> NDArray[np.int64]:
    number = rows().number
    found: NDArray[np.int64] = number[ones[:, None] >> _SHIFTS & ROW]
    found += number[twos[:, None] >> _SHIFTS & ROW]
    return found


class HandFacts:
    """Facts about hands, each an array with an entry for each hand.

    size    the cards
    left    the fewest cards that remain after discarding groups. Sets are taken one after the
            other, the most useful first, so in rare cases fewer could remain
    gains   for each kind how many more cards fit into groups if it is added
    breach  how many more cards remain, on average, after one card was stolen
    near    pairs of cards of one colour that one more card would make a run
    thirds  numbers of which one more colour would make a set
    """

    def __init__(self, ones: Masks, twos: Masks) -> None:
        table = rows()
        row = _row_numbers(ones, twos)
        held = table.held[row]
        self.size: NDArray[np.int64] = held.sum(axis=(1, 2), dtype=np.int64)
        in_sets = np.zeros((len(ones), NUMBERS), dtype=np.int8)
        missing = np.zeros(held.shape, dtype=bool)
        colours = (held > 0).sum(axis=1)
        at = np.flatnonzero((colours >= SMALLEST_SET).any(axis=1))
        for _ in range(_MOST_SETS):
            if not len(at):
                break
            at = self._take_sets(row, at, in_sets, missing)
        loss = table.loss[row]
        taken = in_sets.sum(axis=1)
        self.left: NDArray[np.int64] = self.size - taken - table.used[row].sum(axis=1)
        ordered = np.sort(loss, axis=1)
        three = ordered[:, :3].sum(axis=1)
        four = three + ordered[:, 3]
        others = np.where(
            loss <= ordered[:, 2][:, None], four[:, None] - loss, three[:, None]
        )  # The least loss of three other colours.
        gains = np.maximum(table.gain[row], SMALLEST_SET - others)
        gains = np.maximum(gains, missing)
        self.gains: Small = np.minimum(gains, MOST_GAIN).astype(np.int8)
        rest = table.held[row]
        broken = (rest * (np.where(rest > 0, loss, 1) - 1)).sum(axis=(1, 2), dtype=np.int64)
        broken += ((in_sets == SMALLEST_SET) * (SMALLEST_SET * (SMALLEST_SET - 1))).sum(axis=1)
        self.breach: Facts = (broken / np.maximum(self.size, 1)).astype(np.float32)
        self.near: NDArray[np.int64] = table.near[row].sum(axis=1, dtype=np.int64)
        self.thirds: NDArray[np.int64] = (colours == SMALLEST_SET - 1).sum(axis=1)

    @staticmethod
    def _take_sets(
        row: NDArray[np.int64], at: NDArray[np.int64], in_sets: Small, missing: NDArray[Any]
    ) -> NDArray[np.int64]:
        """Take the most useful set out of each hand `at`; return those from which one was."""
        loss = rows().loss[row[at]]
        order = np.argsort(loss, axis=1, kind="stable")
        ordered = np.take_along_axis(loss, order, axis=1)
        four = SMALLEST_SET - ordered[:, :SMALLEST_SET].sum(axis=1)
        five = COLOURS - ordered.sum(axis=1)
        best = np.maximum(four, five)
        # Each number at most once, to know its size.
        best[in_sets[at] > 0] = 0
        number = best.argmax(axis=1)
        here = np.arange(len(at))
        useful = best[here, number] > 0
        at, here, number = at[useful], here[useful], number[useful]
        size = np.where(five[here, number] >= four[here, number], COLOURS, SMALLEST_SET)
        places = order[here, :, number]
        powers = np.array(_POWERS)[number]
        for place in range(COLOURS):
            taken = place < size
            row[at, places[:, place]] -= np.where(taken, powers, 0)
        in_sets[at, number] = size
        last = places[:, SMALLEST_SET]
        missing[at, last, number] = size == SMALLEST_SET
        return at
