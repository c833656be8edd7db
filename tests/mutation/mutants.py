"""The small faults that can be put into a source: of Python by its syntax tree, of Lua scripts by their words."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}
"""What stands for each operator in its mutant."""
LUA = (
    (r" == ", " ~= "),
    (r" ~= ", " == "),
    (r" > 0", " > 1"),
    (r" and ", " or "),
    (r" or ", " and "),
    (r"\bnot ", ""),
    (r"(?<=[\w\]]) \+ 1\b", " + 2"),
    (r"(?<=[\w\]]) - 1\b", ""),
    (r"\breturn 0\b", "return 1"),
    (r"\breturn 1\b", "return 0"),
    (r"'HSETNX'", "'HSET'"),
    (r"'RPUSH'", "'LPUSH'"),
    (r"(?m)^ *redis\.call\(.*\)$", ""),
    (r"(?<=then )redis\.call\(.*\)(?= end)", ""),
    (r"(?<=do )redis\.call\(.*\)(?= end)", ""),
)
"""Words of Lua scripts, and what stands for them in a mutant."""
UNTOLD = ("log", "logging", "warnings")
"""Calls of these only tell what happens."""
ALL_THE_SAME = {"strict", "slots", "frozen", "eq", "key", "cache", "maxsize"}
"""Keyword arguments that check or speed up, and change no result."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A source in which one place is changed."""

    file: Path
    """Below the project's folder."""
    line: int
    start: int
    """In bytes."""
    end: int
    after: str
    name: str
    """The file, and its line before and after; the number is left out, because changes above move it."""

    def apply(self, source: bytes) -> bytes:
        """Return the changed source."""
        return source[: self.start] + self.after.encode() + source[self.end :]


def _mutant(file: Path, source: bytes, start: int, end: int, after: str) -> Mutant:
    first, last = source.rfind(b"\n", 0, start) + 1, (source.find(b"\n", end) + 1 or len(source) + 1) - 1
    changed = source[first:start] + after.encode() + source[end:last]
    name = f"{file}: {_short(source[first:last])} -> {_short(changed)}"
    return Mutant(file, source.count(b"\n", 0, start) + 1, start, end, after, name)


def _short(text: bytes) -> str:
    return re.sub(r"\s+", " ", text.decode()).strip() or "nothing"


def mutants(file: Path, source: bytes) -> list[Mutant]:
    """List every mutant of a source in the order of its lines."""
    return sorted({*_of_python(file, source), *_of_lua(file, source)}, key=lambda each: (each.start, each.end, each.after))


def _of_python(file: Path, source: bytes) -> Iterator[Mutant]:
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in _shown(ast.parse(source)):
        for after in _changed(node):
            start, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
            yield _mutant(file, source, start, end, after)


def _shown(node: ast.AST) -> Iterator[ast.AST]:
    """Walk over what computes results: no annotations, decorators, checks, log lines or texts."""
    if isinstance(node, ast.JoinedStr | ast.Assert | ast.ImportFrom | ast.Import) or _is_log_line(node):
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "bases"} or (name == "keywords" and isinstance(node, ast.ClassDef)):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not (isinstance(child, ast.keyword) and child.arg in ALL_THE_SAME):
                yield from _shown(child)


def _is_log_line(node: ast.AST) -> bool:
    call = node.value if isinstance(node, ast.Expr) else None
    function = call.func if isinstance(call, ast.Call) else None
    return isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id in UNTOLD


def _changed(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Compare(left, [operator], [right]) if type(operator) in SWAPPED:
            yield _told(ast.Compare(left, [SWAPPED[type(operator)]()], [right]))
        case ast.BoolOp(operator, values):
            yield _told(ast.BoolOp(SWAPPED[type(operator)](), values))
        case ast.BinOp(left, operator, right) if type(operator) in SWAPPED and not _is_text(left, right):
            yield _told(ast.BinOp(left, SWAPPED[type(operator)](), right))
        case ast.UnaryOp(ast.Not(), operand):
            yield _told(operand)
        case ast.Constant(bool(value)):
            yield str(not value)
        case ast.Constant(int(value)):
            yield str(value + 1)
        case ast.Break():
            yield "continue"
        case ast.Continue():
            yield "break"
        case ast.Expr(ast.Call()) | ast.AugAssign() | ast.Delete() | ast.Assign([ast.Attribute() | ast.Subscript()]):
            yield "pass"
        case ast.IfExp(test, body, orelse):
            yield _told(ast.IfExp(test, orelse, body))


def _is_text(*operands: ast.expr) -> bool:
    return any(isinstance(each, ast.JoinedStr | ast.List | ast.Tuple | ast.Dict) or _is_str(each) for each in operands)


def _is_str(operand: ast.expr) -> bool:
    return isinstance(operand, ast.Constant) and isinstance(operand.value, str | bytes)


def _told(node: ast.expr) -> str:
    return f"({ast.unparse(node)})"


def _of_lua(file: Path, source: bytes) -> Iterator[Mutant]:
    text = source.decode()
    for script in re.finditer(r'(?s)"""(.*?)"""', text):
        if "redis.call" not in script[1]:
            continue
        for pattern, after in LUA:
            for found in re.finditer(pattern, script[1]):
                start, end = (len(text[: script.start(1) + place].encode()) for place in found.span())
                yield _mutant(file, source, start, end, after)
