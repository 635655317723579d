"""Secure aggregation: masks that each pair of sites agrees on and that cancel out in the sum, modulo 2 to the 64."""

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from evoter.federated.errors import MessageError, RefusedError
from evoter.kernels.layout import Ints, Words
from evoter.rules.files.writing import write_file

# The 2048-bit group of RFC 3526, number 14: 2**2048 - 2**1984 - 1 + 2**64 * (floor(2**1918 * pi) + 124476).
PRIME: Final = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD"
    "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
    "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F"
    "83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B"
    "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA0510"
    "15728E5A8AACAA68FFFFFFFFFFFFFFFF",
    16,
)
_GENERATOR: Final = 2
_SECRET_BITS: Final = 256


class PairwiseMasks:
    """The part of a site in secure aggregation: a key pair, and masks that cancel those of the other sites.

    Every two sites agree on a secret by their public keys (Diffie-Hellman), and for each request both derive the same
    mask from it, which one adds and the other subtracts. Each answer alone is noise; only the sum of the answers of
    all participants means something.

    The coordinator passes the public keys on. A coordinator that replaces them can unmask everything, so sites that do
    not trust it compare keys by other means and name them in `trusted`, by site. `path` is a file that keeps the key
    when the process ends, readable by its owner alone; the participants are kept beside it.

    A site answers for the same participants throughout: sums with and without a site tell its counts. With
    `allow_dropout` it answers for fewer of them if the coordinator says that some have left; `min_participants` is how
    many there must be. A key belongs to one table: the same request has the same masks, so that the answers of a site
    before and after a change of its rows would differ by nothing but what has changed.
    """

    def __init__(
        self,
        *,
        path: str | os.PathLike[str] | None = None,
        trusted: Mapping[str, str] | None = None,
        allow_dropout: bool = False,
        min_participants: int = 2,
    ) -> None:
        if min_participants < 2:
            raise ValueError(f"min_participants must be 2 or more, got {min_participants}: one answer is no sum")
        self.path = None if path is None else Path(path)
        self.trusted = dict(trusted or {})
        self.allow_dropout = allow_dropout
        self.min_participants = min_participants
        self._participants: tuple[str, ...] = ()
        self._keys: dict[str, str] = {}
        self._table = ""
        self._private = self._load()

    @property
    def public_key(self) -> str:
        """What other sites need to agree on masks with this one."""
        return f"{pow(_GENERATOR, self._private, PRIME):x}"

    def belong_to(self, table: bytes) -> None:
        """Say by a digest whose counts are masked: a table and how it is protected; refuse another one than before."""
        digest = hmac.new(f"{self._private:x}".encode(), table, "sha256").hexdigest()
        if self._table not in ("", digest):
            where = "these masks" if self.path is None else f"the key in {self.path}"
            raise ValueError(
                f"{where} were used for other rows, or for rows that were protected otherwise: answers to the same "
                "request would show what has changed. Make new ones, and begin a new run"
            )
        self._table = digest

    def mask(self, name: str, keys: Mapping[str, str], request: bytes, counts: Ints) -> Words:
        """Return the counts of the site `name` plus its masks; `keys` are those of all participants by name."""
        self.check(name, keys)
        masked = counts.astype(np.uint64)  # negative numbers wrap around, as in all sums modulo 2**64
        digest = hashlib.sha256(request).digest()
        for other in sorted(keys):
            if other == name:
                continue
            # The request is part of it: participants, for one, so that no mask is ever used for two different sums.
            stream = hashlib.shake_256(b"evoter mask" + self._secret(keys[other]) + digest).digest(8 * len(counts))
            mask = np.frombuffer(stream, np.dtype("<u8")).astype(np.uint64)
            masked = masked + mask if name < other else masked - mask
        return masked

    def _secret(self, key: str) -> bytes:
        shared = pow(read_public_key(key), self._private, PRIME)
        return hashlib.sha256(shared.to_bytes(256, "big")).digest()

    def check(self, name: str, keys: Mapping[str, str]) -> None:
        """Refuse to mask counts for these participants, unless nothing would be told by it."""
        if keys.get(name) != self.public_key:
            raise RefusedError("the request does not have the public key of this site: describe it again")
        for other, key in sorted(keys.items()):
            expected = self.trusted.get(other, self._keys.get(other, key))
            if self.trusted and other != name and other not in self.trusted:
                raise RefusedError(f"{other!r} is no site that is trusted here")
            if key != expected:
                raise RefusedError(f"the public key of {other!r} is not the one that is known here")
        participants = tuple(sorted(keys))
        if len(participants) < self.min_participants:
            raise RefusedError(
                f"{len(participants)} participants, and answers are masked for {self.min_participants} or more"
            )
        known = self._participants or participants
        if participants != known and not (self.allow_dropout and set(participants) <= set(known)):
            raise RefusedError(
                f"counts were masked for {', '.join(known)}: together with a sum over {', '.join(participants)}, they "
                "would tell the counts of single sites. Wait for all of them, or let sites allow dropout"
            )
        if known != self._participants:
            self._participants, self._keys = known, dict(keys)
            self._save()

    def _load(self) -> int:
        fresh = (1 << _SECRET_BITS - 1) | secrets.randbits(_SECRET_BITS - 1)
        if self.path is None:
            return fresh
        try:
            descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return self._read(self.path)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f"{fresh:x}\n")
        return fresh

    def _read(self, path: Path) -> int:
        known = _participants_file(path)
        try:
            if known.exists():
                kept = json.loads(known.read_text("utf-8"))
                self._keys = {str(name): str(key) for name, key in kept["participants"].items()}
                self._participants, self._table = tuple(sorted(self._keys)), str(kept["table"])
            return int(path.read_text("ascii"), 16)
        except (ValueError, AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"{path} or {known} is damaged: delete both, and begin a new run") from error

    def _save(self) -> None:
        if self.path is not None:
            kept = {"participants": self._keys, "table": self._table}
            write_file(_participants_file(self.path), json.dumps(kept) + "\n")


def _participants_file(path: Path) -> Path:
    """Return where the keys of all participants are kept, and a digest of the table: they are no secret."""
    return path.with_name(f"{path.name}.participants.json")


def read_public_key(key: str) -> int:
    """Return a public key as a number; refuse what cannot be one."""
    try:
        number = int(key, 16) if len(key) <= 512 else 0
    except (TypeError, ValueError):
        number = 0
    if not 1 < number < PRIME - 1:
        raise MessageError("a public key must be a number of the group, in hexadecimal digits")
    return number


def unmasked(answers: Sequence[Words]) -> Ints:
    """Return the sum of the masked counts of all participants, in which the masks cancel out."""
    total = np.zeros_like(answers[0])
    for answer in answers:
        total = total + answer
    counts: Ints = total.view(np.int64)
    return counts
