"""JSON files with the schema that they name, as fusion/json_document.h has them."""

import json
from pathlib import Path

# Those of fusion/json_schema.h that scripts read or write: the newest version known here.
SCHEMAS = {
    "emulsion-bench": 1,
    "emulsion-classics": 1,
    "emulsion-compare": 1,
    "emulsion-compare-builds": 1,
    "emulsion-compare-inputs": 1,
    "emulsion-compile": 1,
    "emulsion-explain": 2,
    "emulsion-fusion": 1,
    "emulsion-fuzz-graphs": 1,
    "emulsion-layers": 1,
    "emulsion-implementations": 1,
    "emulsion-bandwidth": 1,
    "emulsion-limits": 1,
    "emulsion-node-suite": 1,
    "emulsion-reference-request": 1,
    "emulsion-run": 1,
    "emulsion-strategy-race": 1,
    "emulsion-torch": 1,
    "emulsion-tune": 1,
    "emulsion-verify": 1,
}


class UnknownSchema(ValueError):
    """A file of another schema than is needed, or of a newer version."""


def text(schema, content):
    """`content`, a dictionary, as the text of a file."""
    document = {"schema": schema, "version": SCHEMAS[schema], **content}
    return json.dumps(document, indent=2) + "\n"


def read(path, schema):
    """The dictionary in such a file. One that names no schema is version 1."""
    document = json.loads(Path(path).read_text())
    named, version = document.pop("schema", None), document.pop("version", None)
    if (named, version) == (None, None):
        return document
    if named != schema:
        raise UnknownSchema(f"{path}: has the schema {named!r} where {schema!r} is needed; give a file "
                            "of that schema (docs/json.md says what writes it)")
    if not isinstance(version, int) or not 1 <= version <= SCHEMAS[schema]:
        raise UnknownSchema(f"{path}: has version {version!r} of the schema {schema!r}, and this script "
                            f"knows those to {SCHEMAS[schema]}; write the file again with this Emulsion")
    return document
