"""Small valid PNGs: one colour fading into another."""

import struct
import zlib


def png(width, height, top, bottom):
    rows = bytearray()
    for row in range(height):
        share = row / max(1, height - 1)
        colour = bytes(round(a + (b - a) * share) for a, b in zip(top, bottom))
        rows += b"\0" + colour * width
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
            + chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))


def chunk(kind, content):
    return (struct.pack(">I", len(content)) + kind + content
            + struct.pack(">I", zlib.crc32(kind + content)))
