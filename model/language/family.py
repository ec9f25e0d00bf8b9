"""Families: the sets that variables are indexed by and choices are made from.

The members of a *symmetric* family (cards) are `Element`s: they serve as indices and compare equal or not, and that is
all. A rule that orders them or computes with their numbers would depend on how the deck happens to be numbered,
and symmetry arguments (proving for representative cards, merging states that differ in numbering) would be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from model.language.errors import RuleError


class Element(int):
    """A member of a symmetric family: an index without order or arithmetic."""

    def _numbered(self, *others: Any) -> NoReturn:
        raise RuleError(
            f"the rule depends on the number of element {int(self)}",
            "Elements of a symmetric family may only be compared with == and used as an index; decide by an attribute",
        )

    __lt__ = __le__ = __gt__ = __ge__ = _numbered
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = _numbered
    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __truediv__ = __rtruediv__ = __bool__ = _numbered
    __divmod__ = __rdivmod__ = __pow__ = __rpow__ = __abs__ = __pos__ = __invert__ = _numbered
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _numbered
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _numbered
    __eq__ = int.__eq__
    __ne__ = int.__ne__
    __hash__ = int.__hash__


class Family(Sequence[Any]):
    """A named, ordered set with a label for each member.

    Args:
        name: how declarations and messages call it.
        members: hashable values; plain ints that are not symmetric, `Element`s that are, or tuples of them.
        labels: one text a member, unique: what logs, saved games and users see.
        kinds: for symmetric families, a tag a member; members of one kind are interchangeable in proofs.
    """

    def __init__(
        self, name: str, members: Sequence[Any], labels: Sequence[str], kinds: Sequence[Any] | None = None
    ) -> None:
        if len(set(labels)) != len(members):
            raise RuleError(
                f"family {name} has {len(members)} members but {len(set(labels))} labels", "Make labels unique"
            )
        self.name = name
        self.members = tuple(members)
        self.labels = tuple(labels)
        self.label = dict(zip(self.members, self.labels, strict=True))
        self.by_label = dict(zip(self.labels, self.members, strict=True))
        self.kind = dict(zip(self.members, kinds, strict=True)) if kinds is not None else {}

    def __len__(self) -> int:
        return len(self.members)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.members)

    def __getitem__(self, index: Any) -> Any:
        return self.members[index]

    def __repr__(self) -> str:
        return f"Family({self.name!r}, {len(self.members)} members)"
