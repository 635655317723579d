"""Counts with their nouns, as people read them."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "rule"), counted(1200, "row"), counted(2, "category")
    ('1 rule', '1,200 rows', '2 categories')
    """
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun[:-1]}ies" if noun.endswith("y") else f"{number:,} {noun}s"
