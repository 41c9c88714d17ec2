"""A ZIP writer that can also write invalid archives."""

import struct
import zlib
from dataclasses import dataclass, field

STORED, DEFLATED = 0, 8
# 2024-01-01 00:00:00, in the form of MS-DOS.
TIME, DATE = 0, (2024 - 1980) << 9 | 1 << 5 | 1
SYMBOLIC_LINK = 0o120777 << 16


@dataclass
class Entry:
    name: "str | bytes"
    content: bytes
    method: int = DEFLATED
    descriptor: bool = False
    attributes: int = 0o100644 << 16
    flags: int = 0
    version: int = 20
    # False values in the headers.
    claimed_size: "int | None" = None
    # The name in the central directory, if it differs.
    claimed_name: "bytes | None" = None
    # The content as written, if it is not to be deflated.
    raw: "bytes | None" = None

    @property
    def raw_name(self):
        return self.name if isinstance(self.name, bytes) else self.name.encode()

    @property
    def packed(self):
        if self.raw is not None:
            return self.raw
        if self.method == STORED:
            return self.content
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        return packer.compress(self.content) + packer.flush()


@dataclass
class Archive:
    entries: list = field(default_factory=list)
    comment: bytes = b""
    before: bytes = b""
    after: bytes = b""

    def bytes(self):
        out = bytearray(self.before)
        places = []
        for entry in self.entries:
            places.append(len(out) - len(self.before))
            out += local(entry)
        return bytes(out) + directory(
            self.entries, places, len(out) - len(self.before), self.comment) + self.after


def local(entry):
    tail = struct.pack("<IIII", 0x08074B50, *sums(entry)) if entry.descriptor else b""
    return local_header(entry) + entry.packed + tail


def local_header(entry):
    name = entry.raw_name
    shown = (0, 0, 0) if entry.descriptor else sums(entry)
    return struct.pack(
        "<IHHHHHIIIHH", 0x04034B50, entry.version, flags(entry), entry.method, TIME, DATE, *shown,
        len(name), 0) + name


def directory(entries, places, start, comment=b""):
    """The central directory of entries at these offsets, and the end-of-directory record."""
    rows = b"".join(central(entry, place) for entry, place in zip(entries, places))
    return rows + struct.pack(
        "<IHHHHIIH", 0x06054B50, 0, 0, len(places), len(places), len(rows), start,
        len(comment)) + comment


def central(entry, place):
    name = entry.claimed_name or entry.raw_name
    return struct.pack(
        "<IHHHHHHIIIHHHHHII", 0x02014B50, 0x031E, entry.version, flags(entry), entry.method, TIME,
        DATE, *sums(entry), len(name), 0, 0, 0, 0, entry.attributes, place) + name


def flags(entry):
    return entry.flags | (8 if entry.descriptor else 0)


def sums(entry):
    size = len(entry.content) if entry.claimed_size is None else entry.claimed_size
    return zlib.crc32(entry.content), len(entry.packed), size


def pack(files, **options):
    """An ordinary archive from a dictionary of files; the options apply to each entry."""
    return Archive([Entry(name, content, **options) for name, content in files.items()]).bytes()
