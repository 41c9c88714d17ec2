"""Writes files in the formats of Macs: AppleSingle (RFC 1740), MacBinary III, BinHex 4.0 (RFC 1741)."""

import re
import struct
from binascii import crc_hqx

DATA_FORK, RESOURCE_FORK, REAL_NAME, FINDER_INFO = 1, 2, 3, 9
SINGLE, DOUBLE = 0x00051600, 0x00051607
# A resource fork without resources, as Finder creates one.
RESOURCES = struct.pack(">4I", 256, 256, 0, 30) + bytes(240) + struct.pack(
    ">4IIHHHHH", 256, 256, 0, 30, 0, 0, 0, 28, 30, 0xFFFF)
CHARACTERS = b"!\"#$%&'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr"
MARKER = b"(This file must be converted with BinHex 4.0)"


def apple(magic, entries):
    """AppleSingle or AppleDouble, from a dictionary of entries."""
    made = struct.pack(">II16xH", magic, 0x00020000, len(entries))
    place = len(made) + 12 * len(entries)
    for number, content in entries.items():
        made += struct.pack(">3I", number, place, len(content))
        place += len(content)
    return made + b"".join(entries.values())


def apple_single(content, name):
    return apple(SINGLE, {FINDER_INFO: finder_info(), REAL_NAME: name.encode(),
                          RESOURCE_FORK: RESOURCES, DATA_FORK: content})


def apple_double_header(name):
    return apple(DOUBLE, {REAL_NAME: name.encode(), FINDER_INFO: finder_info(),
                          RESOURCE_FORK: RESOURCES})


def finder_info():
    return b"pkps????" + bytes(24)


def mac_binary(content, name):
    raw = name.encode("mac_roman")
    header = struct.pack(">BB63s4s4sBBHHHBBIIII", 0, len(raw), raw, b"pkps", b"????", 0, 0, 0, 0,
                         0, 0, 0, len(content), len(RESOURCES), 0, 0)
    header += struct.pack(">HB4sBB8xIHBB", 0, 0, b"mBIN", 0, 0, 0, 0, 130, 129)
    header += struct.pack(">HH", crc_hqx(header, 0), 0)
    return header + blocks(content) + blocks(RESOURCES)


def blocks(fork):
    return fork + bytes(-len(fork) % 128)


def bin_hex(content, name, line_end=b"\n", sums_are_right=True):
    raw = name.encode("mac_roman")
    header = struct.pack(">B", len(raw)) + raw + struct.pack(
        ">B4s4sHII", 0, b"pkps", b"????", 0, len(content), len(RESOURCES))
    wrong = 0 if sums_are_right else 1
    stream = b"".join(part + struct.pack(">H", crc_hqx(part, 0) ^ error)
                      for part, error in ((header, 0), (content, wrong), (RESOURCES, wrong)))
    text = b":" + digits(shortened(stream)) + b":"
    rows = [text[start:start + 64] for start in range(0, len(text), 64)]
    return line_end.join([MARKER, b"", *rows, b""])


def shortened(stream):
    """Encodes runs of three and more bytes, and escapes each 0x90."""
    def run(found):
        byte, count = found[0][:1], len(found[0])
        byte = b"\x90\0" if byte == b"\x90" else byte
        return byte * count if count < 3 else byte + b"\x90" + bytes([count])

    return re.sub(rb"(?s)(.)\1{0,254}", run, stream)


def digits(stream):
    made = bytearray()
    for start in range(0, len(stream), 3):
        group = stream[start:start + 3]
        bits = int.from_bytes(group + bytes(3 - len(group)), "big")
        made += bytes(CHARACTERS[bits >> shift & 63] for shift in (18, 12, 6, 0))[:len(group) + 1]
    return bytes(made)
