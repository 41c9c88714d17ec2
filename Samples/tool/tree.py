"""The tree of samples: collected first, written at the end, so that a failed run changes nothing."""

import hashlib
import json
from pathlib import Path

# Folders that the tool makes; everything else in the folder Samples is written by hand.
EVERYTHING = ("authority", "passes", "hostile", "smime", "mail", "links", "mailbox", "demo")


class Tree:
    def __init__(self, root: Path, folders=EVERYTHING):
        """A tree of which only these folders are made; the others are left unchanged."""
        self.root = root
        self.folders = folders
        self.files: dict[str, bytes] = {}

    def add(self, path: str, content: bytes, expected=None):
        """Adds a sample and, beside it, its expected records."""
        if path in self.files:
            raise ValueError(f"two samples are named {path}")
        self.files[path] = content
        if expected is not None:
            self.expect(path, expected)

    def expect(self, path: str, records):
        """Adds the records of a file, or of a folder whose samples are expected together."""
        lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in records]
        self.files[f"{path}.expected"] = "".join(lines).encode()

    def write(self):
        """Writes new and changed files, deletes obsolete ones; yields each change."""
        for path, content in sorted(self.files.items()):
            target = self.root / path
            if target.is_file() and target.read_bytes() == content:
                continue
            yield f"{'changed' if target.exists() else 'new'} {path}"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        for folder in self.folders:
            for target in sorted((self.root / folder).rglob("*"), reverse=True):
                path = target.relative_to(self.root).as_posix()
                if target.is_dir() and not target.is_symlink():
                    if not any(target.iterdir()):
                        target.rmdir()
                elif path not in self.files:
                    yield f"removed {path}"
                    target.unlink()

    def summary(self):
        counts = {}
        for path, content in self.files.items():
            folder = path.split("/")[0]
            number, size = counts.get(folder, (0, 0))
            counts[folder] = (number + 1, size + len(content))
        return "\n".join(
            f"{folder}: {number} files, {size // 1024} KB"
            for folder, (number, size) in sorted(counts.items()))


def identity(content: bytes):
    """The keys of a record that identify the bytes found."""
    return {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
