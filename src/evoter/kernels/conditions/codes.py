"""A condition as a row of codes and a row of numbers: the columns, the operators, and the forms.

A new form needs a code here, its meaning in `meaning`, its quick logic in `logic`, and in `variation.single_conditions`
how it is drawn and changed at random; masks and policies then evaluate it. The tests run over all forms.
"""

from typing import Final

# Columns of a condition's codes.
LEFT: Final = 0
OPERATOR: Final = 1
LEFT_POWER: Final = 2
LEFT_LAG: Final = 3
RIGHT: Final = 4
RIGHT_POWER: Final = 5
RIGHT_LAG: Final = 6
N_CODES: Final = 7

CONSTANT: Final = -1
"""The RIGHT code of a condition that reads one feature; 0 and above is the number of a second feature that it reads."""

SUMMED: Final = 0
"""The RIGHT_POWER code of a sum, which adds the second feature to the first; a comparison has a power of 1 or more."""

# Columns of a condition's numbers; the second is the constant where RIGHT is CONSTANT, and the third is 0 in all forms
# but sums, so that equal conditions are equal arrays. A set of categories is a bit for each, those of the first
# SET_BITS in the first number and those of the others in the second.
LEFT_COEFFICIENT: Final = 0
RIGHT_NUMBER: Final = 1
SUM_CONSTANT: Final = 2
N_NUMBERS: Final = 3
SET_BITS: Final = 52
"""Whole numbers of so many bits are exact as doubles."""

# Operator codes.
EQ: Final = 0
NE: Final = 1
LT: Final = 2
LE: Final = 3
GT: Final = 4
GE: Final = 5
IS_MISSING: Final = 6
IS_PRESENT: Final = 7
IN: Final = 8
NOT_IN: Final = 9
N_OPERATORS: Final = 10

# Forms of conditions.
UNKNOWN: Final = 0
"""Codes that are no condition: they hold nowhere, and nothing is concluded from them."""
PRESENCE: Final = 1
"""`x is missing`, `x is present`."""
THRESHOLD: Final = 2
"""`coefficient * x ^ power OP constant`, where a category or truth value is its number."""
COMPARISON: Final = 3
"""`coefficient * x ^ power OP coefficient * y ^ power`, of scaled features where the schema says so."""
MEMBERSHIP: Final = 4
"""`x in {...}`, `x not in {...}`: a set of categories."""
SUM: Final = 5
"""`coefficient * x + coefficient * y OP constant`, of raw values, where OP is a comparison of order."""
N_FORMS: Final = 6
