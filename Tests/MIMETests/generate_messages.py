"""Prints random well-formed messages, made by Python's email package, and what they hold.

Arguments: a seed, a count. For each message a line `message SIZE` and its bytes, then for each part
a line `part SIZE NUMBER NAME`, with the name in UTF-8, percent-encoded, and its decoded bytes.
"""

import base64
import io
import random
import sys
import urllib.parse
from email import encoders
from email.generator import BytesGenerator
from email.header import Header
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart

rng = random.Random(int(sys.argv[1]))

WORDS = ["ticket", "boarding pass", "Eintrittskarte", "größe", "билет", "券", "a;b", "a=b", "(1)",
         "it's", "100%", "x" * 90, "naïve", "e.v.", "tab"]


def name():
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 3))) + rng.choice(
        [".pkpass", ".PKPASS", ".pdf", ".zip", ".jpg"])


def payload():
    kind = rng.randrange(5)
    size = rng.choice([0, 1, 2, 3, 44, 45, 46, 57, 58, 100, 1000, rng.randrange(20000)])
    if kind == 0:
        return rng.randbytes(size)
    if kind == 1:
        return b"PK\x03\x04" + rng.randbytes(size)
    lines = []
    while sum(map(len, lines)) < size:
        lines.append(rng.choice([
            b"", b"-- ", b"--", b"--b", b"From me", b">From you", b"begin 644", b"begin 644 x",
            b"=ybegin", b"=", b"=41", b".", b"..", b" trailing ", b"\t", b"Content-Type: text/plain",
            b"end", b"x" * rng.randrange(200), rng.randbytes(rng.randrange(40)).replace(b"\n", b""),
        ]) + rng.choice([b"\n", b"\n", b"\r\n"]))
    return b"".join(lines)


def leaf():
    data = payload()
    part = MIMENonMultipart(*rng.choice([
        ("application", "octet-stream"), ("application", "vnd.apple.pkpass"), ("text", "plain"),
        ("image", "jpeg"), ("application", "x-x")]))
    how = rng.randrange(5)
    if how == 0:
        part.set_payload(data)
        encoders.encode_base64(part)
    elif how == 1:
        part["Content-Transfer-Encoding"] = "quoted-printable"
        text = "".join(
            chr(b) if 33 <= b <= 126 and b != 61 and rng.random() < 0.9 else "=%02X" % b
            for b in data)
        lines = []
        while text:
            cut = rng.randint(30, 75)
            while "=" in text[max(cut - 2, 0):cut]:
                cut += 1
            lines.append(text[:cut])
            text = text[cut:]
        part.set_payload("=\n".join(lines))
    elif how == 2:
        width = rng.choice([4, 57, 60, 72, 76, 1000, 10 ** 9])
        text = base64.b64encode(data).decode()
        if rng.random() < 0.3:
            text = text.rstrip("=")
        part["Content-Transfer-Encoding"] = "base64"
        part.set_payload(rng.choice(["\n", "\n\n", " \n"]).join(
            text[i:i + width] for i in range(0, len(text), width)))
    else:
        # A generator writes line ends of its own into text.
        data = data.replace(b"\r", b"").rstrip(b"\n")
        data = bytes(b if b < 128 else 63 for b in data).replace(b"From ", b"Form ")
        data = b"\n".join(b"x" + line for line in data.split(b"\n"))
        data = data.translate(None, b"\x0b\x0c\x1c\x1d\x1e\x85\x00")
        part["Content-Transfer-Encoding"] = rng.choice(["7bit", "8bit", "binary"])
        part.set_payload(data.decode("ascii"))
    called = None
    form = rng.randrange(6)
    if form:
        called = name()
    if form == 1:
        part.add_header("Content-Disposition", "attachment", filename=("utf-8", "", called))
    elif form == 2:
        part.add_header("Content-Disposition", "attachment",
                        filename=Header(called, "utf-8", maxlinelen=10 ** 6).encode())
    elif form == 3:
        # Continuations, in any order.
        text = "utf-8''" + urllib.parse.quote(called, safe="")
        pieces, index = [], 0
        while text:
            cut = rng.randint(3, 40)
            pieces.append(" filename*%d*=%s" % (index, text[:cut]))
            text, index = text[cut:], index + 1
        rng.shuffle(pieces)
        part["Content-Disposition"] = "attachment;\n" + ";\n".join(pieces)
    elif form == 4:
        called = "".join(c for c in called if ord(c) < 128).strip()
        part.set_param("name", called)
    elif form == 5:
        try:
            called.encode("koi8-r")
            part.add_header("Content-Disposition", "inline", filename=("koi8-r", "ru", called))
        except UnicodeEncodeError:
            part.add_header("Content-Disposition", "inline", filename=("utf-8", "en", called))
    return part, data, called


def multipart(depth, number, found):
    part = MIMEMultipart(rng.choice(["mixed", "related", "alternative", "signed", "x-new"]))
    if rng.random() < 0.5:
        part.set_boundary(rng.choice(["b", "bb", "=_x", "a'b", "b" * 60, "b.b+b"]) + str(depth))
    if rng.random() < 0.3:
        part.preamble = "A preamble.\n--\n"
    if rng.random() < 0.3:
        part.epilogue = "An epilogue.\n-- \n"
    for index in range(rng.randint(1, 4)):
        inner = "%s.%d" % (number, index + 1) if number else str(index + 1)
        part.attach(entity(depth + 1, inner, found))
    return part


def single(number, found):
    """A part that holds bytes; notes them, and whether line ends in them stand as they are."""
    part, data, called = leaf()
    found.append((number, data, called, part["Content-Transfer-Encoding"][0] in "78b"
                  and part["Content-Transfer-Encoding"] != "base64"))
    return part


def entity(depth, number, found):
    kind = rng.randrange(10) if depth < 6 else 9
    if kind < 4:
        return multipart(depth, number, found)
    if kind > 4:
        return single(number, found)
    # A multipart in a message has the message's number, a single part is its 1.
    if rng.random() < 0.7:
        inner = multipart(depth + 1, number, found)
    else:
        inner = single(number + ".1", found)
    inner["Subject"] = "inner"
    return MIMEMessage(inner)


def message():
    found = []
    top = multipart(0, "", found) if rng.random() < 0.8 else single("1", found)
    top["From"] = "a@example.com"
    top["Subject"] = "x"
    out = io.BytesIO()
    BytesGenerator(out, mangle_from_=False, maxheaderlen=0).flatten(top)
    data = out.getvalue()
    if rng.random() < 0.3 and b"\r" not in data:
        data = data.replace(b"\n", b"\r\n")
        found = [(number, content.replace(b"\n", b"\r\n") if plain else content, called, plain)
                 for number, content, called, plain in found]
    return data, found


def main():
    out = sys.stdout.buffer
    for _ in range(int(sys.argv[2])):
        data, found = message()
        out.write(b"message %d\n" % len(data))
        out.write(data)
        out.write(b"\n")
        for number, content, called, _ in found:
            out.write(b"part %d %s %s\n" % (
                len(content), number.encode(), urllib.parse.quote(called or "").encode()))
            out.write(content)
            out.write(b"\n")


main()
