"""Names of files in documents (tools/doc_names.py)."""

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import doc_names  # noqa: E402

FILES = {"README.md", "docs/one.md", "code/deep/file.cpp", "code/deep/file.h", "tools/check"}


def missing(text, document="docs/one.md"):
    return [line.removesuffix("\n") for line in doc_names.missing(document, text, FILES)]


class DocNames(unittest.TestCase):
    def test_files_and_folders_are_known(self):
        self.assertEqual([], missing("`code/deep/file.h`, `code/deep/`, `code/deep` and `tools/check`"))
        self.assertEqual([], missing("`code/deep/file` is both of them, `file.cpp` one"))

    def test_what_is_gone_is_said_with_its_line(self):
        self.assertEqual(["docs/one.md:2: the project has no file code/gone.h"],
                         missing("text\n`code/gone.h`"))
        self.assertEqual(["docs/one.md:1: the project has no file gone.cpp"], missing("`gone.cpp`"))

    def test_links_are_relative_to_the_document(self):
        self.assertEqual([], missing("[a](one.md#part) [b](../README.md) [c](../code/deep) [d](#part)"))
        self.assertEqual(["docs/one.md:1: the project has no file README.md"],
                         missing("[a](README.md)"))
        self.assertEqual([], missing("[a](README.md)", "README.md"))

    def test_names_of_others_are_free(self):
        self.assertEqual([], missing("`DIR/emit/`, `nlohmann/json.hpp`, `net.h`, `a / b` "
                                     "[x](https://example.org/a.md)"))


if __name__ == "__main__":
    unittest.main()
