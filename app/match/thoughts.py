"""What the agents of a table thought, and which of it is no longer secret."""

from collections import deque

from app.match.moment import Thought

_KEPT = 150


class Thoughts:
    """The thoughts of this hand and of the one before.

    A thought reveals its owner's cards. It stays secret until the hand is over, unless the
    viewer sees the table from the owner's seat.
    """

    def __init__(self) -> None:
        self._kept: deque[Thought] = deque(maxlen=_KEPT)

    def add(self, thought: Thought) -> None:
        """Add the thought behind the next action. Thoughts behind actions that were taken back
        are dropped."""
        self._drop_from(thought.number)
        while self._kept and self._kept[0].view.hand_no < thought.view.hand_no - 1:
            self._kept.popleft()
        self._kept.append(thought)

    def known(self, played: int, finished: int, viewpoint: int | None) -> list[Thought]:
        """The thoughts the viewer may know of the latest hand that has any, oldest first.

        played      the number of actions of the match so far
        finished    the number of the last finished hand
        viewpoint   the seat whose hand the viewer sees; None for all of them
        """
        self._drop_from(played)
        known = [
            thought
            for thought in self._kept
            if viewpoint in (None, thought.view.seat) or thought.view.hand_no <= finished
        ]
        return [each for each in known if each.view.hand_no == known[-1].view.hand_no]

    def has_later_than(self, known: list[Thought]) -> bool:
        """Whether there are later thoughts than these."""
        return bool(self._kept) and (not known or self._kept[-1] is not known[-1])

    def _drop_from(self, number: int) -> None:
        while self._kept and self._kept[-1].number >= number:
            self._kept.pop()
