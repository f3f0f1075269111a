"""The table of docs/architecture.md, and includes that it forbids (tools/dependencies.py)."""

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import dependencies  # noqa: E402

TABLE = """
## Who may depend on whom

Some text.

| folder | folders and files of the project | headers of libraries |
|---|---|---|
| `low/` | | `json/` (for files) |
| `high/` | `low/`, `other/one.h` | `Library.h` |
| `high/inner/` | `high/` | |

| `not/` | `low/` | a table of something else |
"""
FILES = {"low/a.h", "high/b.h", "high/inner/c.h", "other/one.h", "other/two.h"}


def forbidden(name, text):
    rows = dependencies.read_table(TABLE)
    return [line.split(" (")[0] for line in
            dependencies.forbidden(rows, name, text, lambda place: place in FILES)]


class Dependencies(unittest.TestCase):
    def test_folders_and_single_files_are_allowed(self):
        self.assertEqual([], forbidden("high/b.h", '#include "low/a.h"\n#include "other/one.h"\n'))
        self.assertEqual(["high/b.h:2: high/ may not include other/two.h"],
                         forbidden("high/b.h", '\n#include "other/two.h"\n'))

    def test_a_folder_may_not_look_up(self):
        self.assertEqual(["low/a.h:1: low/ may not include high/b.h"],
                         forbidden("low/a.h", '#include "high/b.h"\n'))

    def test_files_beside_are_of_the_own_folder(self):
        self.assertEqual([], forbidden("low/b.cpp", '#include "a.h"\n'))
        self.assertEqual(["low/b.cpp:1: low/ may not include high/b.h"],
                         forbidden("low/b.cpp", '# include "../high/b.h"\n'))

    def test_the_row_of_the_inner_folder_counts(self):
        self.assertEqual([], forbidden("high/inner/c.h", '#include "high/b.h"\n'))
        self.assertEqual(["high/inner/c.h:1: high/inner/ may not include low/a.h"],
                         forbidden("high/inner/c.h", '#include "low/a.h"\n'))

    def test_only_listed_libraries_are_allowed(self):
        standard = "#include <vector>\n#include <stdint.h>\n#include <sys/mman.h>\n"
        self.assertEqual([], forbidden("low/a.h", standard + "#include <json/json.hpp>\n"))
        self.assertEqual(["low/a.h:4: low/ may not include Library.h"],
                         forbidden("low/a.h", standard + "#include <Library.h>\n"))

    def test_generated_headers_and_folders_without_a_row_are_free(self):
        self.assertEqual([], forbidden("low/a.cpp", '#include "made.h"\n'))
        self.assertEqual([], forbidden("tests/a.cpp", '#include "high/b.h"\n#include <Any.h>\n'))

    def test_a_missing_table_is_said(self):
        with self.assertRaisesRegex(ValueError, "no table"):
            dependencies.read_table("## Something else\n")

    def test_every_folder_of_the_project_has_a_row(self):
        rows = dependencies.read_table((ROOT / "docs" / "architecture.md").read_text())
        for folder in ("fusion", "autoscheduler", "frontend", "backend", "runtime", "bench",
                       "generators"):
            self.assertIsNotNone(dependencies.row_of(rows, folder + "/any.cpp"), folder)


if __name__ == "__main__":
    unittest.main()
