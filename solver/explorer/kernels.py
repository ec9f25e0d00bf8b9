"""The loops around the compiled rules, as LLVM text: keys, the hash table, and gathering what is new.

They do what `packing.Packing.keys`, `visited.Visited` and the search do with NumPy, with the same result: of equal
states the first one is kept, "first" by the path that leads there and then by the row. So candidates are put into that
order before they are inserted; by counting, as there are few paths. Each core owns a range of hash values, so that
equal states meet on one core; places of the table are claimed by compare-and-swap, as a run of full places may end
in the range of the next.
"""

from __future__ import annotations

from solver.explorer.packing import Packing

AHEAD = 16  # how many candidates ahead a place of the table is fetched; arrays of candidates are longer by as many

_SIGNED = 2**64


def _signed(value: int) -> int:
    return value - _SIGNED if value >= _SIGNED // 2 else value


_SPREAD = _signed(0x9E3779B97F4A7C15)


def _loop(name: str, parameters: str, body: str, setup: str = "") -> str:
    """A function that does something for each %i from %first to before %last."""
    return f"""
define i64 @{name}(i64 %first, i64 %last, {parameters}) {{
entry:
{setup}
br label %loop
loop:
%i = phi i64 [%first, %entry], [%next, %continue]
%more = icmp slt i64 %i, %last
br i1 %more, label %body, label %end
body:
{body}
br label %continue
continue:
%next = add i64 %i, 1
br label %loop
end:
ret i64 0
}}
"""


def _at(name: str, kind: str, table: str, index: str) -> str:
    """Load into %name what stands in a table; its address is %name.at."""
    return f"%{name}.at = getelementptr {kind}, ptr %{table}, i64 {index}\n%{name} = load {kind}, ptr %{name}.at\n"


def _hash(name: str, key: str) -> str:
    return f"""%{name}.a = lshr i64 {key}, 29
%{name}.b = xor i64 {key}, %{name}.a
%{name} = mul i64 %{name}.b, {_SPREAD}
"""


def _bucket() -> str:
    """%bucket of %key and %rank: the owner of the key, and within it the rank."""
    return f"""{_hash("hash", "%key")}%high = lshr i64 %hash, 32
%share = mul i64 %high, %owners
%owner = lshr i64 %share, 32
%base = mul i64 %owner, %size
%rank.wide = zext i32 %rank to i64
%bucket = add i64 %base, %rank.wide
"""


def _probe() -> str:
    """Look for %key from %place on; go to %known or, having put it there, to %new."""
    return """br label %probe
probe:
%p = phi i64 [%place, %body], [%following, %onward]
%at = getelementptr i64, ptr %table, i64 %p
%found = load atomic i64, ptr %at monotonic, align 8
%same = icmp eq i64 %found, %key
br i1 %same, label %known, label %other
other:
%vacant = icmp eq i64 %found, -1
br i1 %vacant, label %claim, label %onward
claim:
%pair = cmpxchg ptr %at, i64 -1, i64 %key monotonic monotonic
%won = extractvalue {i64, i1} %pair, 1
br i1 %won, label %new, label %onward
onward:
%p.next = add i64 %p, 1
%following = and i64 %p.next, %mask
br label %probe
"""


_MASK = """%shift = sub i64 64, %bits
%places = shl i64 1, %bits
%mask = sub i64 %places, 1
"""


def _keyed(packing: Packing) -> str:
    """keys[i] of each candidate, and how many there are in each bucket."""
    body = [_at("w0", "i64", "words", "%i")]
    key, offset = "%w0", "%i"
    names = iter(range(10**6))

    def value(text: str) -> str:
        name = f"%k{next(names)}"
        body.append(f"{name} = {text}\n")
        return name

    def mixed(key: str) -> str:
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            key = value(f"xor i64 {key}, {value(f'lshr i64 {key}, {shift}')}")
            key = value(f"mul i64 {key}, {_signed(factor)}")
        return value(f"xor i64 {key}, {value(f'lshr i64 {key}, 31')}")

    if not packing.exact:
        key = mixed(value(f"xor i64 %w0, {_SPREAD}"))
        for word in range(1, packing.words):
            offset = value(f"add i64 {offset}, %capacity")
            body.append(_at(f"w{word}", "i64", "words", offset))
            key = value(f"mul i64 {key}, {_signed(0x9FB21C651E98DF25)}")
            key = mixed(value(f"xor i64 {key}, %w{word}"))
        key = value(f"and i64 {key}, {2**63 - 1}")
    body.append(f"%key = or i64 {key}, 0\n")
    body.append("%key.at = getelementptr i64, ptr %keys, i64 %i\nstore i64 %key, ptr %key.at\n")
    body.append(_at("rank", "i32", "ranks", "%i") + _bucket() + _at("count", "i64", "counts", "%bucket"))
    body.append("%count.next = add i64 %count, 1\nstore i64 %count.next, ptr %count.at")
    parameters = "ptr %words, i64 %capacity, ptr %ranks, ptr %keys, ptr %counts, i64 %owners, i64 %size"
    return _loop("keyed", parameters, "".join(body))


def text(packing: Packing) -> str:
    """All loops, for states packed like this."""
    ordered = _loop(
        "ordered",
        "ptr %ranks, ptr %keys, ptr %cursors, ptr %order, i64 %owners, i64 %size",
        _at("key", "i64", "keys", "%i") + _at("rank", "i32", "ranks", "%i") + _bucket()
        + _at("cursor", "i64", "cursors", "%bucket")
        + """%cursor.next = add i64 %cursor, 1
store i64 %cursor.next, ptr %cursor.at
%short = trunc i64 %i to i32
%slot = getelementptr i32, ptr %order, i64 %cursor
store i32 %short, ptr %slot""",
    )  # fmt: skip
    insert = _loop(
        "insert",
        "ptr %order, ptr %keys, ptr %table, i64 %bits, ptr %fresh",
        f"%later = add i64 %i, {AHEAD}\n" + _at("far", "i32", "order", "%later")
        + "%far.wide = zext i32 %far to i64\n" + _at("far.key", "i64", "keys", "%far.wide")
        + _hash("far.hash", "%far.key")
        + """%far.place = lshr i64 %far.hash, %shift
%far.slot = getelementptr i64, ptr %table, i64 %far.place
call void @llvm.prefetch.p0(ptr %far.slot, i32 1, i32 3, i32 1)
"""
        + _at("one", "i32", "order", "%i") + "%one.wide = zext i32 %one to i64\n"
        + _at("key", "i64", "keys", "%one.wide")
        + "%flag = getelementptr i8, ptr %fresh, i64 %one.wide\n"
        + _hash("hash", "%key") + "%place = lshr i64 %hash, %shift\n" + _probe()
        + "new:\nstore i8 1, ptr %flag\nbr label %continue\nknown:\nstore i8 0, ptr %flag",
        _MASK,
    )  # fmt: skip
    rehash = _loop(
        "rehash",
        "ptr %old, ptr %table, i64 %bits",
        _at("key", "i64", "old", "%i")
        + "%empty = icmp eq i64 %key, -1\nbr i1 %empty, label %continue, label %full\nfull:\n"
        + _hash("hash", "%key") + "%place = lshr i64 %hash, %shift\n"
        + _probe().replace("%body", "%full") + "new:\nbr label %continue\nknown:",
        _MASK,
    )  # fmt: skip
    counted = _loop(
        "counted",
        "ptr %fresh, ptr %ranks, ptr %counts",
        _at("flag", "i8", "fresh", "%i") + _at("rank", "i32", "ranks", "%i") + "%rank.wide = zext i32 %rank to i64\n"
        + _at("count", "i64", "counts", "%rank.wide")
        + "%flag.wide = zext i8 %flag to i64\n%count.next = add i64 %count, %flag.wide\n"
        + "store i64 %count.next, ptr %count.at",
    )  # fmt: skip
    return "".join((_keyed(packing), ordered, insert, rehash, counted, _gathered(packing),
                    "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)\n"))  # fmt: skip


def _gathered(packing: Packing) -> str:
    """The new candidates, to the places that the cursors give by rank."""
    body = [_at("flag", "i8", "fresh", "%i") + "%new = icmp ne i8 %flag, 0\n"]
    body.append("br i1 %new, label %take, label %continue\ntake:\n")
    body.append(_at("rank", "i32", "ranks", "%i") + "%rank.wide = zext i32 %rank to i64\n")
    body.append(_at("cursor", "i64", "cursors", "%rank.wide"))
    body.append("%cursor.next = add i64 %cursor, 1\nstore i64 %cursor.next, ptr %cursor.at\n")
    source, target = "%i", "%cursor"
    for word in range(packing.words):
        if word:
            body.append(f"%s{word} = add i64 {source}, %capacity\n%t{word} = add i64 {target}, %stride\n")
            source, target = f"%s{word}", f"%t{word}"
        body.append(_at(f"w{word}", "i64", "words", source))
        body.append(f"%to{word} = getelementptr i64, ptr %reached, i64 {target}\nstore i64 %w{word}, ptr %to{word}\n")
    body.append(_at("row", "i32", "rows", "%i") + _at("path", "i32", "paths", "%rank.wide"))
    body.append("""%parent = add i32 %row, %start
%parent.to = getelementptr i32, ptr %parents, i64 %cursor
store i32 %parent, ptr %parent.to
%path.to = getelementptr i32, ptr %taken, i64 %cursor
store i32 %path, ptr %path.to""")
    parameters = (
        "ptr %fresh, ptr %ranks, ptr %cursors, ptr %words, i64 %capacity, ptr %rows, ptr %paths, i32 %start, "
        "ptr %reached, i64 %stride, ptr %parents, ptr %taken"
    )
    return _loop("gathered", parameters, "".join(body))
