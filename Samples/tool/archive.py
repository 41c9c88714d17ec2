"""A ZIP writer that also writes what a good one refuses to."""

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
    extra: bytes = b""
    # What the directory claims instead of the truth.
    claimed_size: "int | None" = None
    claimed_name: "bytes | None" = None
    # Of an earlier entry's local header, to be used in place of one's own.
    shares: "int | None" = None

    @property
    def raw_name(self):
        return self.name if isinstance(self.name, bytes) else self.name.encode()

    @property
    def packed(self):
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
            if entry.shares is not None:
                places.append(places[entry.shares])
                continue
            places.append(len(out) - len(self.before))
            out += local(entry)
        directory = b"".join(central(e, p) for e, p in zip(self.entries, places))
        start = len(out) - len(self.before)
        out += directory + struct.pack(
            "<IHHHHIIH", 0x06054B50, 0, 0, len(places), len(places), len(directory), start,
            len(self.comment)) + self.comment
        return bytes(out) + self.after


def local(entry):
    packed, name = entry.packed, entry.raw_name
    flags = entry.flags | (8 if entry.descriptor else 0)
    sums = (zlib.crc32(entry.content), len(packed), len(entry.content))
    shown = (0, 0, 0) if entry.descriptor else sums
    header = struct.pack(
        "<IHHHHHIIIHH", 0x04034B50, entry.version, flags, entry.method, TIME, DATE, *shown,
        len(name), len(entry.extra))
    tail = struct.pack("<IIII", 0x08074B50, *sums) if entry.descriptor else b""
    return header + name + entry.extra + packed + tail


def central(entry, place):
    packed, name = entry.packed, entry.claimed_name or entry.raw_name
    flags = entry.flags | (8 if entry.descriptor else 0)
    size = len(entry.content) if entry.claimed_size is None else entry.claimed_size
    return struct.pack(
        "<IHHHHHHIIIHHHHHII", 0x02014B50, 0x031E, entry.version, flags, entry.method, TIME, DATE,
        zlib.crc32(entry.content), len(packed), size, len(name), 0, 0, 0, 0, entry.attributes,
        place) + name


def pack(files, **options):
    """An ordinary archive of a dictionary of files; the options go to each entry."""
    return Archive([Entry(name, content, **options) for name, content in files.items()]).bytes()
