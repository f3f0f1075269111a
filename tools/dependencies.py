"""Which folder may include what: the table "Who may depend on whom" of docs/architecture.md, and the
includes that it forbids."""

import os
import re
from pathlib import Path

HEADING = "## Who may depend on whom"
ROW = re.compile(r"^\| `([^`]+)` \|([^|]*)\|([^|]*)\|", re.MULTILINE)
QUOTED = re.compile(r"`([^`]+)`")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
# Headers of the C++ and C libraries and of the system.
STANDARD = re.compile(r"^(?:[a-z0-9_]+(?:\.h)?|(?:arpa|linux|netinet|sys)/[a-z0-9_]+\.h)$")
SOURCE = (".h", ".hpp", ".c", ".cc", ".cpp")


class Row:
    """What a folder's files may include: its own, those of other folders, and libraries."""

    def __init__(self, folder, others, libraries):
        self.folder = folder
        self.project = [folder, *QUOTED.findall(others)]
        self.libraries = QUOTED.findall(libraries)

    def allows_file(self, included):
        return any(included == name or (name.endswith("/") and included.startswith(name))
                   for name in self.project)

    def allows_header(self, header):
        return bool(STANDARD.match(header)) or any(
            header == name or (name.endswith("/") and header.startswith(name))
            for name in self.libraries)


def read_table(text):
    """The table's rows; text is that of docs/architecture.md."""
    section = text.partition(HEADING)[2]
    table = re.search(r"(?:^\|.*\n)+", section, re.MULTILINE)
    rows = ROW.findall(table.group()) if table else []
    if not rows:
        raise ValueError(f"docs/architecture.md: no table under '{HEADING}'")
    return [Row(*row) for row in rows]


def row_of(rows, name):
    """The row of the innermost folder that the file lies in, or None."""
    fitting = [row for row in rows if name.startswith(row.folder)]
    return max(fitting, key=lambda row: len(row.folder), default=None)


def forbidden(rows, name, text, exists):
    """A line for each include of file `name` that the table forbids. `exists` tells whether the
    project has a file; headers in quotes that it doesn't have are generated, or a library's."""
    row = row_of(rows, name)
    if row is None:
        return []
    complaints = []
    for match in INCLUDE.finditer(text):
        quoted, header = match.groups()
        beside = os.path.normpath(os.path.join(os.path.dirname(name), quoted or ""))
        file = next((place for place in (beside, quoted) if quoted and exists(place)), None)
        if row.allows_file(file) if file else quoted or row.allows_header(header):
            continue
        line = text.count("\n", 0, match.start()) + 1
        complaints.append(f"{name}:{line}: {row.folder} may not include {file or header} "
                          "(docs/architecture.md, 'Who may depend on whom')\n")
    return complaints


def forbidden_includes(root, files):
    """The same of all `files` of the project in `root`, as one text."""
    root = Path(root)
    rows = read_table((root / "docs" / "architecture.md").read_text())
    complaints = []
    for name in files:
        if name.endswith(SOURCE):
            text = (root / name).read_text(errors="replace")
            complaints += forbidden(rows, name, text, lambda place: (root / place).is_file())
    return "".join(complaints)
