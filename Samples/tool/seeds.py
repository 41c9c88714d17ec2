"""The initial inputs for fuzzing: the samples, their components, and words with a meaning
in them."""

import base64
import bz2
import gzip
import hashlib
import io
import lzma
import plistlib
import shutil
import tarfile
import zipfile
import zlib
from email import message_from_bytes
from pathlib import Path

from . import archives as other
from . import marks
from .archive import pack


def write(target, samples: Path, folder: Path):
    """Writes the seeds of a target, each once, and its words in libFuzzer's form."""
    find, words = TARGETS[target]
    shutil.rmtree(folder / "seeds", ignore_errors=True)
    (folder / "seeds").mkdir(parents=True)
    for content in find(samples):
        (folder / "seeds" / hashlib.sha1(content).hexdigest()).write_bytes(content)
    lines = ['"%s"\n' % "".join(f"\\x{byte:02x}" for byte in word.encode()) for word in words]
    (folder / "words").write_text("".join(lines))


def files(samples, *patterns):
    for pattern in patterns:
        for path in sorted(samples.glob(pattern)):
            if path.is_file() and path.suffix != ".expected":
                yield path.read_bytes()


def messages(samples):
    return files(samples, "mail/*", "hostile/mail-*", "mailbox/Maildir/*/*")


def mailboxes(samples):
    yield from files(samples, "mailbox/*.mbox")
    for message in messages(samples):
        if len(message) < 2048:
            yield b"From a@b Mon Jan  1 00:00:00 2024\n" + message


def mail_forms(samples):
    return files(samples, "mailbox/mmdf*", "mailbox/babyl*", "mailbox/*smtp*", "mailbox/*.emlx",
                 "mailbox/*.eml", "mailbox/*.txt", "mailbox/AppleMail/**/*.emlx")


def headers(samples):
    for message in messages(samples):
        header = message.replace(b"\r\n", b"\n").split(b"\n\n")[0]
        yield header
        for field in header.split(b"\n"):
            yield field.partition(b":")[2].strip() or field
    for mailbox in files(samples, "mailbox/*.mbox"):
        yield mailbox[:512]


def bodies(samples):
    """The bodies of all parts as in their messages, still encoded. Hostile mails are left
    out: Python's parser recurses."""
    for message in files(samples, "mail/*"):
        for part in message_from_bytes(message).walk():
            body = part.get_payload()
            if isinstance(body, str) and body:
                yield body.encode("utf-8", "surrogateescape")


def texts(samples):
    """The decoded texts of mails with links, and the pages among them."""
    for message in files(samples, "links/*.eml"):
        for part in message_from_bytes(message).walk():
            if part.get_content_maintype() == "text":
                yield part.get_payload(decode=True)
    yield from files(samples, "links/*.html")


def attachments(*signatures):
    """The decoded bodies that begin with these bytes."""
    def find(samples):
        for message in files(samples, "mail/*"):
            for part in message_from_bytes(message).walk():
                body = part.get_payload(decode=True) or b""
                if body.startswith(signatures):
                    yield body
    return find


def macs(samples):
    """The decoded bodies of attachments from Macs."""
    yield from files(samples, "mailbox/document.pdf")
    for message in files(samples, "mail/*mac-*", "mail/*applesingle*"):
        for part in message_from_bytes(message).walk():
            body = part.get_payload(decode=True)
            if body:
                yield body


def compressed(samples):
    for message in files(samples, "mail/mime-pkpass.eml", "hostile/mail-open-parentheses.eml"):
        for compress in (gzip.compress, lzma.compress, bz2.compress, zlib.compress, zstd):
            member = compress(message)
            yield member
            yield member + compress(b"more") + bytes(8)


def zstd(content):
    """A frame of raw blocks (RFC 8878, 3.1.1), since Python cannot compress them."""
    blocks = [content[place:place + 512] for place in range(0, len(content), 512)] or [b""]
    frame = b"\x28\xb5\x2f\xfd\x00\x00"
    for index, block in enumerate(blocks):
        header = len(block) << 3 | (index == len(blocks) - 1)
        frame += header.to_bytes(3, "little") + block
    return frame


def other_archives(samples):
    """Archives of each format, with a short file and a longer one."""
    files = {"a.pkpass": b"a ticket\n", "folder/b": bytes(2000)}
    yield other.seven_zip(files)
    yield other.seven_zip(files, "-m0=copy", "-mhc=off")
    yield other.rar4(files)
    yield other.rar5(files)
    for form in ("newc", "odc", "bin"):
        yield other.cpio(files, form)
    yield other.ar({"a.pkpass": b"a ticket\n", "b": bytes(2000)})
    yield pack(files)[:-30]


def tars(samples):
    passes = list(files(samples, "passes/trusted/generic-tram-small.pkpass"))
    for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w", format=form) as archive:
            for name in ("a.pkpass", "folder/" * 12 + "b" * 99, marks.run(marks.HEBREW, 80)):
                member = tarfile.TarInfo(name)
                member.size = 700
                archive.addfile(member, io.BytesIO(passes[0][:700]))
            folder = tarfile.TarInfo("folder/")
            folder.type = tarfile.DIRTYPE
            archive.addfile(folder)
        yield out.getvalue()


def archives(samples):
    return files(samples, "passes/*/*", "hostile/zip-*")


def members(*names):
    """The files with these names in all passes."""
    def find(samples):
        passes = [*samples.glob("passes/*/*.pkpass"), *samples.glob("hostile/marks-*.pkpass")]
        for path in sorted(passes):
            try:
                with zipfile.ZipFile(path) as archive:
                    for entry in archive.infolist():
                        if entry.filename.split("/")[-1] in names and entry.file_size < 1 << 20:
                            yield archive.read(entry)
            except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError):
                continue
    return find


def strings(samples):
    """The translations of all passes, and a property list in both forms."""
    yield from members("pass.strings")(samples)
    texts = {"Zone": "Área", "a & b": "<c>", "": "x" * 20, "日本": "😀", "n": "Zone"}
    for form in plistlib.FMT_XML, plistlib.FMT_BINARY:
        yield plistlib.dumps(texts, fmt=form)
        yield plistlib.dumps({**texts, "d": {"x": ["y", 1, True]}}, fmt=form)


def authorities(samples):
    for pem in files(samples, "authority/*.pem"):
        yield pem
        yield base64.b64decode(b"".join(pem.split(b"\n")[1:-2]))


FIELDS = [
    "Content-Type: ", "Content-Disposition: ", "Content-Transfer-Encoding: ", "multipart/mixed; ",
    "multipart/digest", "message/rfc822", "text/plain", "application/octet-stream", "attachment; ",
    "boundary=", "boundary*0=", "name=", 'filename="', "filename*=utf-8''", "filename*1*=", "base64",
    "quoted-printable", "x-uuencode", "x-yenc", "8bit", "=?utf-8?B?", "=?iso-8859-1?q?", "?=",
    "com.apple.pkpass", "X-Apple-UTI: ", ".pkpass",
]
LINES = ["\n\n", "\n--", "--\n", "\n--b", "\n--b--", "\r\n", "\n ", "\n\t"]
ENCODED = [
    "begin 644 a\n", "M4$L#!", "\n`\nend\n", "=ybegin line=128 size=9 name=a\n", "=ypart begin=1\n",
    "zu-.", "\n=yend\n", "UEsDB", "PK=03=04", "=\n", "==\n", "\n>From ", "\n..",
]
# Some dozens of combining marks, which form one run when they are joined.
MARKS = [script[1:] * 14 for script in marks.SCRIPTS] + ["\u034f"]
SEPARATORS = [
    "\nFrom ", "\nFrom \n", "\nFrom a@b Mon Jan  1 00:00:00 2024\n", "\nFrom - Mon, 1 Jan 2024 0:0\n",
    "\nContent-Length: 10", "\nSubject: ", "\n\n", "\r\n", "\n>From ",
]
DATES = ["Mon, 7 May 2024 10:00:00 +0000", "Jan", "PDT", "-0730", "24:00:60", "12:34"]
ARCHIVES = [
    "PK\x03\x04", "PK\x01\x02", "PK\x05\x06", "PK\x06\x06", "PK\x06\x07", "pass.json", "__MACOSX/",
    "../", "\\",
]
JSON = [
    '"passTypeIdentifier":"p"', '"serialNumber":"1"', '"generic":{"backFields":[{"key":"a","value":',
    '"attributedValue":"<a href=\'', '"barcodes":[{', '"relevantDates":[', '"userInfo":{', "true",
    "null", "-1.5e3", "\\u00e9", "\\ud83d\\ude00", "/*", "*/", "//", "&#x41;", "rgb(1,2,3)",
    "2024-05-07T09:00:00+02:00",
]
STRINGS = ['" = "', '";\n', "/*", "*/", "//", "\\U00e9", '\\"', "key = value;",
           "<plist><dict>", "<key>", "</key><string>", "</string>", "<![CDATA[", "]]>", "&amp;", "<!--", "bplist00"]
CERTIFICATES = ["-----BEGIN CERTIFICATE-----\n", "-----END CERTIFICATE-----\n"]

FRAMES = [
    "\x01\x01\x01\x01\n", "BABYL OPTIONS:\n", "\x1f\x0c\n", "\x1f", "0,,\n", "*** EOOH ***\n",
    "HELO a\n", "MAIL FROM:<a>\n", "RCPT TO:<b>\n", "DATA\n", "354 x\n", "\n.\n", "\n..", "12      \n",
    "<?xml", "<plist", "</plist>\n", "\ufeff", "Subject: ", "From a@b Mon Jan  1 00:00:00 2024\n",
]

# The initial inputs of each target, and the words in its inputs.
TARGETS = {
    "mime": (messages, FIELDS + LINES + ENCODED),
    "mbox": (mailboxes, SEPARATORS),
    "mail-forms": (mail_forms, FRAMES),
    "headers": (headers, FIELDS + DATES + LINES + MARKS),
    "base64": (bodies, []),
    "uuencode": (bodies, ENCODED),
    "zip": (archives, ARCHIVES + MARKS),
    "pass-json": (members("pass.json"), JSON + MARKS),
    "pass-strings": (strings, STRINGS + MARKS),
    "cms": (members("signature"), []),
    "manifest": (members("manifest.json"), ['":"', '",', "\\u00e9"] + MARKS),
    "anchors": (authorities, CERTIFICATES),
    "tnef": (attachments(b"\x78\x9f\x3e\x22"), []),
    "outlook": (attachments(bytes.fromhex("d0cf11e0a1b11ae1")), []),
    "compression": (compressed, []),
    "archive": (other_archives, ["070701", "070707", "TRAILER!!!", "!<arch>\n", "Rar!", "PK\3\4"]),
    "tar": (tars, ["27 path=a/b.pkpass\n", "14 size=1024\n", "GNU.sparse.name=", "ustar\x00"] + MARKS),
    "cms-content": (attachments(b"\x30"), []),
    "links": (texts, ["https://", "http://", "data:application/vnd.apple.pkpass;base64,",
                      ".pkpass", "/v1/passes/pass.a/1", "&amp;", "&#x2e;", "href=\"", "%2E", "<", ">"] + MARKS),
    "mac": (macs, ["(This file must be converted with BinHex 4.0)\n\n:", "!!!", ":\n",
                   "obj<</Type/EmbeddedFile", "/Filter/FlateDecode", "/Length ", ">>stream\n",
                   "endstream"]),
}
