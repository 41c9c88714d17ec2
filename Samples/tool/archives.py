"""Archives and compressed files of formats other than ZIP and tar, each with files by name."""

import lzma
import os
import struct
import subprocess
import tempfile
import zlib
from pathlib import Path

# The dates in archives, so that a second run writes the same bytes.
DATE = "2024-01-01 00:00:00"
SECONDS = 1704067200


def seven_zip(files, *options):
    # 7z cannot write to a pipe.
    return packed(files, [
        "sh", "-ec", '7z a -bd -bso0 "$@" && cat out.7z', "sh", *options, "out.7z", *files])


def iso(files, names="-J"):
    """An image with the names of Joliet or, with dates of this run, of Rock Ridge (`-R`)."""
    return packed(files, [
        "faketime", "-f", DATE, "genisoimage", "-quiet", "-no-pad", names, *files])


def packed(files, command):
    """What a program writes to standard output about the files."""
    with tempfile.TemporaryDirectory() as folder:
        for path, content in files.items():
            place = Path(folder, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
            os.utime(place, (SECONDS, SECONDS))
        os.utime(folder, (SECONDS, SECONDS))
        return subprocess.run(
            command, cwd=folder, check=True, capture_output=True,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"}).stdout


def cpio(files, form="newc"):
    """POSIX's `odc`, the `newc` of SVR4, or the older `bin`, in either byte order (`swapped`)."""
    out = bytearray()
    for index, (name, content) in enumerate([*files.items(), ("TRAILER!!!", b"")]):
        name = name.encode() + b"\0"
        mode = 0 if name == b"TRAILER!!!\0" else 0o100644
        if form == "newc":
            fields = [index, mode, 0, 0, 1, SECONDS, len(content), 0, 0, 0, 0, len(name), 0]
            out += b"070701" + b"".join(b"%08X" % value for value in fields) + name
            out += bytes(-len(out) % 4) + content
            out += bytes(-len(out) % 4)
        elif form == "odc":
            out += b"070707" + b"%06o%06o%06o%06o%06o%06o%06o%011o%06o%011o" % (
                0, index, mode, 0, 0, 1, 0, SECONDS, len(name), len(content)) + name + content
        else:
            order = "<" if form == "bin" else ">"
            words = [0o070707, 0, index, mode, 0, 0, 1, 0, SECONDS >> 16, SECONDS & 0xFFFF,
                     len(name), len(content) >> 16, len(content) & 0xFFFF]
            # A number of four bytes has its high word first in either order.
            out += struct.pack(f"{order}13H", *words) + name + bytes(len(name) % 2)
            out += content + bytes(len(content) % 2)
    return bytes(out)


def ar(files):
    """The form of GNU, as in Debian's packages."""
    out = bytearray(b"!<arch>\n")
    for name, content in files.items():
        out += b"%-16s%-12d%-6d%-6d%-8o%-10d`\n" % (
            name.encode() + b"/", SECONDS, 0, 0, 0o100644, len(content))
        out += content + b"\n" * (len(content) % 2)
    return bytes(out)


def rar4(files):
    """Stored files in the format of RAR 1.5 to 4 (technote.txt of UnRAR)."""
    out = bytearray(b"Rar!\x1a\x07\0")
    out += block4(0x73, 0, bytes(6))
    for name, content in files.items():
        raw = name.encode()
        fields = struct.pack(
            "<IIBIIBBHI", len(content), len(content), 3, zlib.crc32(content), 0x58210000, 20,
            0x30, len(raw), 0o100644)
        out += block4(0x74, 0x8000, fields + raw) + content
    return bytes(out + block4(0x7B, 0x4000, b""))


def block4(kind, flags, fields):
    rest = struct.pack("<BHH", kind, flags, 7 + len(fields)) + fields
    return struct.pack("<H", zlib.crc32(rest) & 0xFFFF) + rest


def rar5(files, encrypted=""):
    """Stored files in the format of RAR 5 (technote.txt of RAR 5), said to be encrypted: the
    `headers`, or only the `files`."""
    out = bytearray(b"Rar!\x1a\x07\x01\0")
    key = number(0) + number(0) + b"\x0f" + bytes(16)
    if encrypted == "headers":
        out += block5(4, 0, key)
    out += block5(1, 0, number(0))
    record = number(1) + key + bytes(16) if encrypted == "files" else b""
    extra = number(len(record)) + record if record else b""
    for name, content in files.items():
        raw = name.encode()
        # With a checksum; method 0: stored; host: Unix.
        fields = (number(0x04) + number(len(content)) + number(0o100644)
                  + struct.pack("<I", zlib.crc32(content)) + number(0) + number(1)
                  + number(len(raw)) + raw)
        sizes = (number(len(extra)) if extra else b"") + number(len(content))
        out += block5(2, 3 if extra else 2, sizes + fields + extra) + content
    return bytes(out + block5(5, 0, number(0)))


def block5(kind, flags, fields):
    rest = number(kind) + number(flags) + fields
    rest = number(len(rest)) + rest
    return struct.pack("<I", zlib.crc32(rest)) + rest


def number(value):
    """Seven bits in each byte, the lowest first."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out + bytes([value]))


def compressed(content, form):
    """A single compressed file, as the program with this name or this ending writes it."""
    if form == "lzma":
        return lzma.compress(content, format=lzma.FORMAT_ALONE)
    command = {"lz4": ["lz4", "-q", "-c"], "lz": ["lzip", "-c"], "Z": ["compress", "-c", "-f"]}
    return subprocess.run(
        command[form], input=content, capture_output=True, check=True).stdout
