"""The list of all forms of conditions, and which form a condition has."""

from evoter.rules.condition import Condition
from evoter.rules.forms.category import CategoryForm
from evoter.rules.forms.comparison import ComparisonForm
from evoter.rules.forms.constant import ConstantForm
from evoter.rules.forms.form import Form
from evoter.rules.forms.membership import MembershipForm
from evoter.rules.forms.presence import PresenceForm
from evoter.rules.forms.sum import SumForm

FORMS: tuple[Form, ...] = (
    PresenceForm(),
    ConstantForm(),
    MembershipForm(),
    CategoryForm(),
    SumForm(),
    ComparisonForm(),
)
"""All forms, in the order in which they are asked whether they can read something: the more specific ones first."""

_BY_RIGHT = {right: form for form in FORMS for right in form.right_types}


def form_of(condition: Condition) -> Form:
    """Return the form of a condition, which says everything about it that depends on its form.

    >>> from evoter.rules.condition import Term
    >>> form_of(Condition(Term("age"), ">", 65)).name
    'comparison with a number'
    """
    return _BY_RIGHT[type(condition.right)]
