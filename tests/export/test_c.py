"""C that compiles without a warning: headers, lags, names that mean something, and what C cannot say."""

import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains import random_schema
from evoter.export import to_c
from evoter.rules.errors import RuleError
from evoter.rules.interpreter import decide_series
from evoter.rules.model import Condition, Mode, Rule, RuleSet, Term
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Kind, Schema
from evoter.rules.stream import furthest_lag
from laws import examples
from tasks import as_rows, random_columns, random_ruleset

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="C needs a compiler: install gcc")
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2"]


def run(folder: Path, *sources: str, flags: tuple[str, ...] = ()) -> str:
    """Compile source files and return what the program prints."""
    done = subprocess.run(
        ["cc", *STRICT, *flags, *sources, "-o", "program", "-lm"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return subprocess.run([folder / "program"], capture_output=True, text=True, check=True).stdout


@needs_compiler
def test_a_program_includes_the_header(tmp_path: Path) -> None:
    ruleset = parse("""
        size > 2.5 AND "class" != red -> up; a - 0.5*size <= 1 -> sum; Default -> down
        where size: numeric; "class": one of red | blue; a: numeric; actions: up | sum | down
    """)
    (tmp_path / "judge.c").write_text(to_c(ruleset, "judge"), encoding="utf-8")
    (tmp_path / "judge.h").write_text(to_c(ruleset, "judge", header=True), encoding="utf-8")
    (tmp_path / "main.c").write_text(
        """
        #include <math.h>
        #include <stdio.h>
        #include "judge.h"
        #include "judge.h"
        int main(void)
        {
            struct judge_row row = {3.0, "blue", NAN};
            puts(judge(&row));
            row.class_1 = NULL;
            puts(judge(&row));
            row.a = 2.0;
            puts(judge(&row));
            return 0;
        }
        """,
        encoding="utf-8",
    )
    assert run(tmp_path, "main.c", "judge.c") == "up\ndown\nsum\n"


def literal(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return repr(float(value)).replace("inf", "INFINITY") if isinstance(value, int | float) else "NAN"


@needs_compiler
@examples(100)
@given(st.integers(0, 2**32), st.integers(0, 2), st.sampled_from(Mode))
def test_lags_read_earlier_rows(tmp_path_factory: pytest.TempPathFactory, seed: int, max_lag: int, mode: Mode) -> None:
    rng, folder = Random(seed), tmp_path_factory.mktemp("c")
    schema = Schema(random_schema(rng).features, ["go", "stop"], max_lag)
    ruleset = random_ruleset(rng, schema, mode)
    rows = as_rows(random_columns(rng, schema, 8), schema)
    text = {each.name for each in schema.features if each.kind is Kind.CATEGORICAL}
    cells = [
        ["NULL" if row[name] is None and name in text else literal(row[name]) for name in ruleset.features_used]
        for row in rows
    ]
    looks_back, several = furthest_lag(ruleset) > 0, mode is Mode.ALL
    arguments = ["rows + 7 - k", *(["rows + 8 - k", "k"] if looks_back else []), *(["taken"] if several else [])]
    answer = f"decide({', '.join(arguments)})"
    # The rows are stored with the latest first.
    (folder / "rules.c").write_text(
        f"""
        {to_c(ruleset)}
        #include <math.h>
        #include <stdio.h>
        int main(void)
        {{
            struct decide_row rows[8] = {{{", ".join("{" + ", ".join(row or ["0"]) + "}" for row in reversed(cells))}}};
            size_t k;
            for (k = 0; k < 8; k++) {{
                const char *taken[{max(1, len(ruleset.rules))}];
                size_t place, n = 1;
                {"n = " + answer if several else "taken[0] = " + answer};
                for (place = 0; place < n; place++) {{
                    printf("%s ", taken[place]);
                }}
                printf("\\n");
            }}
            return 0;
        }}
        """,
        encoding="utf-8",
    )
    taken = [tuple(line.split()) for line in run(folder, "rules.c").splitlines()]
    assert taken == [each.actions for each in decide_series(ruleset, rows).decisions]


@needs_compiler
def test_names_with_a_meaning_in_c_are_no_obstacle(tmp_path: Path) -> None:
    names = [
        "class",
        "NULL",
        "int",
        "x y",
        "X y",
        "1",
        "Größe",
        "linux",
        "is",
        "sum",
        "now",
        "before",
        "poll",
        "NAN",
        "taken",
    ]
    rules = [Rule([Condition(Term(name), ">", 0.0)], name) for name in names]
    ruleset = RuleSet(rules, names[0], Schema([Feature(name) for name in names], names))
    (tmp_path / "rules.c").write_text(f"{to_c(ruleset)}\nint main(void) {{ return 0; }}\n", encoding="utf-8")
    for standard in ("-std=c99", "-std=gnu99", "-std=gnu17"):
        assert run(tmp_path, "rules.c", flags=(standard,)) == ""


@needs_compiler
def test_fast_maths_is_refused_by_the_compiler(tmp_path: Path) -> None:
    (tmp_path / "rules.c").write_text(to_c(parse("x > 1 -> up; Default -> down")), encoding="utf-8")
    done = subprocess.run(
        ["cc", "-ffast-math", "-c", "rules.c"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "compile this file without it" in done.stderr


def test_no_memory_is_allocated() -> None:
    for mode in Mode:
        source = to_c(parse("x > 1 -> up; x > 2 -> up; y > 2 -> down; Default -> down").replace(mode=mode))
        assert not [word for word in ("alloc", "free(", "stdlib") if word in source]


def test_what_c_cannot_say_is_refused() -> None:
    with pytest.raises(RuleError, match=r"text in C cannot contain a null character, but there is one in 'a\\x00b'"):
        to_c(RuleSet([], "a\0b", Schema([], ["a\0b"])))
    for name in ("1st", "a b", "int", "vote", ""):
        with pytest.raises(RuleError, match=f"a function of C cannot be called {name!r}"):
            to_c(parse("x > 1 -> up; Default -> down"), name)
