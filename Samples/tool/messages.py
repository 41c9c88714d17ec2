"""The building blocks of the sample mails: bytes, because many of the mails are invalid."""

import base64
import binascii
import zlib
from email.message import EmailMessage
from email.policy import SMTP

from .tree import identity

PASS_TYPE = b"application/vnd.apple.pkpass"
DATE = "Tue, 07 May 2024 10:00:00 +0000"
TEXT = b"Content-Type: text/plain; charset=utf-8\n\nYour ticket is attached.\n"
CLOSE = b"--sample--\n"


def envelope(slug, more=b""):
    """The header of all hand-written mails, without the blank line after it."""
    return (f"From: Ana Sample <ana@sender.example>\n"
            f"To: Bo Sample <bo@receiver.example>\n"
            f"Subject: {subject(slug)}\n"
            f"Date: {DATE}\n"
            f"Message-ID: <{slug}@mail.example>\n"
            f"MIME-Version: 1.0\n").encode() + more


def subject(slug):
    return slug.replace("-", " ")


def reference(slug, index=0, offset=0):
    return {"index": index, "offset": offset, "messageID": f"{slug}@mail.example",
            "subject": subject(slug)}


def lines(content, width=76):
    """Base64 in lines of this width, with a line end after each."""
    text = base64.b64encode(content)
    return b"".join(text[i:i + width] + b"\n" for i in range(0, len(text), width))


def multipart(*parts, boundary=b"sample", close=True):
    body = b"".join(b"--" + boundary + b"\n" + part for part in parts)
    return body + (b"--" + boundary + b"--\n" if close else b"")


def mixed(slug, *parts, subtype=b"mixed"):
    """A mail with a text and the given parts, each with its header."""
    kind = b'Content-Type: multipart/' + subtype + b'; boundary="sample"\n\n'
    return envelope(slug, kind) + multipart(TEXT, *parts)


def part(header, content):
    """A part in base64; the header defines the rest."""
    return header + b"Content-Transfer-Encoding: base64\n\n" + lines(content)


def ordinary(slug, *attachments, policy=SMTP, text="Your ticket is attached.\n"):
    """A mail written by Python's email package, from (content, media type, file name)."""
    message = EmailMessage(policy=policy)
    message["From"] = "Ana Sample <ana@sender.example>"
    message["To"] = "Bo Sample <bo@receiver.example>"
    message["Subject"] = subject(slug)
    message["Date"] = DATE
    message["Message-ID"] = f"<{slug}@mail.example>"
    message.set_content(text)
    for content, media_type, name in attachments:
        kind, subtype = media_type.split("/")
        message.add_attachment(content, maintype=kind, subtype=subtype, filename=name)
    if message.is_multipart():
        message.set_boundary("=_sample_" + slug)
    return message.as_bytes()


def uuencode(content, name, *, zero=b" ", strip=False):
    rows = [b"begin 644 " + name]
    for start in range(0, len(content), 45):
        row = binascii.b2a_uu(content[start:start + 45], backtick=zero == b"`").rstrip(b"\n")
        rows.append(row.rstrip(b" ") if strip else row)
    return b"\n".join(rows) + b"\n" + (zero if zero == b"`" else b"`") + b"\nend\n"


def encode_base64(content, name):
    """The output of `uuencode -m`."""
    return b"begin-base64 644 " + name + b"\n" + lines(content, 60) + b"====\n"


def yencode(content, name, width=128, doubles_dots=False):
    rows, row = [], bytearray()
    for byte in content:
        value = (byte + 42) % 256
        if value == 46 and not row and doubles_dots:
            row += b".."
        elif value in (0, 10, 13, 61) or (value == 46 and not row):
            row += bytes((61, (value + 64) % 256))
        else:
            row.append(value)
        if len(row) >= width:
            rows.append(bytes(row))
            row.clear()
    if row:
        rows.append(bytes(row))
    return (b"=ybegin line=%d size=%d name=%s\n" % (width, len(content), name)
            + b"\n".join(rows)
            + b"\n=yend size=%d crc32=%08x\n" % (len(content), zlib.crc32(content)))


def unread(number):
    """The record of a part in a format that is not read."""
    return {"record": "problem", "code": "format-not-read", "part": number}


class Post:
    """Puts mails into one folder of the tree, each with the expected records beside it."""

    def __init__(self, tree, folder):
        self.tree = tree
        self.folder = folder

    def put(self, slug, message, *records):
        expected = [{**record, "message": reference(slug)} for record in records]
        self.tree.add(f"{self.folder}/{slug}.eml", message, expected)

    def problem(self, slug, message, *records):
        self.tree.add(f"{self.folder}/{slug}.eml", message, list(records))


def found(part, content=None, name=None, evidence=None, verdict="trusted", **more):
    """The record of a pass in a mail; missing values are not certain."""
    line = {"part": part}
    if name is not None:
        line["name"] = name
    if evidence is not None:
        line["evidence"] = evidence.split()
    if content is not None:
        line.update(identity(content))
    return {**line, "verdict": verdict, **more}
