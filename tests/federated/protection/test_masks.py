"""Tests of masks that cancel out."""

import stat
from pathlib import Path

import numpy as np
import pytest

from evoter.federated import FederatedClassifier, MessageError, PairwiseMasks, RefusedError, Site
from evoter.federated.messages import Agreement, Counted, Sketch, read_answer, write_request
from evoter.federated.protection.masks import PRIME, read_public_key, unmasked
from evoter.tables import infer_schema
from federated_tables import Unreliable, make_table


def keys_of(masks: dict[str, PairwiseMasks]) -> dict[str, str]:
    return {name: each.public_key for name, each in masks.items()}


def make(*names: str, **parameters: object) -> dict[str, PairwiseMasks]:
    return {name: PairwiseMasks(**parameters) for name in names}  # type: ignore[arg-type]


def test_the_group_is_that_of_rfc_3526() -> None:
    from decimal import Decimal, getcontext

    # Machin's formula for pi, in enough digits for 2**1918 * pi.
    getcontext().prec = 640

    def arctan(n: int) -> Decimal:
        term = total = Decimal(1) / n
        k = 1
        while term:
            term = -term / (n * n)
            total += term / (2 * k + 1)
            if abs(term) < Decimal(10) ** -630:
                break
            k += 1
        return total

    pi = 4 * (4 * arctan(5) - arctan(239))
    assert 2**2048 - 2**1984 - 1 + 2**64 * (int(Decimal(2) ** 1918 * pi) + 124476) == PRIME
    for base in (2, 3, 5, 7, 11):  # Fermat's test of the prime and of the order of its subgroup
        assert pow(base, PRIME - 1, PRIME) == 1
        assert pow(base, (PRIME - 1) // 2 - 1, (PRIME - 1) // 2) == 1


@pytest.mark.parametrize("n", [2, 3, 5])
def test_masks_cancel_out_in_the_sum_and_only_there(n: int) -> None:
    masks = make(*(f"site {k}" for k in range(n)))
    counts = {name: np.array([k, -k, 2**40 + k]) for k, name in enumerate(masks)}
    masked = [each.mask(name, keys_of(masks), b"request", counts[name]) for name, each in masks.items()]
    np.testing.assert_array_equal(unmasked(masked), sum(counts.values()))
    assert all(np.abs(part.view(np.int64)[:2]).min() > 2**20 for part in masked)
    assert np.abs(unmasked(masked[:-1])[:2]).min() > 2**20


def test_a_coordinator_sees_nothing_but_sums() -> None:
    """Attack: all answers of a masked run are kept, and looked at one by one and in every incomplete sum."""
    table, labels = make_table(120)
    owners = np.arange(120) % 3
    transport = Unreliable(
        [
            Site(table[owners == k], labels[owners == k], name=f"{k}", min_cell_count=1, masks=PairwiseMasks())
            for k in range(3)
        ],
        [],
    )
    FederatedClassifier(generations=1, population_size=20, random_state=0, settings={"refinement_moves": 1}).fit(
        transport
    )
    rounds = [{name: read_answer(answer) for name, answer in each.items()} for each in transport.answers]
    told = [[each.counts for each in answers.values() if isinstance(each, Counted)] for answers in rounds]
    counted = [[part.view(np.uint64) for part in parts] for parts in told if len(parts) == 3]
    assert len(counted) >= 5
    for parts in counted:
        total = unmasked(parts)
        assert total.min() >= 0
        assert total.max() <= 120
    for pick in ([0], [1], [2], [0, 1], [0, 2], [1, 2]):
        seen = np.concatenate([unmasked([parts[k] for k in pick]).view(np.uint64) for parts in counted])
        assert len(np.unique(seen)) == len(seen)
        for bit in range(64):  # every bit is a fair coin, whatever was counted
            ones = float(((seen >> np.uint64(bit)) & np.uint64(1)).mean())
            assert abs(ones - 0.5) < 5 * 0.5 / np.sqrt(len(seen))


def test_a_key_belongs_to_one_table(tmp_path: Path) -> None:
    """Attack: the same request before and after a row was added. Equal masks cancel out, and the row remains."""
    table, labels = make_table(60)
    other = PairwiseMasks()
    schema = infer_schema(table, actions=["sick", "well"])

    def answer(n_rows: int, path: Path, **parameters: object) -> np.ndarray:
        masks = PairwiseMasks(path=path)
        site = Site(table[:n_rows], labels[:n_rows], name="a", masks=masks, **parameters)  # type: ignore[arg-type]
        keys = {"a": masks.public_key, "b": other.public_key}
        told = read_answer(site.answer(write_request(Sketch(Agreement(schema, keys), (np.empty(0),) * 2))))
        assert isinstance(told, Counted)
        return told.counts

    plain: dict[str, object] = {"min_cell_count": 1}
    first = answer(59, tmp_path / "key", **plain)
    np.testing.assert_array_equal(answer(59, tmp_path / "key", **plain), first)  # a site that was started again
    for n_rows, parameters in ((60, plain), (59, {"min_cell_count": 3}), (59, {**plain, "features": ["age", "dose"]})):
        with pytest.raises(ValueError, match="were used for other rows"):
            answer(n_rows, tmp_path / "key", **parameters)
    kept = (tmp_path / "key.participants.json").read_text()
    (tmp_path / "key.participants.json").write_text(kept.replace('"table"', '"tabel"'))
    with pytest.raises(ValueError, match="damaged"):
        answer(59, tmp_path / "key", **plain)


def test_dropout_where_it_is_allowed_tells_what_one_site_counted() -> None:
    """What the documentation warns of: a coordinator that only claims that a site has left gets its counts."""
    masks = make("a", "b", "c", allow_dropout=True)
    counts = {name: np.array([k + 1, 7 * k]) for k, name in enumerate(masks)}

    def total(names: str) -> np.ndarray:
        keys = keys_of({name: masks[name] for name in names})
        return unmasked([masks[name].mask(name, keys, names.encode(), counts[name]) for name in names])

    np.testing.assert_array_equal(total("abc") - total("ab"), counts["c"])


def test_another_request_has_other_masks_and_the_same_has_the_same() -> None:
    masks = make("a", "b")
    counts = np.zeros(4, np.int64)
    first, again, other = (masks["a"].mask("a", keys_of(masks), r, counts) for r in (b"1", b"1", b"2"))
    np.testing.assert_array_equal(first, again)
    assert not (first == other).any()


def test_other_participants_are_refused_unless_dropout_is_allowed() -> None:
    masks = make("a", "b", "c")
    keys, fewer = keys_of(masks), keys_of({k: masks[k] for k in "ab"})
    masks["a"].mask("a", keys, b"1", np.zeros(1, np.int64))
    with pytest.raises(RefusedError, match="would tell the counts of single sites"):
        masks["a"].mask("a", fewer, b"1", np.zeros(1, np.int64))
    lenient = make("a", "b", "c", allow_dropout=True)
    lenient["a"].mask("a", keys_of(lenient), b"1", np.zeros(1, np.int64))
    lenient["a"].mask("a", keys_of({k: lenient[k] for k in "ab"}), b"1", np.zeros(1, np.int64))
    stranger = {**keys_of(lenient), "d": PairwiseMasks().public_key}
    with pytest.raises(RefusedError, match="masked for a, b, c"):
        lenient["a"].mask("a", stranger, b"1", np.zeros(1, np.int64))


def test_one_participant_is_no_sum() -> None:
    masks = make("a")
    with pytest.raises(RefusedError, match="1 participants"):
        masks["a"].mask("a", keys_of(masks), b"1", np.zeros(1, np.int64))
    with pytest.raises(ValueError, match="2 or more"):
        PairwiseMasks(min_participants=1)


def test_replaced_keys_are_refused() -> None:
    masks, thief = make("a", "b"), PairwiseMasks()
    masks["a"].check("a", keys_of(masks))
    with pytest.raises(RefusedError, match="not the one that is known"):
        masks["a"].check("a", {**keys_of(masks), "b": thief.public_key})
    wary = PairwiseMasks(trusted={"b": masks["b"].public_key})
    with pytest.raises(RefusedError, match="not the one that is known"):
        wary.check("a", {"a": wary.public_key, "b": thief.public_key})
    with pytest.raises(RefusedError, match="no site that is trusted"):
        wary.check("a", {"a": wary.public_key, "c": thief.public_key})
    with pytest.raises(RefusedError, match="public key of this site"):
        masks["a"].check("a", {**keys_of(masks), "a": thief.public_key})


@pytest.mark.parametrize("key", ["", "xyz", "0", "1", f"{PRIME - 1:x}", f"{PRIME:x}", "f" * 5_000])
def test_numbers_that_are_no_keys_are_refused(key: str) -> None:
    with pytest.raises(MessageError):
        read_public_key(key)


def test_the_key_and_the_participants_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "key"
    masks = PairwiseMasks(path=path)
    others = make("b", "c")
    keys = {"a": masks.public_key, **keys_of(others)}
    masks.check("a", keys)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = PairwiseMasks(path=path)
    assert again.public_key == masks.public_key
    del keys["c"]
    with pytest.raises(RefusedError, match="masked for a, b, c"):
        again.check("a", keys)
    path.write_text("no number")
    with pytest.raises(ValueError, match="damaged"):
        PairwiseMasks(path=path)
