"""What can be wrong with a project."""

from evoter.rules.errors import RuleError


class ProjectError(RuleError):
    """A project file cannot be used, or what was asked of a project makes no sense; the message says what would."""
