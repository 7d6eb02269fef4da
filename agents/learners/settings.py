"""Learning rates and exploration."""

from dataclasses import dataclass, replace
from math import pow
from typing import TYPE_CHECKING, Any, Final, overload

from engine.compiling import mypyc_attr
from engine.limits import limits
from engine.records import kept, rebuilt_by_init

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, slots=True)
class LearningSettings:
    """How fast to learn and how much to explore. The defaults are those of the earlier programs;
    the games have their own.

    alpha    the learning rate
    settle   visits after which alpha has halved; 0 keeps it constant. With an alpha of 1 and a
             settle of 1, a value is the mean of its outcomes
    gamma    the discount of a reward one decision later
    epsilon  the initial share of random actions
    familiar visits of a situation after which epsilon has halved there; 0 lets it fall with
             every action instead, by the factor `decay`
    least    the lower limit of epsilon
    trace    the weight of actual outcomes against predicted values (TD(lambda)'s lambda)
    trust    visits of a situation that weigh as much as what is known about its outline
    """

    alpha: float = 0.1
    settle: float = 0.0
    gamma: float = 0.9
    epsilon: float = 0.2
    familiar: float = 0.0
    decay: float = 0.9995
    least: float = 0.05
    trace: float = 0.0
    trust: float = 0.0

    def __reduce__(self) -> tuple[Any, ...]:
        return rebuilt_by_init, (type(self), kept(self))

    def epsilon_after(self, actions: float, visits: float) -> float:
        """The share of random actions, after so many actions and visits of the situation."""
        if self.familiar:
            epsilon = self.epsilon * self.familiar / (self.familiar + visits)
        else:
            epsilon = self.epsilon * pow(self.decay, actions)
        return max(self.least, epsilon)

    def explores(self, chance: float, actions: float, visits: float) -> bool:
        """Whether a draw of `chance` means exploring: `chance < epsilon_after(...)`. Most draws
        are decided without the power."""
        if chance < self.least:
            return True
        if self.familiar:
            return chance * (self.familiar + visits) < self.epsilon * self.familiar
        return chance < self.epsilon and chance < self.epsilon * pow(self.decay, actions)

    @overload
    def alpha_after(self, visits: float) -> float: ...

    @overload
    def alpha_after(self, visits: "Floats") -> "Floats": ...

    def alpha_after(self, visits: Any) -> Any:
        """The learning rate after so many visits."""
        settle = self.settle
        return self.alpha * settle / (settle + visits) if settle else self.alpha + 0.0 * visits


FROM_NOTHING: Final = LearningSettings(
    alpha=0.3, settle=100.0, gamma=1.0, epsilon=1.0, familiar=10.0, least=0.0, trace=0.8, trust=5.0
)
"""Settings of a table that learns from nothing: later outcomes, which better players reach, count
more than early ones, and a situation is explored as long as it is new."""

OUTLINES_FROM_NOTHING: Final = replace(FROM_NOTHING, least=0.03)
"""The same for a game whose situations have outlines. A new situation with a familiar outline is
hardly explored, so exploration must not end."""

WEIGHTS_FROM_NOTHING: Final = LearningSettings(
    alpha=0.1, settle=1000.0, gamma=1.0, epsilon=1.0, familiar=10.0, least=0.02, trace=0.8
)
"""The same for weights, which many situations share."""


NETWORK_LAYERS: Final = (256, 128)
"""Widths of a network's hidden layers."""


@dataclass(frozen=True, slots=True)
class NeuralSettings(LearningSettings):
    """Settings of a network.

    batch   samples of a training step; `first_batch` at first, growing with experience
    replay  the latest samples that training steps draw from
    tables  matches that advance in step in self-play, copies included
    copies  of each table, on which other actions are tried
    hindsight  at most so much of the luck of the deal is taken out of results, as a judge who sees
            all hands reckons it; 0: there is no judge
    mixing  how it mixes moves of similar value while it learns: one that is worth less by this
            much is taken e times less often. With 0 it takes the best
    """

    alpha: float = 0.001
    settle: float = 1_500_000.0
    gamma: float = 1.0
    epsilon: float = 0.06
    decay: float = 0.999996
    least: float = 0.01
    trace: float = 1.0
    batch: int = 256
    first_batch: int = 64
    replay: int = 200_000
    tables: int = 512
    copies: int = 0
    hindsight: float = 0.0
    mixing: float = 0.0

    def batch_after(self, updates: float) -> int:
        return int(min(self.batch, max(self.first_batch, updates / 64)))


SETTING_LIMITS: Final = {
    "alpha": limits("The weight of a new experience against earlier ones.", low=0, high=1),
    "settle": limits("Visits until the learning rate has halved; 0 keeps it constant.", low=0),
    "gamma": limits("The worth of a reward one decision later.", low=0, high=1),
    "epsilon": limits("The share of random moves at first.", low=0, high=1),
    "familiar": limits("Visits until curiosity about a situation has halved; 0: decay.", low=0),
    "decay": limits("The factor of curiosity with each action.", low=0, high=1),
    "least": limits("Curiosity never falls below this share.", low=0, high=1),
    "trace": limits("The weight of actual results against predictions.", low=0, high=1),
    "trust": limits("Visits that weigh as much as the outline of a situation.", low=0),
    "batch": limits("Samples of a training step.", low=1, high=65536),
    "first_batch": limits("Samples of the first training steps.", low=1, high=65536),
    "replay": limits("The latest samples that training draws from.", low=1024, high=2_000_000),
    "tables": limits("Matches that advance in step.", low=1, high=4096),
    "copies": limits("Copies of each table, to try other moves.", low=0, high=16),
    "hindsight": limits("The share of the deal's luck that a judge takes out.", low=0, high=1),
    "mixing": limits("How evenly moves of similar value are mixed; 0: the best.", low=0, high=100),
}
"""What the settings may be, for every learner, with one line of help each."""

REWARD_LIMITS: Final = limits("The reward for an event.", low=-1e9, high=1e9)
