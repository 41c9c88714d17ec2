"""Writes the RTF of Outlook's messages: [MS-OXRTFCP], [MS-OXRTFEX] and [MS-OLEDS]."""

import struct
import zlib

BEGINNING = (r"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern "
             r"\fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier"
             "{\\colortbl\\red0\\green0\\blue0\r\n"
             r"\par \pard\plain\f0\fs20\b\i\u\tab\tx").encode()


def checksum(data):
    """CRC-32 that begins with zero and is not inverted at the end."""
    return zlib.crc32(data, 0xFFFFFFFF) ^ 0xFFFFFFFF


def compress(text):
    """[MS-OXRTFCP], 2.2.2: references into a dictionary of 4096 bytes, or single bytes."""
    history = BEGINNING + text
    place, end = len(BEGINNING), len(BEGINNING) + len(text)
    items, flags = [], []
    while place < end:
        length = 0
        for wanted in range(min(17, end - place), 1, -1):
            found = history.rfind(history[place:place + wanted], max(0, place - 4000), place)
            if found >= 0:
                length = wanted
                break
        if length:
            items.append(struct.pack(">H", found % 4096 << 4 | length - 2))
        else:
            length = 1
            items.append(history[place:place + 1])
        flags.append(len(items[-1]) == 2)
        place += length
    items.append(struct.pack(">H", place % 4096 << 4))
    flags.append(True)
    data = b""
    for start in range(0, len(items), 8):
        data += bytes([sum(flag << bit for bit, flag in enumerate(flags[start:start + 8]))])
        data += b"".join(items[start:start + 8])
    return struct.pack("<II4sI", len(data) + 12, len(text), b"LZFu", checksum(data)) + data


def uncompressed(text):
    return struct.pack("<II4sI", len(text) + 12, len(text), b"MELA", 0) + text


def escaped(text):
    """The characters of RTF, and others in Unicode."""
    return "".join(
        f"\\{c}" if c in "\\{}" else c if c.isascii()
        else "".join(f"\\u{unit - (unit >> 15 << 16)}?" for unit in struct.unpack(
            f"<{len(c.encode('utf-16-le')) // 2}H", c.encode("utf-16-le")))
        for c in text)


def encapsulated(page, objects=""):
    """A page in RTF: tags in groups, and between them RTF that only readers of RTF show."""
    pieces = []
    for line in page.splitlines():
        for piece in line.replace("<", "\0<").replace(">", ">\0").split("\0"):
            if piece.startswith("<"):
                pieces.append(r"{\*\htmltag64 " + escaped(piece) + "}")
            elif piece:
                pieces.append(r"\htmlrtf {\f0 \htmlrtf0 " + escaped(piece) + r"\htmlrtf }\htmlrtf0 ")
        pieces.append("{\\*\\htmltag64 \\par }\n{\\*\\mhtmltag64 <p>}\\htmlrtf \\par\n\\htmlrtf0\n")
    return ("{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 \\deff0{\\fonttbl\n{\\f0\\fswiss Arial;}}\n"
            "{\\colortbl\\red0\\green0\\blue0;}\n\\uc1\\pard\\plain\\deftab360 \\f0\\fs24 "
            + "".join(pieces) + objects + "}").encode("ascii")


def rich(text, link=None, label="", objects=""):
    """RTF that is no page, with a hyperlink."""
    field = ("{\\field{\\*\\fldinst{HYPERLINK \"" + escaped(link) + "\"}}{\\fldrslt{\\ul "
             + escaped(label) + "}}}") if link else ""
    return ("{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 Arial;}}\\pard "
            + escaped(text) + "\\par\n" + field + objects + "}").encode("ascii")


def native(content, name):
    """The data of a package, as in the stream `Ole10Native`, but for its length."""
    path = f"C:\\Temp\\{name}".encode() + b"\0"
    return (struct.pack("<H", 2) + name.encode() + b"\0" + path + struct.pack("<HHI", 0, 3, len(path))
            + path + struct.pack("<I", len(content)) + content + bytes(12))


def package(content, name, kind=b"Package\0"):
    """A file as an object in RTF."""
    data = native(content, name)
    made = (struct.pack("<IIII", 0x501, 2, len(kind), 0)[:12] + kind + struct.pack("<II", 0, 0)
            + struct.pack("<I", len(data)) + data)
    digits = made.hex()
    rows = "\n".join(digits[start:start + 128] for start in range(0, len(digits), 128))
    return ("{\\object\\objemb\\objw1\\objh1{\\*\\objclass Package}{\\*\\objdata " + rows
            + "}{\\result{\\pict\\wmetafile8 0100}}}")
