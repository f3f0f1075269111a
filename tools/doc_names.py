"""Names of the project's files in its documents, and those that no file has."""

import os
import re
from pathlib import Path

# In back quotes or a link: a path into one of the project's folders, or a source by its name alone (a header may be
# one that `emulsion compile` writes).
PATH = re.compile(r"`([A-Za-z0-9_.-]+/[A-Za-z0-9_./-]*)`")
SOURCE = re.compile(r"`([a-z0-9_]+\.(?:cpp|cc|py|cl))`")
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")


def names_in(text):
    """Pairs of an offset and a name, and whether the name is relative to the document."""
    found = [(m.start(), m.group(1), False) for r in (PATH, SOURCE) for m in r.finditer(text)]
    return sorted(found + [(m.start(), m.group(1), True) for m in LINK.finditer(text)])


def missing(document, text, files):
    """A line for each name in the text of `document` that stands for none of the project's files."""
    folders = {str(parent) for name in files for parent in Path(name).parents}
    tops = {name.partition("/")[0] for name in files if "/" in name}
    complaints = []
    for offset, name, is_link in names_in(text):
        if is_link:
            path = os.path.normpath(os.path.join(os.path.dirname(document), name))
            known = path in files or path in folders
        elif "/" in name:
            path = name.rstrip("/")
            known = (path.partition("/")[0] not in tops or path in files or path in folders
                     or any(path + end in files for end in (".h", ".cpp", ".py")))
        else:
            known = any(each.rpartition("/")[2] == name for each in files)
        if not known:
            line = text.count("\n", 0, offset) + 1
            complaints.append(f"{document}:{line}: the project has no file {name}\n")
    return complaints


def missing_names(root, files):
    """The same of all documents in `root`, whose files are `files`, as one text."""
    files = set(files)
    documents = sorted(name for name in files if name.endswith(".md"))
    return "".join(line for name in documents
                   for line in missing(name, (Path(root) / name).read_text(), files))
