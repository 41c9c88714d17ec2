"""Writes a mail of about the given size that is cheap to send and expensive to read.

hostile_mail.py SHAPE BYTES PASS   writes it to the standard output; PASS is a pass file
hostile_mail.py --list             prints the names of the shapes
"""

import base64
import gzip
import io
import struct
import sys
import zipfile

FROM_LINE = b"From a@sender.example Tue May  7 10:00:00 2024\n"
HEADER = (b"From: a@sender.example\nSubject: hostile\nDate: Tue, 07 May 2024 10:00:00 +0000\n"
          b"Message-ID: <hostile@sender.example>\nMIME-Version: 1.0\n")
CLAIM = b"Content-Type: application/vnd.apple.pkpass; name=t.pkpass\n"
BASE64 = b"Content-Transfer-Encoding: base64\n\n"


def attached(name, data):
    return (HEADER + b"Content-Type: application/octet-stream; name=" + name + b"\n" + BASE64
            + base64.encodebytes(data))


def multipart(part, size):
    part = b"--b\n" + part + b"\n"
    return (HEADER + b"Content-Type: multipart/mixed; boundary=b\n\n" + part * (size // len(part))
            + b"--b--\n")


def mailbox(size):
    mails, number = [], 0
    while size > 0:
        mails.append(FROM_LINE + b"Subject: %d\n" % number + CLAIM + b"\nnone\n\n")
        size -= len(mails[-1])
        number += 1
    return b"".join(mails)


def archive(name, data, size):
    """As many members as fit into an archive of this size, up to the number that is opened."""
    def packed(count):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(count):
                archive.writestr(name % number, data)
        return file.getvalue()
    one = len(packed(2)) - len(packed(1))
    return packed(max(1, min(9_000, size // one)))


PASS_JSON = b'{"formatVersion":1,"passTypeIdentifier":"pass.t","serialNumber":"1"}'


def odd_pass(files):
    """A pass with these files: names and bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {"pass.json": PASS_JSON, **files}.items():
            archive.writestr(name, data)
    return HEADER + CLAIM + BASE64 + base64.encodebytes(file.getvalue())


def inflated(item, size, most):
    """Repeats the item as often as fits into one file of a pass: `most` bytes, or 20 times the mail's size."""
    return b"".join(item % number for number in range(min(size * 20, most) // len(item % 100000)))


def tnef(size):
    def attribute(level, number, data):
        return struct.pack("<BII", level, number, len(data)) + data + struct.pack(
            "<H", sum(data) & 0xFFFF)
    start = struct.pack("<IH", 0x223E9F78, 1) + attribute(1, 0x89006, struct.pack("<I", 0x10000))
    part = (attribute(2, 0x69002, b"\1\0" + bytes(12)) + attribute(2, 0x18010, b"t.pkpass\0")
            + attribute(2, 0x6800F, b"PK\3\4none"))
    return start + part * (size // len(part))


def header_field(name, word, size):
    return name + word * (size // len(word)) + b"\n"


def pieces(mail):
    middle = mail.index(b"\n", len(mail) // 2) + 1
    return b"".join(
        FROM_LINE + HEADER + b'Content-Type: message/partial; id="q@x"; number=%d; total=2\n\n'
        % (number + 1) + piece + b"\n"
        for number, piece in enumerate([mail[:middle], mail[middle:]]))


def decoded(size):
    """The length of `size` bytes in base64."""
    return size * 57 // 78


SHAPES = {
    "mailbox": lambda size, one: attached(b"a.mbox", mailbox(decoded(size))),
    "compressed mailbox": lambda size, one: attached(
        b"a.mbox.gz", gzip.compress(mailbox(min(size * 20, 2_000_000)))),
    "compressed mailbox in pieces": lambda size, one: pieces(
        attached(b"a.mbox.gz", gzip.compress(mailbox(min(size * 20, 2_000_000))))),
    "archive of passes": lambda size, one: attached(
        b"a.zip", archive("%d.pkpass", one, decoded(size))),
    "archive of mails": lambda size, one: attached(
        b"a.zip", archive("%d.eml", attached(b"t.pkpass", one), decoded(size))),
    "archive of small mails": lambda size, one: attached(
        b"a.zip", archive("%d.eml", HEADER + CLAIM + b"\nnone\n", decoded(size))),
    "archive of empty files": lambda size, one: attached(
        b"a.zip", archive("%d/x.bin", b"", decoded(size))),
    "passes as parts": lambda size, one: multipart(
        CLAIM + BASE64 + base64.encodebytes(one), size),
    "base64 parts": lambda size, one: multipart(CLAIM + BASE64 + b"UEsDBCBub25l\n", size),
    "encoded mails as parts": lambda size, one: multipart(
        b"Content-Type: message/rfc822\n" + BASE64
        + base64.encodebytes(HEADER + CLAIM + b"\nnone\n"), size),
    "TNEF of many files": lambda size, one: attached(b"winmail.dat", tnef(decoded(size))),
    "TNEF as parts": lambda size, one: multipart(
        b"Content-Type: application/ms-tnef; name=winmail.dat\n" + BASE64
        + base64.encodebytes(tnef(200)), size),
    "loose uuencoded files": lambda size, one: HEADER + b"\n" + (
        b"begin 644 t.pkpass\n#86)C\n`\nend\n\n" * (size // 35)),
    "encoded words in a file name": lambda size, one: HEADER + header_field(
        b"Content-Disposition: attachment; filename=", b" =?utf-8?q?=41=42?=\n", size) + b"\nnone\n",
    "encoded words in a subject": lambda size, one: header_field(
        b"Subject:", b" =?koi8-r?b?0NDQ?=\n", size) + CLAIM + b"\nnone\n",
    "long subject and many parts": lambda size, one: multipart(
        CLAIM + b"\nnone\n" + b"x" * 1000, size // 2).replace(
            b"Subject: hostile", b"Subject: " + b"hostile " * (size // 16)),
    "media types": lambda size, one: HEADER + header_field(
        b"", b'Content-Type: a/b; name="=?utf-8?q?=41?="\n', size) + b"\nnone\n",
    "pass of many values": lambda size, one: odd_pass(
        {"pass.json": b'{"passTypeIdentifier":"pass.t","serialNumber":"1","userInfo":['
         + inflated(b'{"a":%d},', size, 4_000_000) + b"0]}"}),
    "pass of a long manifest": lambda size, one: odd_pass(
        {"manifest.json": b"{" + inflated(b'"%d":"00",', size, 8_000_000) + b"}"}),
    "pass of many texts": lambda size, one: odd_pass(
        {"%d.lproj/pass.strings" % language: inflated(b'"%d"="a";', size // 8, 1_000_000)
         for language in range(8)}),
    "pass of broken texts": lambda size, one: odd_pass(
        {"%d.lproj/pass.strings" % language: inflated(b"}{<%d>", size // 8, 1_000_000)
         for language in range(8)}),
    "links": lambda size, one: HEADER + header_field(
        b"Content-Type: text/html\n\n", b"<a href='https://x.example/t.pkpass'>t</a>\n", size),
}


def main():
    if sys.argv[1] == "--list":
        print("\n".join(SHAPES))
        return
    with open(sys.argv[3], "rb") as file:
        one = file.read()
    sys.stdout.buffer.write(SHAPES[sys.argv[1]](int(sys.argv[2]), one))


if __name__ == "__main__":
    main()
