"""A session: one open project with its table, and everything that people do with its rules."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from threading import RLock
from typing import Any

import evoter
from evoter.analysis.edit_effects import differ_in_marks_only
from evoter.proofs import equivalent, prove
from evoter.proofs.result import ProofResult, Status
from evoter.proofs.statements import conditions_of, read_statement
from evoter.rules.editing.logged_rules import login_name
from evoter.rules.errors import RuleError
from evoter.rules.interpreter import decide_now
from evoter.rules.model import RuleSet
from evoter.studio.answers.cards import EditedRules
from evoter.studio.answers.cases import explain_case, read_values
from evoter.studio.answers.open_rows import OpenRows
from evoter.studio.errors import StudioError
from evoter.studio.project import EditConflictError, ImportOutcome, ImportPlan, Project, ProjectError, Version
from evoter.studio.session.editing import Draft, make_edits, read_edits
from evoter.studio.session.events import BYE, Events
from evoter.studio.session.evolving import EvolutionRun, RunSettings, RunState, TrainingData
from evoter.studio.session.guardrails import Definition
from evoter.studio.session.history import compare_texts, describe_version, describe_versions
from evoter.studio.session.opening import OpenTable, corrections_of, divide, matched, open_rows, open_table
from evoter.studio.session.proofs import EDIT, EDIT_SECONDS, QUESTION, QUESTION_SECONDS, Proof, ProofQueue
from evoter.studio.session.rails import SessionGuardrails
from evoter.studio.session.rebasing import rebase_edits
from evoter.studio.session.signing import Signing
from evoter.studio.table.columns import StudioTable
from evoter.studio.table.parts import TEST_SHARE, TRAINING, VALIDATION, VALIDATION_SHARE, Parts

SAME_DECISIONS = "the same decisions on every input"


class Session:
    """An open project; all methods may be called from any thread and return what JSON can hold.

    `project` is opened and closed by whoever makes the session; `close` ends the threads of the session.
    """

    table: StudioTable
    parts: Parts
    classes: tuple[str, ...]
    protected: tuple[str, ...]
    favourable: str | None
    rows: OpenRows

    def __init__(
        self,
        table: StudioTable,
        project: Project,
        *,
        favourable: str | None = None,
        author: str | None = None,
        test: float = TEST_SHARE,
        validation: float = VALIDATION_SHARE,
        seed: int = 0,
    ) -> None:
        self.project = project
        self.author = author or login_name()
        self.events = Events()
        self.proofs = ProofQueue(self.events)
        self.lock = RLock()
        self._table_revision = 1
        self._whole_table = table
        # Of the table without corrections: they must not divide its rows otherwise when the project is opened again.
        parts, split = divide(table, project.split, test=test, validation=validation, seed=seed)
        self._take(open_table(table, parts, project))
        if project.split is None:
            project.set_split(split)
        if favourable is not None and favourable != project.favourable:
            if favourable not in self.classes:
                known = ", ".join(self.classes)
                raise RuleError(f"favourable: there is no class {favourable!r}; the classes are {known}")
            project.set_favourable(favourable, author=self.author)
            self.favourable = self.rows.favourable = favourable
        self.evolution = EvolutionRun(self.events, self._candidate_figures)
        self.guardrails = SessionGuardrails(self)
        self.signing = Signing(self)

    def _take(self, opened: OpenTable) -> None:
        """Work on a table as it was opened from now on."""
        self.table, self.parts, self.classes = opened.table, opened.parts, opened.classes
        self.protected, self.favourable, self.rows = opened.protected, opened.favourable, opened.rows

    def close(self) -> None:
        """End everything that runs in the background, and tell those who listen."""
        self.events.tell(BYE, {})
        self.evolution.close()
        self.proofs.close()

    # What the project is.

    def describe(self) -> dict[str, Any]:
        """Return what the project is about and how far it is."""
        project, plan = self.project, self.table.plan
        return {
            "name": project.setup.title or project.path.stem,
            "file": project.path.name,
            "evoter": evoter.__version__,
            "table": self.table.source.name,
            "target": plan.target,
            "classes": list(self.classes),
            "favourable": self.favourable,
            "favourable_stated": self.favourable is not None and self.favourable == project.favourable,
            "protected": list(self.protected),
            "identifier": plan.identifier,
            "author": self.author,
            "rows": {
                "total": self.table.source.n_rows,
                "unlabelled": plan.n_unlabelled,
                "training": len(self.parts.training),
                "validation": len(self.parts.validation),
                "test": len(self.parts.test),
            },
            "split": None
            if project.split is None
            else {"seed": project.split.seed, "sha256": dict(project.split.sha256)},
            "head": self._head,
            "openings": len(project.openings),
            "signed": sorted({each.version for each in project.sign_offs}),
            "guardrail_revision": self.guardrails.revision,
            "table_revision": self._table_revision,
            "evolution": str(self.evolution.state),
        }

    @property
    def _head(self) -> int | None:
        return None if self.project.current is None else self.project.current.number

    def edited(self, version: Version) -> EditedRules:
        """Return the rules of a version, which may decide all classes of the table."""
        return EditedRules(matched(version.ruleset, self.classes), frozenset(version.off))

    def version(self, number: int | None) -> Version:
        """Return a version by number, by default the current one."""
        if number is None:
            current = self.project.current
            if current is None:
                raise StudioError("no_rules", "there are no rules yet", "evolve some, and pick a candidate")
            return current
        try:
            return self.project.version(number)
        except ProjectError as error:
            raise StudioError("unknown", str(error)) from None

    # The table.

    def describe_table(self) -> dict[str, Any]:
        """Return what each column was taken for, with doubts."""
        return {
            "columns": self.table.describe(self.protected),
            "messages": self.table.messages(),
            "revision": self._table_revision,
        }

    def correct_column(
        self, column: str, to: str, *, revision: int, reason: str, author: str | None, tab: str = ""
    ) -> dict[str, Any]:
        """Take a column for something else; refuse it while the current rules read the column as it is."""
        with self.lock:
            self.check_revision("table", revision, self._table_revision)
            corrections = {**corrections_of(self.project), column: to}
            table = self._whole_table.corrected(corrections)
            self._check_columns(table, column)
            rows = open_rows(table, self.parts, self.classes, self.protected, self.favourable)
            kept = {name: {"to": each} for name, each in corrections.items()}
            self.project.set_columns(kept, reason=reason, author=author or self.author)
            self.table, self.rows = table, rows
            self.signing.forget_rows()
            self._table_revision += 1
        self.events.tell("table", {"revision": self._table_revision, "tab": tab})
        return self.describe_table()

    def _check_columns(self, table: StudioTable, column: str) -> None:
        """Refuse a table in which a column that rules read is no feature any more, or of another kind."""
        before = {view.name: view.kind for view in self.table.plan.features}
        after = {view.name: view.kind for view in table.plan.features}
        current = self.project.current
        if current is not None and column in current.ruleset.features_used and before.get(column) != after.get(column):
            readers = [
                str(number)
                for number, rule in enumerate(current.ruleset.rules, start=1)
                if any(term.feature == column for each in rule.conditions for term in each.terms)
            ]
            hint = "remove these conditions first, or evolve other rules afterwards"
            raise StudioError("in_use", f"{column!r} is read by rule {', '.join(readers)}", hint)
        if table.plan.identifier != self.table.plan.identifier and table.plan.rows_repeat_identifiers:
            hint = "begin another project with --id, so that its rows are divided by it"
            raise StudioError("in_use", f"the rows are divided already, without regard to {column!r}", hint)

    def histogram(self, column: str, n_bins: int) -> dict[str, Any]:
        """Return how the values of a column are spread over the classes."""
        return self.rows.histogram(column, n_bins)

    def set_favourable(self, action: str, *, author: str | None, tab: str = "") -> dict[str, Any]:
        """Say which decision is the favourable one when groups are compared."""
        with self.lock:
            if action not in self.classes:
                known = ", ".join(self.classes)
                raise StudioError(
                    "invalid", f"there is no class {action!r}; the classes are {known}", field="favourable"
                )
            if action != self.project.favourable:
                self.project.set_favourable(action, author=author or self.author)
                self.favourable = self.rows.favourable = action
        self.events.tell("project", {"tab": tab})
        return self.describe()

    def import_file(self, content: bytes, *, reason: str, author: str | None, tab: str = "") -> dict[str, Any]:
        """Take in a project file from elsewhere, if it verifies and its rules fit the table.

        A file that continues this project is added; in a project that nobody has worked on yet, any other project about
        the same rows is continued; of all others, the current rules become a version. Where rules were evolved, nothing
        is taken over: test rows of the other project may be among those that they were evolved from.
        """
        try:
            plan = self.project.plan_import(content, take_over=self.evolution.state is RunState.IDLE)
            with self.lock:
                if plan.outcome is ImportOutcome.OPENED and self.evolution.state is not RunState.IDLE:
                    raise EditConflictError("rules have begun to evolve while the file was read; import it again")
                opened = self._planned(plan)
                outcome, version = self.project.apply_import(plan, reason=reason, author=author or self.author)
                if opened is not None:
                    self._take(opened)
                    self.signing.forget_rows()
                    self._table_revision += 1
                    self.guardrails.revision += 1
        except EditConflictError as error:
            raise StudioError("conflict", str(error)) from None
        except RuleError as error:
            raise StudioError("import", str(error), "nothing was changed") from None
        if outcome != ImportOutcome.SAME:
            self.events.tell("project", {"tab": tab})
        return {"outcome": str(outcome), "version": None if version is None else version.number}

    def _planned(self, plan: ImportPlan) -> OpenTable | None:
        """Return the table as the project will see it after an import; refuse one whose rules do not fit the table."""
        if plan.outcome is ImportOutcome.SAME:
            return None
        if plan.outcome is ImportOutcome.BRANCH:
            theirs = plan.state.current
            assert theirs is not None  # or else there is no such plan
            self.rows.rows.decide(self.edited(theirs).active)
            return None
        recorded, setup = plan.state.split, plan.state.setup
        if setup is None or setup.identifier != self.project.setup.identifier or recorded is None:
            raise StudioError(
                "import",
                "the file identifies rows otherwise than this project",
                "start the studio with the file itself",
            )
        parts, _ = divide(self._whole_table, recorded, test=0.0, validation=0.0, seed=0)
        try:
            opened = open_table(self._whole_table, parts, plan.state)
            Definition.of(plan.state.guardrails).read(opened.rows.schema)
        except RuleError:
            raise  # it says in plain words what does not fit
        except (KeyError, TypeError, ValueError) as error:
            raise StudioError("import", f"its columns or guardrails cannot be read ({error!r})") from None
        return opened

    # Rules, versions and edits.

    def rules(self, version: int | None = None) -> dict[str, Any]:
        """Return the rules of a version as cards."""
        found = self.version(version)
        return self.rows.rules(self.edited(found), found.number)

    def effect(self, base: int, edits: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return what edits of a version would change; nothing is saved."""
        edited = self.edited(self.version(base))
        return {"base": base} | self._answer(edited, self._draft(edited, edits), None)

    def save(
        self,
        base: int,
        edits: Sequence[Mapping[str, Any]],
        *,
        reason: str,
        author: str | None,
        tab: str = "",
    ) -> dict[str, Any]:
        """Make a version of edits to the current one; a conflict if another one is current by now."""
        with self.lock:
            before = self.edited(self.version(base))
            draft = self._draft(before, edits)
            return self._saved(before, draft, base=base, origin="edit", reason=reason, author=author, tab=tab)

    def rebase(self, base: int, onto: int, edits: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return edits of one version as another needs them, whose rules may have other numbers; nothing is saved."""
        sides = [(each, self.rows.editable_schema(each.ruleset)) for each in map(self._edited_number, (base, onto))]
        found = rebase_edits(sides[0], sides[1], onto, read_edits(edits))
        return {
            "base": onto,
            "edits": [{"operation": operation, "arguments": list(arguments)} for operation, arguments in found.edits],
            "refused": [each.to_dict() for each in found.refused],
            "made_already": found.n_made_already,
        }

    def _edited_number(self, number: int) -> EditedRules:
        return self.edited(self.version(number))

    def move_head(self, base: int, version: int, *, reason: str, author: str | None, tab: str = "") -> dict[str, Any]:
        """Undo, redo, or go to another branch."""
        with self.lock:
            self.version(version)
            undo, redo = self.project.undo_target, self.project.redo_target
            who = author or self.author
            if undo is not None and undo.number == version:
                self._change(lambda: self.project.undo(author=who, expected=base))
            elif redo is not None and redo.number == version:
                self._change(lambda: self.project.redo(author=who, expected=base))
            else:
                self._change(lambda: self.project.go_to(version, author=who, reason=reason, expected=base))
            found = self.version(None)
        self._tell_version(found, tab)
        return {"head": found.number, "rules": self.rules(), "versions": self.versions()}

    def versions(self) -> dict[str, Any]:
        """Return the history."""
        return describe_versions(self.project)

    def compare(self, a: int, b: int) -> dict[str, Any]:
        """Return two versions side by side: text and meaning."""
        one, other = self.version(a), self.version(b)
        before, after = self.edited(one), self.edited(other)
        return {
            "a": describe_version(self.project, one),
            "b": describe_version(self.project, other),
            **compare_texts(before, after),
            "effect": self.rows.effect(before.active, after.active),
            "proof": self._same_decisions(before.active, after.active).to_dict(),
        }

    def rule_file(self, version: int | None) -> bytes:
        """Return the JSON file of the rules that decide in a version."""
        return self.project.rule_file(self.version(version).number)

    def _draft(self, edited: EditedRules, edits: Sequence[Mapping[str, Any]]) -> Draft:
        draft = make_edits(edited, self.rows.editable_schema(edited.ruleset), read_edits(edits))
        if draft.rules.ruleset.schema.actions != self.classes:
            raise StudioError(
                "rule", f"rules decide {', '.join(self.classes)}", "leave the actions as they are", edit=0
            )
        return draft

    def _answer(self, before: EditedRules, draft: Draft, version: int | None) -> dict[str, Any]:
        old, new = before.active, draft.rules.active
        return {
            "changes": list(draft.changes),
            "rules": self.rows.rules(draft.rules, version),
            "effect": self.rows.effect(old, new),
            "guardrails": self.guardrails.violations(new),
            "proof": self._same_decisions(old, new).to_dict(),
        }

    def _saved(
        self,
        before: EditedRules | None,
        draft: Draft,
        *,
        base: int | None,
        origin: str,
        reason: str,
        author: str | None,
        tab: str,
    ) -> dict[str, Any]:
        rules = draft.rules
        answer = self._answer(before or rules, draft, None)
        summary = {"lines": answer["effect"]["lines"], "validation": answer["effect"][VALIDATION]} if before else {}
        version = self._change(
            lambda: self.project.add_version(
                rules.ruleset,
                parent=base,
                reason=reason,
                author=author or self.author,
                origin=origin,
                off=sorted(rules.off),
                steps=draft.steps,
                changes=draft.changes,
                effect=summary,
            )
        )
        answer["rules"]["version"] = version.number
        self._tell_version(version, tab)
        return answer | {"version": describe_version(self.project, version)}

    def _change(self, change: Callable[[], Version]) -> Version:
        """Change the project; a conflict is answered with what is current by now."""
        try:
            return change()
        except EditConflictError as error:
            current = self.version(None)
            raise StudioError(
                "conflict",
                str(error),
                "your edits are still here: look at what changed, then make them again",
                head=describe_version(self.project, current),
                rules=self.rules(),
            ) from None
        except RuleError as error:
            raise StudioError("invalid", str(error)) from None

    def _tell_version(self, version: Version, tab: str) -> None:
        described = describe_version(self.project, version)
        self.events.tell("version", {"head": self._head, "version": described, "tab": tab})

    # Proofs.

    def proof(self, number: int) -> dict[str, Any]:
        """Return a proof by its number."""
        found = self.proofs.get(number)
        if found is None:
            raise StudioError("unknown", f"there is no proof {number}")
        return found.to_dict()

    def prove(self, version: int | None, statement: str) -> dict[str, Any]:
        """Ask whether a statement such as "age < 18 -> never opioid" holds on every input."""
        active = self.edited(self.version(version)).active
        asked = active.replace(schema=self.rows.editable_schema(active))
        work = partial(prove, asked, statement, max_seconds=QUESTION_SECONDS)
        # What cannot be read is refused here, before it is proved in the background.
        _typed(lambda: {"conditions": conditions_of(read_statement(statement, asked)[0], asked.schema)})
        return self.proofs.ask(statement, work, key=("that", asked, statement), urgency=QUESTION).to_dict()

    def _same_decisions(self, before: RuleSet, after: RuleSet) -> Proof:
        """Tell whether two rule sets decide alike everywhere; a row that is decided otherwise settles it."""
        if differ_in_marks_only(before, after):
            return self.proofs.settled(SAME_DECISIONS, ProofResult(SAME_DECISIONS, Status.PROVED, method="form"))
        row = self.rows.changed_row(before, after)
        if row is not None:
            read = dict.fromkeys([*before.features_used, *after.features_used])
            decisions = tuple((self._decision(each, row),) for each in (before, after))
            point = {name: row[name] for name in read}
            found = ProofResult(
                SAME_DECISIONS, Status.REFUTED, counterexample=point, decisions=decisions, method="samples"
            )
            return self.proofs.settled(SAME_DECISIONS, found)
        work = partial(equivalent, before, after, max_seconds=EDIT_SECONDS)
        return self.proofs.ask(SAME_DECISIONS, work, key=("same", before, after), urgency=EDIT, slot="edit")

    @staticmethod
    def _decision(ruleset: RuleSet, row: Mapping[str, Any]) -> str:
        return decide_now(ruleset, [dict(row)]).action

    # Slices and cases.

    def slice(self, version: int | None, conditions: str, part: str) -> dict[str, Any]:
        """Return the figures of the rows on which conditions hold."""
        return _typed(lambda: self.rows.slice(self.edited(self.version(version)), conditions, part))

    def listed(self, version: int | None, conditions: str, part: str, **filters: Any) -> dict[str, Any]:
        """Return some of the rows on which conditions hold."""
        return _typed(lambda: self.rows.listed(self.edited(self.version(version)), conditions, part, **filters))

    def audit(
        self,
        version: int | None,
        part: str,
        columns: Sequence[str] | None,
        favourable: str | None,
        bands: Mapping[str, Sequence[float]] | None,
    ) -> dict[str, Any]:
        """Return how the groups of protected columns, or of others, fare."""
        chosen = self.protected if columns is None else columns
        if not chosen:
            hint = "name a column, or begin the project with --protected"
            raise StudioError("invalid", "no column is protected in this project", hint, field="columns")
        edited = self.edited(self.version(version))
        return _typed(lambda: self.rows.audit(edited, part, chosen, favourable, bands))

    def case(
        self,
        version: int | None,
        *,
        row: int | None,
        identifier: str | None,
        values: Mapping[str, Any],
        to: str | None,
        fixed: Sequence[str],
    ) -> dict[str, Any]:
        """Return the decision on a row, on a row with other values, or on values alone."""
        edited = self.edited(self.version(version))
        schema = self.rows.editable_schema(edited.ruleset)
        given = _typed(lambda: read_values(values, schema))
        answer: dict[str, Any] = {"row": None, "identifier": None, "part": None, "label": None, "original": None}
        original: dict[str, Any] | None = None
        if row is not None or identifier is not None:
            index = self.rows.find(row, identifier)
            original = self.rows.rows.values(index)
            answer |= self.rows.name_row(index)
            answer |= {"label": self.classes[self.rows.rows.labels[index]], "original": original}
        elif not given:
            raise StudioError("invalid", "give a row, an identifier, or values", field="row")
        whole = dict.fromkeys(schema.names) | (original or {}) | given
        found = _typed(lambda: explain_case(edited, whole, to=to, fixed=fixed))
        before = None if original is None else self._decision(edited.active, original)
        return answer | {"values": whole, "original_decision": before} | found

    def check_revision(self, what: str, given: int, current: int) -> None:
        """Refuse a change of something that was changed in the meantime."""
        if given != current:
            message = f"somebody changed the {what} in the meantime"
            raise StudioError("conflict", message, "look at it again, then try again", revision=current)

    # Evolution.

    def start_evolution(self, settings: RunSettings) -> dict[str, Any]:
        """Begin to evolve rules from the training rows, within the guardrails of the project."""
        with self.lock:
            positions = self.parts.training.tolist()
            plan = self.table.plan
            parameters = self.guardrails.definition.parameters()
            parameters |= {"categorical": plan.categorical, "units": plan.units or None}
            if settings.from_head:
                parameters["initial_rulesets"] = [self.edited(self.version(None)).active.restricted()]
            if settings.limits and not self.protected and any("_difference" in name for name in settings.limits):
                raise StudioError("invalid", "limits on groups need a protected column", field="limits")
            protected = {name: self.table.values(name) for name in self.protected} if settings.limits else {}
            data = TrainingData(
                plan.frame[positions],
                [plan.labels[position] for position in positions],
                {name: [values[position] for position in positions] for name, values in protected.items()},
                parameters,
            )
            self.evolution.start(settings, data)
        return self.evolution.to_dict()

    def candidate(self, number: int) -> dict[str, Any]:
        """Return a rule set of the front, and what it would change."""
        edited = EditedRules(matched(self.evolution.candidate(number), self.classes))
        current = self.project.current
        effect = None if current is None else self.rows.effect(self.edited(current).active, edited.active)
        return {"number": number, "rules": self.rows.rules(edited, None), "effect": effect}

    def pick(self, number: int, *, base: int | None, reason: str, author: str | None, tab: str = "") -> dict[str, Any]:
        """Make a rule set of the front the current version."""
        with self.lock:
            chosen = EditedRules(matched(self.evolution.candidate(number), self.classes))
            before = None if base is None else self.edited(self.version(base))
            draft = Draft(chosen, (f"rules of candidate {number} of the front",), ())
            return self._saved(before, draft, base=base, origin="evolve", reason=reason, author=author, tab=tab)

    def _candidate_figures(self, ruleset: RuleSet) -> dict[str, Any]:
        rows = self.rows.rows
        right = rows.decide(matched(ruleset, self.classes), keep=False).right
        return {
            "accuracy": float(right[self.rows.masks[TRAINING]].mean()),
            "validation": float(right[self.rows.masks[VALIDATION]].mean()),
        }


def _typed(answer: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return an answer about text that somebody typed; say where the text is wrong."""
    try:
        return answer()
    except RuleError as error:
        raise StudioError.about_rule(error) from None
