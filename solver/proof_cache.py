"""What has been proved before: claims by their content, in a file that outlives the run.

A claim is kept together with all it rests on: the guard, the property before the move, and for each invariant that
helped the digest of everything that this invariant says. So it is found again exactly as long as none of that has
changed; after a rule is edited only the claims about that rule are new. What could not be proved is not kept, since
more time may settle it. The result of a whole run is kept too, for the next one in which nothing has changed at all.

The file is an SQLite database: it survives a process that is killed while writing, and two runs may use it at once.
It holds what this version of the program found out; another version begins anew. Losing it costs time and nothing
else, so a file that can't be used is a cache that is empty.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from solver import content

PATIENCE = 10.0  # seconds to wait while another process writes
Sources = Mapping[str, str]  # what a proof rests on: invariants, each with the digest of what it says
_TABLES = """
create table if not exists claims (key blob primary key, version blob, sources text) without rowid;
create table if not exists results (run blob primary key, version blob, result text) without rowid;
"""


class ProofCache:
    """What is known from earlier runs.

    Args:
        file: is made, with its folder, once there is something to keep.
    """

    def __init__(self, file: Path) -> None:
        self.file = file

    def claims(self) -> dict[bytes, Sources]:
        """Every claim that this version of the prover has proved, with what the proof rests on."""
        rows = self._rows("select key, sources from claims where version = ?", content.of_prover())
        return {key: json.loads(sources) for key, sources in rows}

    def keep_claims(self, claims: Mapping[bytes, Sources]) -> None:
        """Remember proved claims."""
        version = content.of_prover()
        rows = [(key, version, json.dumps(dict(sources), sort_keys=True)) for key, sources in claims.items()]
        self._keep("claims", rows, version)

    def result(self, run: bytes) -> str | None:
        """The final result that was kept of a run about the same things."""
        rows = self._rows("select run, result from results where run = ?", run)
        return rows[0][1] if rows else None

    def keep_result(self, run: bytes, result: str) -> None:
        """Remember the final result of a run."""
        version = content.of_program()
        self._keep("results", [(run, version, result)], version)

    def _rows(self, query: str, key: bytes) -> list[tuple[Any, str]]:
        if not self.file.exists():
            return []
        with suppress(sqlite3.Error), self._opened() as connection:
            return list(connection.execute(query, (key,)))
        return []

    def _keep(self, table: str, rows: Sequence[tuple[bytes | str, ...]], version: bytes) -> None:
        if not rows:
            return
        with suppress(OSError, sqlite3.Error):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self._mend()
            with self._opened() as connection:
                connection.execute(f"delete from {table} where version <> ?", (version,))
                connection.executemany(f"insert or replace into {table} values ({', '.join('?' * len(rows[0]))})", rows)

    def _mend(self) -> None:
        """See to it that the tables are there, also in place of a file that is no database."""
        try:
            with self._opened() as connection:
                connection.executescript(_TABLES)
        except sqlite3.OperationalError:  # locked, or no room: somebody else's trouble, and no reason to throw it away
            raise
        except sqlite3.DatabaseError:
            self.file.unlink()
            with self._opened() as connection:
                connection.executescript(_TABLES)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.file, timeout=PATIENCE)) as connection, connection:
            yield connection
