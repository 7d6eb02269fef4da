"""How fast learners learn and how much they try."""

from dataclasses import dataclass
from math import inf, pow
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Visits = TypeVar("Visits", float, NDArray[np.float64])


@dataclass(frozen=True, slots=True)
class LearningSettings:
    """How fast to learn and how much to try.

    alpha    the weight of a new experience against all earlier ones
    settle   visits after which alpha has fallen to half; 0 keeps it as it is
    gamma    what a reward one decision later is worth
    epsilon  the share of tries at random at first, `decay` its factor per action,
             `least` where it stays
    hopeless how much less than the best move a move may promise and still be tried
    trace    how much what really came counts against what was promised on the way
    shared   how much of what a move teaches goes for all moves of its situation: the rest is
             what it teaches of the move alone
    """

    alpha: float = 0.1
    settle: float = 0.0
    gamma: float = 0.9
    epsilon: float = 0.2
    decay: float = 0.9995
    least: float = 0.05
    hopeless: float = inf
    trace: float = 0.0
    shared: float = 0.0

    def epsilon_after(self, actions: float) -> float:
        return max(self.least, self.epsilon * pow(self.decay, actions))

    def tries_after(self, actions: float, chance: float) -> bool:
        """`chance < self.epsilon_after(actions)`: mostly that is plain before any power."""
        if chance < self.least:
            return True
        if chance >= self.epsilon and self.decay <= 1:
            return False
        return chance < self.epsilon * pow(self.decay, actions)

    @property
    def pace(self) -> float:
        """How fast alpha falls."""
        return 1 / self.settle if self.settle else 0.0

    def alpha_after(self, visits: "Visits") -> "Visits":
        return self.alpha / (1.0 + self.pace * visits)


@dataclass(frozen=True, slots=True)
class NeuralSettings(LearningSettings):
    """unit    the rewards that make the network's output one larger
    caution how much more than its teacher's action another must promise to be taken
    guided  the share of decisions that its teacher makes at first, so that good play is what
            it learns from; `weaned` the actions after which that is half
    """

    alpha: float = 0.001
    settle: float = 500_000
    gamma: float = 1.0
    epsilon: float = 0.1
    decay: float = 0.999999
    least: float = 0.03
    trace: float = 1.0
    unit: float = 10.0
    caution: float = 0.0
    guided: float = 0.0
    weaned: float = 100_000.0

    def guided_after(self, actions: float) -> float:
        return self.guided * pow(0.5, actions / self.weaned)
