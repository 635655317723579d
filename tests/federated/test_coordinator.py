"""Tests of the coordinator: sums, sites that do not answer, sites that lie, and secure aggregation."""

from collections.abc import Sequence

import numpy as np
import pytest

from evoter.federated import FederationError, InProcess, PairwiseMasks, Site, SiteRefusalError, SiteUnavailableError
from evoter.federated import coordinator as module
from evoter.federated.coordinator import Coordinator
from evoter.federated.messages import Counted, Refusal, read_answer, write_answer
from evoter.federated.populations import CodedRuleSets
from evoter.rules.parser import parse
from evoter.rules.schema import Schema
from evoter.tables import infer_schema
from federated_tables import Unreliable, deal, make_table

TABLE, LABELS = make_table(90)
SCHEMA = infer_schema(TABLE, actions=["sick", "well"])
RULES = [parse("age > 50 -> sick; Default -> well", schema=SCHEMA)]
CODED = CodedRuleSets.of_rulesets(RULES, SCHEMA, with_actions=False)
OWNERS = np.arange(90) % 3
NAMES = ("site 0", "site 1", "site 2")


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSE", 0.0)


def coordinate(transport: object, schema: Schema = SCHEMA, **parameters: object) -> Coordinator:
    coordinator = Coordinator(transport, **{"retry_seconds": 0.0, **parameters})  # type: ignore[arg-type]
    coordinator.agree(schema)
    return coordinator


def masked_sites(**parameters: object) -> list[Site]:
    return [
        Site(TABLE[k == OWNERS], LABELS[k == OWNERS], name=name, min_cell_count=1, masks=PairwiseMasks(**parameters))  # type: ignore[arg-type]
        for k, name in enumerate(NAMES)
    ]


def expected(*sites: int) -> list[list[int]]:
    rows = np.isin(OWNERS, sites)
    old, sick = TABLE["age"][rows] > 50, LABELS[rows] == "sick"
    return [[int((part & sick).sum()), int((part & ~sick).sum())] for part in (old, ~old)]


def test_counts_of_sites_are_added_up() -> None:
    tables, sites = coordinate(InProcess(deal(TABLE, LABELS, OWNERS))).tables(CODED)
    assert tables[0].tolist() == expected(0, 1, 2)
    assert sites == NAMES


def test_a_site_that_is_needed_is_asked_again() -> None:
    transport = Unreliable(deal(TABLE, LABELS, OWNERS), [["site 1"], ["site 1"]])
    tables, _sites = coordinate(transport, retry_seconds=60.0).tables(CODED)
    assert tables[0].tolist() == expected(0, 1, 2)
    assert len(transport.requests) == 4
    with pytest.raises(SiteUnavailableError, match=r"no answer from 'site 1'.*min_sites"):
        coordinate(Unreliable(deal(TABLE, LABELS, OWNERS), [["site 1"]] * 9)).tables(CODED)


def test_the_others_go_on_if_they_may_and_a_site_may_return() -> None:
    transport = Unreliable(deal(TABLE, LABELS, OWNERS), [["site 1"]])
    coordinator = coordinate(transport, min_sites=2)
    tables, sites = coordinator.tables(CODED)
    assert (tables[0].tolist(), sites) == (expected(0, 2), ("site 0", "site 2"))
    tables, sites = coordinator.tables(CODED)
    assert (tables[0].tolist(), sites) == (expected(0, 1, 2), NAMES)
    with pytest.raises(SiteUnavailableError, match="'site 0', 'site 1'"):
        coordinate(Unreliable(deal(TABLE, LABELS, OWNERS), [NAMES[:2]] * 9), min_sites=2).tables(CODED)


def test_masked_sums_are_the_same_and_single_answers_are_not() -> None:
    transport = Unreliable(masked_sites(), [])
    tables, _ = coordinate(transport).tables(CODED)
    assert tables[0].tolist() == expected(0, 1, 2)
    for name, answer in transport.answers[-1].items():
        own = np.array(expected(NAMES.index(name))).ravel()
        counted = read_answer(answer)
        assert isinstance(counted, Counted)
        assert np.abs(counted.counts.view(np.int64) - own).min() > 1_000


def test_a_masked_round_is_repeated_with_the_others_or_refused() -> None:
    transport = Unreliable(masked_sites(allow_dropout=True), [["site 2"]])
    coordinator = coordinate(transport, min_sites=2)
    tables, sites = coordinator.tables(CODED)
    assert (tables[0].tolist(), sites) == (expected(0, 1), NAMES[:2])
    assert len(transport.requests) == 3
    assert coordinator.tables(CODED)[1] == NAMES
    strict = coordinate(Unreliable(masked_sites(), [["site 2"]]), min_sites=2)
    with pytest.raises(SiteRefusalError, match="would tell the counts of single sites"):
        strict.tables(CODED)


def test_a_site_that_is_restarted_has_another_address_and_the_same_key(tmp_path: object) -> None:
    class Moved(InProcess):
        prefix = "1 "

        def addresses(self) -> Sequence[str]:
            return [self.prefix + name for name in super().addresses()]

        def ask(self, request: bytes, addresses: Sequence[str]) -> dict[str, bytes]:
            answers = super().ask(request, [name.removeprefix(self.prefix) for name in addresses])
            return {self.prefix + name: answer for name, answer in answers.items()}

    transport = Moved(masked_sites())
    coordinator = coordinate(transport)
    coordinator.tables(CODED)
    transport.prefix = "2 "
    assert coordinator.tables(CODED)[0][0].tolist() == expected(0, 1, 2)
    transport._sites = {site.name: site for site in masked_sites()}
    transport.prefix = "3 "
    with pytest.raises(FederationError, match="another key"):
        coordinator.tables(CODED)


class Liar:
    """A site that describes itself truly and answers all requests for counts with given bytes."""

    name = "site 0"

    def __init__(self, answer: bytes) -> None:
        self._site = Site(TABLE, LABELS, name=self.name, min_cell_count=1)
        self._answer = answer

    def answer(self, request: bytes) -> bytes:
        """Describe truly, count falsely."""
        return self._site.answer(request) if b'"describe"' in request[:200] else self._answer


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (b"", "cannot be used"),
        (b"x" * 1_000, "cannot be used"),
        (write_answer(Counted(np.array([1, 2, 3]))), "3 counts where 4"),
        (write_answer(Counted(np.array([1, 2, 3, -4]))), "no rows can have"),
        (write_answer(Counted(np.array([1, 2, 3, 2**60]))), "no rows can have"),
        (write_answer(Counted(np.ones(4, np.uint64))), "counts where 4"),
        (write_answer(Site(TABLE, LABELS, name="site 0").summary), "something else"),
        (write_answer(Refusal("a bad day")), "refuses: a bad day"),
    ],
)
def test_false_answers_are_errors_that_name_the_site(answer: bytes, message: str) -> None:
    with pytest.raises(FederationError, match=message) as caught:
        coordinate(InProcess([Liar(answer)])).tables(CODED)
    assert "site 0" in str(caught.value)


def test_masks_that_do_not_cancel_out_are_noticed() -> None:
    sites = masked_sites()
    transport = Unreliable(sites, [])
    coordinator = coordinate(transport)
    sites[1].masks = PairwiseMasks()
    with pytest.raises(SiteRefusalError, match="public key of this site"):
        coordinator.tables(CODED)
    broken = Unreliable(masked_sites(), [])
    coordinator = coordinate(broken)
    broken.sites["site 1"].answer = lambda request: write_answer(Counted(np.ones(4, np.uint64)))  # type: ignore[method-assign]
    with pytest.raises(FederationError, match="do not cancel out"):
        coordinator.tables(CODED)


def test_sites_must_be_there_and_have_names_of_their_own() -> None:
    with pytest.raises(SiteUnavailableError, match="start the sites first"):
        Coordinator(InProcess([]))
    with pytest.raises(ValueError, match="different names"):
        InProcess([Liar(b""), Liar(b"")])
    with pytest.raises(ValueError, match="min_sites must be 1 to 3"):
        Coordinator(InProcess(deal(TABLE, LABELS, OWNERS)), min_sites=4)
    mixed = [*masked_sites()[:2], deal(TABLE, LABELS, OWNERS)[2]]
    with pytest.raises(FederationError, match="'site 2' does not mask"):
        Coordinator(InProcess(mixed))
