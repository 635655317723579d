"""What every decision mode has to define: how rules decide, and what all other code needs to know about that."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Any, NamedTuple, Protocol, TypeVar, assert_never

from evoter.rules.model import Mode, Rule, RuleSet

T = TypeVar("T")

MAX_COMPARED = 1_000
"""With how many others simplification compares each rule: with all of them, 10,000 rules would take minutes."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a rule set decides at one point, and because of which rules (counted from 0).

    `active` lists the rules whose conditions all hold, `deciding` those of them that brought about the actions: one in
    the modes first and hardmax, all that share the winning action in mode vote, every active one in mode all. There is
    one action, except in mode all, where each active rule gives one, in order and with repetitions. `certainty` is that
    of the first action, in mode vote the mean over the rules that decided.
    """

    actions: tuple[str, ...]
    certainty: float
    active: tuple[int, ...]
    deciding: tuple[int, ...]

    @property
    def action(self) -> str:
        """The action; in mode all, the first one."""
        return self.actions[0]

    @property
    def by_default(self) -> bool:
        """Whether no rule was active, so that the default action was taken."""
        return not self.active


class Procedure(Enum):
    """How a decision is computed; kernels and exports implement procedures, and several modes may share one."""

    IN_ORDER = "in order"
    """Rules are tried in an order of precedence, and the first active one decides."""

    POLL = "poll"
    """The certainties of the active rules are averaged per action, and the action with the largest mean wins."""

    EVERY = "every"
    """Every active rule gives its action."""


class Plan(NamedTuple):
    """A procedure that computes the decisions of one rule set, and the order in which it tries the rules (from 0).

    `note` explains the order to readers of exported code where it is not the printed one.
    """

    procedure: Procedure
    order: tuple[int, ...]
    note: str = ""


class Task(StrEnum):
    """What rule sets are evolved for, as far as it matters to decision modes."""

    CLASSIFICATION = "classification"
    PRESCRIPTION = "prescription of one action"
    AMOUNTS = "prescription of amounts"
    COMBINATIONS = "prescription of several actions at once"
    CONTROL = "control"

    @property
    def procedures(self) -> frozenset[Procedure]:
        """The procedures that the kernels of this task implement."""
        match self:
            case Task.CLASSIFICATION:
                return frozenset({Procedure.IN_ORDER, Procedure.POLL})
            case Task.PRESCRIPTION | Task.AMOUNTS | Task.CONTROL:
                return frozenset({Procedure.IN_ORDER})
            case Task.COMBINATIONS:
                return frozenset({Procedure.EVERY})
            case _:
                assert_never(self)


class Outcome(NamedTuple):
    """What a rule or the default leads to; `number` is the rule's own where it matters which one decides."""

    action: str
    certainty: float
    number: int = -1


class Candidate(Protocol):
    """A rule that simplification may remove, with what is proved about where it holds."""

    @property
    def rule(self) -> Rule:
        """The rule."""
        ...

    @property
    def outcome(self) -> Outcome:
        """Its action and certainty."""
        ...

    @property
    def always_holds(self) -> bool:
        """Whether the rule holds everywhere."""
        ...

    def implies(self: T, other: T) -> bool:
        """Tell whether another rule provably holds wherever this one does."""
        ...

    def contradicts(self: T, other: T) -> bool:
        """Tell whether the two rules provably never hold together."""
        ...


C = TypeVar("C", bound=Candidate)


@dataclass(frozen=True, kw_only=True)
class DecisionMode(ABC):
    """One way for active rules to become a decision; there is one instance per member of `Mode`.

    `sentence` tells readers of a report how the rules decide. `tasks` are those that rule sets can be evolved for in
    this mode. `uses_certainty` says whether certainties influence the action, so that evolution must vary them.
    `in_printed_order` says that the first active rule as printed decides, whatever actions and certainties rules have.
    `depends_on_actions` says that giving a rule another action can change which rule decides. `needs_active_rules` says
    that a rule matters wherever it holds, even where it does not decide.
    """

    mode: Mode
    procedure: Procedure
    tasks: frozenset[Task]
    sentence: str
    uses_certainty: bool
    in_printed_order: bool
    depends_on_actions: bool
    needs_active_rules: bool

    def __post_init__(self) -> None:
        for task in self.tasks:
            if self.procedure not in task.procedures or (task is Task.CONTROL and not self.in_printed_order):
                raise TypeError(f"no kernel of {task} decides as mode {self.mode} does: remove it from its tasks")

    @property
    def several_actions(self) -> bool:
        """Whether a decision can have several actions."""
        return self.procedure is Procedure.EVERY

    @abstractmethod
    def decide(self, ruleset: RuleSet, active: tuple[int, ...]) -> Decision:
        """Decide, given the rules that are active, at least one."""

    @abstractmethod
    def reduce(self, candidates: Sequence[C], default: Outcome) -> tuple[list[C], Outcome]:
        """Return fewer rules, and a default, with the same decisions; pinned rules stay.

        `evoter.rules.simplify` calls it again until nothing changes.
        """

    def plan(self, ruleset: RuleSet) -> Plan:
        """Return how kernels and exports can compute the decisions of a rule set."""
        return Plan(self.procedure, tuple(range(len(ruleset.rules))))

    def precedence(self, action: Any, certainty: Any, default: Any) -> Any:
        """Return the key that rules are sorted by, smallest first; of equal keys, the earlier rule is first.

        Takes one rule's action and certainty and the default action, or arrays of them with the actions as numbers. A
        single number for all rules keeps the printed order.
        """
        return 0

    @abstractmethod
    def why_not_deciding(self, ruleset: RuleSet, decision: Decision, index: int) -> str:
        """Complete the sentence "rule 3 ..." for an active rule that did not decide."""

    def could_have_decided(self, ruleset: RuleSet, decision: Decision) -> Sequence[int]:
        """Return the rules of which an explanation says that they did not hold, if they did not."""
        return range(len(ruleset.rules))

    def mean_certainties(self, ruleset: RuleSet, decision: Decision) -> Mapping[str, float]:
        """Return the means that actions were compared by, for an explanation; empty where no means are computed."""
        return {}

    def pinning_obstacle(self, rule: Rule) -> str:
        """Say why a rule that comes before all others could still be overruled; empty where it cannot."""
        return ""

    def use_counts(self, times_applied: T, times_decided: T) -> T:
        """Return the counts that tell whether a rule is of any use; where they are 0, it can be removed."""
        return times_applied if self.needs_active_rules else times_decided
