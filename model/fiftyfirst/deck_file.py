"""Reading card files: CSV or TOML in, validated rows out, or one line: what is wrong, where, and what is allowed.

Only the first fault is reported, in the order of the file. A CSV row is named by the line an editor shows it on, a TOML
table by its number among the tables of its name.
"""

import csv
import io
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from model.fiftyfirst.card_row import (
    COLUMNS,
    NUMBER_COLUMNS,
    OPTIONAL_COLUMNS,
    ROW_OF_TYPE,
    TYPES,
    CardRow,
    FactionRow,
    StrictRow,
    closest,
    shown,
)

CARDS = Path(__file__).parent / "cards"
PRINTED = CARDS / "printed.csv"
FACTIONS = CARDS / "factions.csv"
LARGEST_FILE = 1_000_000

Row = TypeVar("Row", bound=StrictRow)
Values = dict[str, object]


class DeckError(ValueError):
    """A deck that cannot be used; the message is one line: what is wrong, where, and what is allowed."""

    def __init__(self, message: str) -> None:
        super().__init__("".join(letter if letter.isprintable() else " " for letter in message))


def read_rows(path: Path | None = None) -> list[CardRow]:
    """The validated rows of a deck file, in the order of the file.

    Arguments: `path`, a file whose name ends in `.csv` or `.toml`; None is the printed deck.
    Raises `DeckError` with one line for the first fault.
    """
    path = PRINTED if path is None else Path(path)
    rows: list[CardRow] = []
    places: dict[str, str] = {}
    for place, word, values in _table_rows(path):
        kind = values.get("type", "")
        if kind not in ROW_OF_TYPE:
            problem = f"unknown type {shown(kind)}{closest(str(kind), TYPES)}" if kind else "no type"
            raise DeckError(f"{place}, {word} type: {problem}; allowed: {', '.join(TYPES)}")
        row = _validated(ROW_OF_TYPE[str(kind)], values, place, word, COLUMNS)
        name = row.name.casefold()
        if name in places:
            what = f"{shown(row.name)} stands at {places[name]} already"
            raise DeckError(f"{place}, {word} name: {what}; allowed: each name once, with its number of copies")
        places[name] = place.removeprefix(f"{path}, ")
        rows.append(row)
    if not rows:
        raise DeckError(f"{path}: no cards; allowed: at least one row of type {', '.join(TYPES)}")
    return rows


def read_factions(path: Path = FACTIONS) -> list[FactionRow]:
    """The permanent contacts, one row each; raises `DeckError` for the first fault."""
    columns = tuple(FactionRow.model_fields)
    return [_validated(FactionRow, values, place, "column", columns) for place, values in _csv_rows(path, columns, ())]


def _table_rows(path: Path) -> Iterator[tuple[str, str, Values]]:
    """Each row with its place in words, and what the format calls a value's place (column or key)."""
    ending = path.suffix.lower()
    if ending == ".csv":
        for place, values in _csv_rows(path, COLUMNS, OPTIONAL_COLUMNS):
            yield place, "column", values
    elif ending == ".toml":
        for place, values in _toml_rows(path):
            yield place, "key", values
    else:
        raise DeckError(f"{path}: unknown kind of file {shown(ending)}; allowed: a name ending in .csv or .toml")


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DeckError(f"{path}: cannot be read ({reason}); allowed: a readable CSV or TOML file") from None
    if len(data) > LARGEST_FILE:
        raise DeckError(f"{path}: too long for a deck; allowed: at most {LARGEST_FILE} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = len(re.findall(rb"\r\n|\r|\n", data[: error.start])) + 1
        raise DeckError(f"{path}, row {row}: not UTF-8 text; allowed: save the file as UTF-8") from None
    if not text.strip():
        raise DeckError(f"{path}: the file is empty; allowed: at least one card")
    return text


def _csv_rows(path: Path, columns: tuple[str, ...], optional: tuple[str, ...]) -> Iterator[tuple[str, Values]]:
    reader = csv.reader(io.StringIO(_text(path), newline=""), strict=True)
    header: list[str] = []
    line = 1
    while True:
        try:
            cells = [cell.strip() for cell in next(reader)]
        except StopIteration:
            break
        except csv.Error as error:
            raise DeckError(f"{path}, row {line}: not CSV ({error}); allowed: comma-separated values") from None
        place, line = f"{path}, row {line}", reader.line_num + 1
        if not any(cells):
            continue
        if not header:
            header = cells
            _check_header(place, header, columns, optional)
            continue
        if len(cells) != len(header):
            name = header[min(len(cells), len(header) - 1)]
            what = f"{len(cells)} values under {len(header)} columns"
            raise DeckError(f"{place}, column {name}: {what}; allowed: one value a column, quoted if it has a comma")
        yield place, {column: _number_or_text(column, cell) for column, cell in zip(header, cells, strict=True)}


def _check_header(place: str, header: list[str], columns: tuple[str, ...], optional: tuple[str, ...]) -> None:
    if len(header) == 1 and ";" in header[0]:
        raise DeckError(f"{place}, column 1: columns separated by semicolons; allowed: separate columns by commas")
    for number, column in enumerate(header):
        if column not in columns:
            missing = [name for name in columns if name not in header]
            what = f"unknown column {shown(column)}{closest(column, missing or columns)}"
            raise DeckError(f"{place}, column {number + 1}: {what}; allowed: {', '.join(columns)}")
        if column in header[:number]:
            raise DeckError(f"{place}, column {column}: the column stands twice; allowed: each column once")
    for column in columns:
        if column not in header and column not in optional:
            raise DeckError(f"{place}, column {column}: the column is missing; allowed: {', '.join(columns)}")


def _number_or_text(column: str, cell: str) -> object:
    return int(cell) if column in NUMBER_COLUMNS and re.fullmatch("-?[0-9]{1,18}", cell) else cell


def _toml_rows(path: Path) -> Iterator[tuple[str, Values]]:
    try:
        document = tomllib.loads(_text(path))
    except DeckError:
        raise
    except (ValueError, RecursionError) as error:
        raise DeckError(f"{path}: not TOML ({error}); allowed: tables such as [[location]]") from None
    allowed = "; allowed: " + ", ".join(f"[[{name}]]" for name in TYPES)
    for name, tables in document.items():
        if name not in TYPES:
            raise DeckError(f"{path}, key {name}: unknown table {shown(name)}{closest(name, TYPES)}{allowed}")
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise DeckError(f"{path}, key {name}: not an array of tables{allowed}")
        for number, table in enumerate(tables, 1):
            place = f"{path}, [[{name}]] number {number}"
            for key in table:
                if key not in COLUMNS:
                    what = f"unknown key {shown(key)}{closest(key, COLUMNS)}"
                    raise DeckError(f"{place}, key {key}: {what}; allowed: {', '.join(COLUMNS)}")
            if table.get("type", name) != name:
                what = f"{shown(table['type'])} in a table of type {name}"
                raise DeckError(f"{place}, key type: {what}; allowed: {name}, or no value")
            yield place, {"type": name, **table}


def _validated(model: type[Row], values: Mapping[str, object], place: str, word: str, columns: tuple[str, ...]) -> Row:
    """The row, or the first fault of its values as a `DeckError`; an empty value is no value, where one may be."""
    required = {name: "" for name, field in model.model_fields.items() if field.is_required()}
    given = {name: value for name, value in values.items() if value != ""}
    try:
        return model.model_validate(required | given)
    except ValidationError as error:
        faults = [_fault(each, values) for each in error.errors(include_url=False)]
    column, message = min(faults, key=lambda found: columns.index(found[0]))
    raise DeckError(f"{place}, {word} {column}: {message}")


def _fault(error: Any, values: Mapping[str, object]) -> tuple[str, str]:
    """The column of a pydantic error, and what is wrong there with what is allowed."""
    context = error.get("ctx", {})
    column = context.get("column") or str(error["loc"][0])
    if error["type"] == "extra_forbidden":
        return column, f"{shown(values[column])} where a {values['type']} has no {column}; allowed: no value"
    return column, context.get("fault", error["msg"])
