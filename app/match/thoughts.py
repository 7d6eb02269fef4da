"""What the agents of a table thought, and which of it onlookers may know by now."""

from collections import deque

from app.match.moment import Thought

_KEPT = 150


class Thoughts:
    """The thoughts of this hand and of the one before.

    A thought speaks of its owner's cards, so it stays secret while the hand runs, except
    from those who look over the owner's shoulder.
    """

    def __init__(self) -> None:
        self._kept: deque[Thought] = deque(maxlen=_KEPT)

    def add(self, thought: Thought) -> None:
        """The thought behind the next action; what followed an action taken back is gone."""
        self._forget_from(thought.number)
        while self._kept and self._kept[0].view.hand_no < thought.view.hand_no - 1:
            self._kept.popleft()
        self._kept.append(thought)

    def known(self, played: int, finished: int, shoulder: int | None) -> list[Thought]:
        """Those of the latest hand of which any may be known, oldest first.

        played     the actions of the match so far
        finished   the number of the last hand that is over
        shoulder   the seat that is looked over; None for all of them
        """
        self._forget_from(played)
        known = [
            thought
            for thought in self._kept
            if shoulder in (None, thought.view.seat) or thought.view.hand_no <= finished
        ]
        return [each for each in known if each.view.hand_no == known[-1].view.hand_no]

    def secret(self, known: list[Thought]) -> bool:
        """Whether there are later ones than those that are known."""
        return bool(self._kept) and (not known or self._kept[-1] is not known[-1])

    def _forget_from(self, number: int) -> None:
        while self._kept and self._kept[-1].number >= number:
            self._kept.pop()
