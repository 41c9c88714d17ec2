"""Prints random well-formed messages written by Python's email package, and their parts.

Arguments: a seed and a count; a third one leaves out the forms that GMime 3.2 misreads (see MISREAD).
For each message a line `message SIZE` and its bytes, then for each part a line `part SIZE NUMBER NAME`,
with the name in UTF-8, percent-encoded, and its decoded bytes.
"""

import base64
import binascii
import io
import random
import sys
import urllib.parse
from email.generator import BytesGenerator
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart

rng = random.Random(int(sys.argv[1]))

# Forms that RFCs allow and GMime misreads: comments between the tokens of Content-* (RFC 2045, 5.1),
# white space after a soft line break (RFC 2045, 6.7), base64 without padding (which mailers write),
# names in sections (RFC 2231, 3) or in several encoded words (it loses some after padding), escaped
# quotes in a name, and UTF-16 or UTF-7 in one.
MISREAD = len(sys.argv) < 4

WORDS = ["ticket", "boarding pass", "Eintrittskarte", "größe", "билет", "券", "탑승권", "a;b", "a=b",
         "(1)", "it's", "100%", "x" * 90, "naïve", "e.v.", "tab", "=?x", "*", "C++"]
CHARSETS = ["utf-8", "iso-8859-1", "iso-8859-15", "windows-1252", "koi8-r", "windows-1251", "euc-kr",
            "gb2312", "big5-hkscs", "shift_jis", "iso-2022-jp"]
if MISREAD:
    WORDS += ['a"b']
    CHARSETS += ["utf-16", "utf-7"]
TYPES = [("application", "octet-stream"), ("application", "vnd.apple.pkpass"), ("text", "plain"),
         ("image", "jpeg"), ("application", "x-x"), ("text", "html"), ("application", "pdf")]
SUBTYPES = ["mixed", "related", "alternative", "signed", "x-new", "report", "parallel", "form-data"]


def name():
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 3))) + rng.choice(
        [".pkpass", ".PKPASS", ".pdf", ".zip", ".jpg"])


def charset(text, *, of=CHARSETS):
    """A set that can encode the text."""
    while True:
        candidate = rng.choice(of)
        try:
            if text.encode(candidate).decode(candidate) == text:
                return candidate
        except UnicodeError:
            continue


def case(word):
    return rng.choice([word, word, word.upper(), word.capitalize(), word.title()])


def comment():
    return rng.choice(["(c)", "(a (nested) comment)", r"(an \) escape)", "()"])


def fold():
    """White space between the tokens of a field, RFC 5322, 3.2.2."""
    kind = rng.randrange(8)
    if kind == 0 and MISREAD:
        return " " + comment() + " "
    return ["", "\n ", "\n\t", " ", " ", "  ", "\t"][kind - 1]


def quoted(text):
    return '"' + "".join("\\" + c if c in '"\\' or rng.random() < 0.02 else c for c in text) + '"'


def percent(data):
    plain = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"
    return "".join(chr(b) if b in plain and rng.random() < 0.95 else "%%%02X" % b for b in data)


def word(text, codec):
    """An encoded word, RFC 2047, 2."""
    data = text.encode(codec)
    if rng.random() < 0.5:
        return "=?%s?%s?%s?=" % (case(codec), rng.choice("Bb"), base64.b64encode(data).decode())
    plain = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!*+-/"
    return "=?%s?%s?%s?=" % (case(codec), rng.choice("Qq"), "".join(
        chr(b) if b in plain else "_" if b == 32 else "=%02X" % b for b in data))


def words(text):
    """Encoded words, each with whole characters."""
    parts = []
    while text:
        size = rng.randint(1, 12) if MISREAD else len(text)
        parts.append(word(text[:size], charset(text[:size])))
        text = text[size:]
    return rng.choice([" ", "\n ", "\n\t", "  "]).join(parts)


def parameter(key, value):
    """A parameter in one of the forms of RFC 2045, 5.1, RFC 2231, and of mailers that use RFC 2047."""
    is_ascii = all(32 <= ord(c) < 127 for c in value)
    form = rng.randrange(5)
    if form == 0 and is_ascii and all(c not in ' ()<>@,;:\\"/[]?=*%\'' for c in value):
        return [case(key) + "=" + value]
    if form <= 1 and is_ascii and "=?" not in value:
        return [case(key) + "=" + quoted(value)]
    if form == 2:
        return [case(key) + '="' + words(value) + '"']
    codec = charset(value)
    text = percent(value.encode(codec))
    language = rng.choice(["", "en", "pt-BR"])
    if form == 3 or not MISREAD:
        return ["%s*=%s'%s'%s" % (case(key), codec, language, text)]
    # Continuations, in any order; sections of plain characters need no asterisk.
    pieces = []
    while text:
        cut = rng.randint(3, 40)
        while "%" in text[max(cut - 2, 0):cut]:
            cut += 1
        piece, text = text[:cut], text[cut:]
        if not pieces:
            pieces.append("%s*0*=%s'%s'%s" % (case(key), codec, language, piece))
        elif "%" not in piece and rng.random() < 0.5:
            pieces.append("%s*%d=%s" % (case(key), len(pieces), rng.choice([piece, quoted(piece)])))
        else:
            pieces.append("%s*%d*=%s" % (case(key), len(pieces), piece))
    rng.shuffle(pieces)
    return pieces


def field(first, parameters):
    """A field's value, with white space and comments between any tokens."""
    text = fold() + first
    for item in parameters:
        text += fold() + ";" + fold() + item
    return text.strip("\n")


def payload():
    kind = rng.randrange(6)
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
            b"====", b"`", b"=?utf-8?Q?x?=", b" --b",
        ]) + rng.choice([b"\n", b"\n", b"\r\n"]))
    return b"".join(lines)


def quoted_printable(data):
    text = "".join(
        chr(b) if 33 <= b <= 126 and b != 61 and rng.random() < 0.9
        else ("=%02X" if rng.random() < 0.9 else "=%02x") % b for b in data)
    lines = []
    while text:
        cut = rng.randint(30, 75)
        while "=" in text[max(cut - 2, 0):cut]:
            cut += 1
        lines.append(text[:cut])
        text = text[cut:]
    return ("=" + rng.choice(["", "", " ", "\t "] if MISREAD else [""]) + "\n").join(lines)


def uuencode(data):
    lines = [rng.choice(["begin 644 x", "begin 0600 a b.c", "begin 666 u.bin"])]
    backtick = rng.random() < 0.5
    for start in range(0, len(data), 45):
        lines.append(binascii.b2a_uu(data[start:start + 45], backtick=backtick).decode().rstrip("\n"))
    return "\n".join(lines + ["`" if backtick else " ", "end", ""])


def leaf():
    """A part, its bytes, its name, and whether its line ends are kept."""
    data = payload()
    kind, subtype = rng.choice(TYPES)
    part = MIMENonMultipart(kind, subtype)
    how = rng.randrange(6)
    is_plain = False
    if how == 0:
        encoding = "base64"
        text = base64.encodebytes(data).decode()
    elif how == 1:
        encoding = "quoted-printable"
        text = quoted_printable(data)
    elif how == 2:
        encoding = "base64"
        width = rng.choice([4, 57, 60, 72, 76, 1000, 10 ** 9])
        text = base64.b64encode(data).decode()
        if MISREAD and rng.random() < 0.3:
            text = text.rstrip("=")
        text = rng.choice(["\n", "\n\n", " \n"]).join(
            text[i:i + width] for i in range(0, len(text), width))
    elif how == 3:
        encoding = rng.choice(["x-uuencode", "uuencode", "x-uue"])
        text = uuencode(data)
    else:
        is_plain = True
        encoding = rng.choice(["7bit", "8bit", "binary"])
        # A generator writes its own line ends into text.
        data = data.replace(b"\r", b"").rstrip(b"\n")
        if encoding == "7bit":
            data = bytes(b if b < 128 else 63 for b in data)
        data = data.replace(b"From ", b"Form ")
        data = b"\n".join(b"x" + line for line in data.split(b"\n"))
        data = data.translate(None, b"\x0b\x0c\x1c\x1d\x1e\x85\x00")
        text = data.decode("ascii", "surrogateescape")
    part.set_payload(text)
    part["Content-Transfer-Encoding"] = fold() + case(encoding) + rng.choice(["", " "] + [" (c)"] * MISREAD)
    called = None
    disposition = []
    parameters = []
    if rng.random() < 0.85:
        called = name()
        if rng.random() < 0.4:
            parameters += parameter("name", called)
            if rng.random() < 0.5:
                disposition += parameter("filename", called)
        else:
            disposition += parameter("filename", called)
    for target in (parameters, disposition):
        for _ in range(rng.randrange(3)):
            target.insert(rng.randint(0, len(target)), rng.choice(
                ["size=%d" % len(data), 'x-a="b; c"', 'charset="utf-8"', "x-mode=0644",
                 'creation-date="Tue, 07 May 2024 10:00:00 +0000"', "format=flowed"]))
    del part["Content-Type"]
    part["Content-Type"] = field("%s/%s" % (case(kind), case(subtype)), parameters)
    if disposition or rng.random() < 0.3:
        part["Content-Disposition"] = field(
            case(rng.choice(["attachment", "inline"])), disposition)
    if rng.random() < 0.3:
        part["Content-ID"] = "<%d@example.com>" % rng.randrange(10 ** 6)
    if rng.random() < 0.2:
        part["X-Folded"] = "a" + "\n b: c" * rng.randrange(5)
    return part, data, called, is_plain


def multipart(depth, number, found):
    is_digest = rng.random() < 0.1
    part = MIMEMultipart("digest" if is_digest else rng.choice(SUBTYPES))
    if rng.random() < 0.5:
        part.set_boundary(rng.choice(
            ["b", "bb", "=_x", "a'b", "b" * 60, "b.b+b", "a b", "(b)", "b?", "--", "=?b"]) + str(depth))
    if rng.random() < 0.3:
        part.preamble = "A preamble.\n--\n"
    if rng.random() < 0.3:
        part.epilogue = "An epilogue.\n-- \n"
    for index in range(rng.randint(1, 4)):
        inner = "%s.%d" % (number, index + 1) if number else str(index + 1)
        if is_digest:
            letter = message_part(depth + 1, inner, found)
            # RFC 2046, 5.1.5: a part of a digest is a message by default.
            if rng.random() < 0.5:
                del letter["Content-Type"]
                del letter["MIME-Version"]
            part.attach(letter)
        else:
            part.attach(entity(depth + 1, inner, found))
    return part


def single(number, found):
    """A part with the given bytes; records them, and whether their line ends are kept."""
    part, data, called, is_plain = leaf()
    found.append((number, data, called, is_plain))
    return part


def message_part(depth, number, found):
    # A multipart in a message has the message's number, a single part is its 1.
    if depth < 6 and rng.random() < 0.7:
        inner = multipart(depth + 1, number, found)
    else:
        inner = single(number + ".1", found)
    inner["Subject"] = "inner"
    return MIMEMessage(inner)


def entity(depth, number, found):
    kind = rng.randrange(10) if depth < 6 else 9
    if kind < 4:
        return multipart(depth, number, found)
    if kind > 4:
        return single(number, found)
    return message_part(depth, number, found)


def message():
    found = []
    top = multipart(0, "", found) if rng.random() < 0.8 else single("1", found)
    top["From"] = "a@example.com"
    top["Subject"] = "x"
    if rng.random() < 0.3:
        top["DKIM-Signature"] = "v=1; h=From:Subject:\n Content-Type:\n Content-Transfer-Encoding; b=x"
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
