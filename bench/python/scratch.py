"""Folders for temporary files, of which killed processes leave none for long: as backend/temporary_folder.h has
them, each is locked as long as its owner lives, and who makes the next one removes those that are not."""

import contextlib
import fcntl
import os
import re
import shutil
import tempfile
from pathlib import Path

MARK = "emulsion-temporary-"


def _remove_if_abandoned(path):
    """Only a folder of this user's that nobody has locked; symbolic links are not followed."""
    with contextlib.suppress(OSError):
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            status = os.fstat(folder)
            if status.st_nlink > 0 and status.st_uid == os.geteuid():
                shutil.rmtree(path, ignore_errors=True)
        finally:
            os.close(folder)


def _locked(path):
    """The folder, opened and locked; None where somebody who cleaned up was faster."""
    with contextlib.suppress(FileNotFoundError, BlockingIOError):
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(folder).st_nlink > 0:
            return folder
        os.close(folder)
    return None


@contextlib.contextmanager
def temporary_folder(prefix):
    """The path of a new folder among the temporary ones, removed in the end."""
    ours = re.compile(re.escape(prefix + MARK) + "[a-z0-9_]{8}")
    for found in os.scandir(tempfile.gettempdir()):
        if ours.fullmatch(found.name):
            _remove_if_abandoned(found.path)
    folder = None
    while folder is None:
        path = tempfile.mkdtemp(prefix=prefix + MARK)
        folder = _locked(path)
    try:
        yield Path(path)
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(folder)


@contextlib.contextmanager
def kept_or_temporary(folder, prefix):
    """The path of `folder`, which is made and stays; where it is empty or None, that of a temporary one."""
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        yield Path(folder)
    else:
        with temporary_folder(prefix) as path:
            yield path
