"""The limits by which columns are judged, and the names and texts that are recognised in them.

Python and the command line share these constants; nothing else decides what a column is.
"""

import re

MAX_CATEGORIES = 1_000
"""A text column with more distinct values is free text, unless the user says that it holds categories."""

MIN_VALUES_TO_JUDGE = 50
"""A column with fewer values may be all different by chance: it is not taken for an identifier or free text."""

NEARLY_UNIQUE = 0.9
"""A text column with a larger share of distinct values is free text, or an identifier if all values differ."""

MOSTLY_DIFFERENT = 0.5
"""Whole numbers under an identifier's name look like one if a larger share of them is distinct."""

MIN_IDENTIFIERS = 20
"""A column with fewer distinct values that repeat holds codes of categories, not identifiers."""

MIN_NAMED_IDENTIFIERS = 10
"""The same for a column that is named after people or other things that rows are about, such as patients."""

MAX_ROWS_PER_IDENTIFIER = 50
"""If values repeat more often on average, they may be categories, such as shops, even under an identifier's name."""

NUMERIC_CODES = range(3, 11)
"""Whole numbers with so few distinct values may be codes of categories."""

MOSTLY = 0.95
"""A text column holds dates, or numbers with some placeholders, if at least this share of its values does."""

MAX_PLACEHOLDERS = 3
"""A column of numbers with more distinct texts among them holds categories."""

MIN_ROWS_WITH_TARGET = 20
"""On fewer rows, a column that separates the classes proves nothing."""

MAX_NAMES_TO_COMPARE = 200
"""Misspelt names are looked for letter by letter among at most this many categories, because the time grows with
their square; among more, only capitals and spaces are compared."""

PLACEHOLDERS = frozenset(
    {"-", "--", "---", ".", "..", "*", "none", "unknown", "unk", "missing", "n.a.", "n.d.", "nd", "tbd", "x", "#ref!",
     "#value!", "#div/0!", "not available", "not recorded", "keine angabe", "k.a."}
)  # fmt: skip
"""Texts that mean missing in a column of numbers, in lower case, besides `evoter.rules.schema.MISSING_TEXTS`."""

BOOLEAN_TEXTS = {"true": True, "false": False}
"""Texts that are truth values, in lower case."""

DATE_TEXT = r"^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2}))([T ]\d{1,2}:\d{2}.*)?$"
"""The pattern of a date, with or without a time."""

_IS_DATE = re.compile(DATE_TEXT)
_ID_NAME = re.compile(
    r"(^|[^a-z])(id|ids|uuid|guid|key|index|nr|nbr|no|number|rowid|row)$|^(id|index|row)[^a-z]|^unnamed"
)
_STRONG_ID_NAME = re.compile(r"(^|[^a-z])(id|ids|uuid|guid|mrn|ssn)$|^id[^a-z]|^unnamed")
_SOMEBODY = re.compile(
    r"^(patient|subject|participant|person|customer|client|user|member|employee|student|respondent|household|account|"
    r"device|animal|visitor|passenger|donor)s?([^a-z]*(id|no|nr|nbr|num|number|code|key))?$|"
    r"^(sample|specimen|case|visit|session|order|invoice|transaction|ticket|claim|policy|contract|vehicle|machine|serial)"
    r"[^a-z]*(id|no|nr|nbr|num|number)$"
)
_TIME_NAME = re.compile(
    r"(^|[^a-z])(year|month|week|day|date|time|timestamp|hour|minute|second|period|quarter|season|step|tick|age)s?$"
)
_CAMEL_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])")


def is_id_name(name: str) -> bool:
    """Tell whether a column is named like an identifier.

    >>> [name for name in ("patient_id", "customerNo", "Unnamed: 0", "paid", "age") if is_id_name(name)]
    ['patient_id', 'customerNo', 'Unnamed: 0']
    """
    return _ID_NAME.search(_plain(name)) is not None


def has_strong_id_name(name: str) -> bool:
    """Tell whether the name of a column says that it is an identifier, and can hardly mean anything else.

    >>> has_strong_id_name("visit_id"), has_strong_id_name("body mass index")
    (True, False)
    """
    return _STRONG_ID_NAME.search(_plain(name)) is not None


def names_somebody(name: str) -> bool:
    """Tell whether a column is named after what rows are about, such as patients or customers.

    >>> names_somebody("Patient"), names_somebody("sampleNo"), names_somebody("patient age"), names_somebody("order")
    (True, True, False, False)
    """
    return _SOMEBODY.search(_plain(name)) is not None


def is_time_name(name: str) -> bool:
    """Tell whether a column is named like a point or a span of time, whose values often number the rows."""
    return _TIME_NAME.search(_plain(name)) is not None


def _plain(name: str) -> str:
    return _CAMEL_CASE.sub("_", name).casefold()


def is_date_text(text: str) -> bool:
    """Tell whether a text is a date, such as 2024-01-31, 31.1.2024 or 2024-01-31T10:00."""
    return _IS_DATE.match(text) is not None
