"""Long runs of combining marks, in each place where untrusted bytes become text, and in five scripts.

To compare, hash or split such text, Swift sorts each run in time that grows with the square of its length. The
Stream-Safe Text Format (UAX #15, 13) limits a run to 30 marks; `safe` here is an independent implementation.
Each pass is unsigned, so that it can be regenerated without a key.
"""

import base64
import io
import tarfile
import unicodedata

from . import documents
from .archive import Entry, Archive, pack
from .messages import found, lines, mixed, part, reference
from .passes import manifest, record

LATIN = "a" + "\u0301\u0323"
HEBREW = "\u05d0" + "\u05b0\u05bc"
ARABIC = "\u0627" + "\u064b\u0651"
THAI = "\u0e01" + "\u0e38\u0e48"
DEVANAGARI = "\u0915" + "\u093c\u094d"
SCRIPTS = (LATIN, HEBREW, ARABIC, THAI, DEVANAGARI)

NOTE = ["long-combining-run"]
EVIDENCE = "extension mime content"
OCTETS = b"Content-Type: application/octet-stream\n"


def run(script, size):
    """A letter followed by this many bytes of its marks."""
    marks = script[1:]
    return script[0] + marks * (size // len(marks.encode()))


def safe(text):
    """The text with U+034F after every 30 consecutive marks."""
    out, count = [], 0
    for scalar in text:
        count = count + 1 if unicodedata.combining(scalar) else 0
        if count > 30:
            out.append("\u034f")
            count = 1
        out.append(scalar)
    return "".join(out)


def ticket(**more):
    """A small unsigned pass with this JSON."""
    document = documents.head("pass.example.tram", "M1", "Hillside Tram", "Tram ticket", generic={})
    return {"pass.json": documents.write({**document, **more})}


def make(tree, post):
    passes(tree)
    mails(tree, post)


def passes(tree):
    def put(name, files, verdict="unsigned", reasons=("no-signature",), notes=()):
        content = files if isinstance(files, bytes) else pack(files)
        tree.add(f"hostile/{name}.pkpass", content,
                 [record(f"{name}.pkpass", content, verdict, list(reasons), list(notes))])

    long = 100_000
    put("marks-in-key", ticket(**{run(LATIN, long): 1}), notes=NOTE)
    put("marks-in-value", ticket(organizationName=run(HEBREW, long), description=run(ARABIC, long)),
        notes=NOTE)
    put("marks-in-field", ticket(generic={"primaryFields": [
        documents.field(run(THAI, long), run(DEVANAGARI, long), run(LATIN, long))]}), notes=NOTE)
    # A run that no byte of the file shows: Wallet decodes the references of HTML.
    put("marks-in-references", ticket(generic={"backFields": [
        documents.field("k", "x", attributedValue="a" + "&#1611;&#x651;" * 5_000)]}))
    # Not marks, but as slow for code that scans text from its end.
    flags = "\U0001F1F5\U0001F1F9" * 10_000
    put("flags-in-link", ticket(generic={"backFields": [
        documents.field("k", flags, attributedValue=f'<a href="https://e.example/{flags}">x</a>')]}))
    put("marks-in-strings", {**ticket(), "hi.lproj/pass.strings": documents.strings(
        {run(DEVANAGARI, long): run(THAI, long)})}, notes=NOTE)
    for key, script in (("serialNumber", THAI), ("passTypeIdentifier", HEBREW),
                        ("teamIdentifier", ARABIC)):
        name = {"serialNumber": "serial-number", "passTypeIdentifier": "pass-type",
                "teamIdentifier": "team"}[key]
        put(f"marks-in-{name}", ticket(**{key: run(script, long)}), "malformed",
            ["pass-identity-unsafe"])
    files = ticket()
    put("marks-in-manifest",
        {**files, "manifest.json": manifest(files, **{run(ARABIC, long): "0" * 40})},
        "malformed", ["manifest-unreadable"])
    put("zip-marks-in-name", {**files, run(LATIN, 2_000) + ".png": b"x"}, "malformed",
        ["archive-unsafe-name"])


def mails(tree, post):
    content = pack(ticket())

    def here(name, number="2", evidence=EVIDENCE, **more):
        return found(number, content, name, evidence, "unsigned", notes=NOTE, **more)

    def type_named(name):
        return b'Content-Type: application/vnd.apple.pkpass; name="' + name + b'"\n'

    slug = "mail-marks-in-name"
    name = run(THAI, 4_000) + ".pkpass"
    post.put(slug, mixed(slug, part(
        type_named(name.encode())
        + b'Content-Disposition: attachment; filename="' + name.encode() + b'"\n', content)),
        here(safe(name)))
    slug = "mail-marks-in-encoded-words"
    name = run(HEBREW, 4_000) + ".pkpass"
    # Each word has fewer marks than the limit; only their sum exceeds it.
    words = b"\n ".join(b"=?utf-8?B?%s?=" % base64.b64encode(name[i:i + 20].encode())
                        for i in range(0, len(name), 20))
    post.put(slug, mixed(slug, part(type_named(words), content)), here(safe(name)))
    slug = "mail-marks-in-extended-name"
    name = run(DEVANAGARI, 2_000) + ".pkpass"
    code = "".join(f"%{byte:02X}" for byte in name.encode()).encode()
    sections = [b"\n filename*%d*=%s%s" % (i, b"" if i else b"utf-8''", code[j:j + 60])
                for i, j in enumerate(range(0, len(code), 60))]
    post.put(slug, mixed(slug, part(
        OCTETS + b"Content-Disposition: attachment;" + b";".join(sections) + b"\n", content)),
        here(safe(name), evidence="extension content"))

    # Text of the header, and a pass without a name.
    slug = "mail-marks-in-header"
    subject, sender, identifier = run(LATIN, 4_000), run(ARABIC, 4_000), run(THAI, 4_000)
    message = mixed(slug, part(b"Content-Type: application/vnd.apple.pkpass\n", content))
    for old, new in ((b"Subject: mail marks in header", b"Subject: " + subject.encode()),
                     (b"Ana Sample <", sender.encode() + b" <"),
                     (b"<mail-marks-in-header@", b"<" + identifier.encode() + b"@")):
        message = message.replace(old, new, 1)
    expected = {**reference(slug), "subject": safe(subject),
                "messageID": safe(identifier) + "@mail.example",
                "from": safe(sender) + " <ana@sender.example>"}
    tree.add(f"hostile/{slug}.eml", message, [
        {**found("2", content, None, "mime content", "unsigned", notes=NOTE), "message": expected}])

    slug = "mail-marks-in-boundary"
    boundary = run(ARABIC, 200).encode()
    message = mixed(slug, part(type_named(b"ticket.pkpass"), content)).replace(b"sample\"", boundary + b'"')
    message = message.replace(b"--sample", b"--" + boundary)
    post.put(slug, message, found("2", content, "ticket.pkpass", EVIDENCE, "unsigned"))

    slug = "mail-marks-in-partial-id"
    post.problem(slug, mixed(slug, b'Content-Type: message/partial; id="' + run(HEBREW, 4_000).encode()
                             + b'"; number=1; total=2\n\nFrom: a@b.example\n'),
                 {"record": "problem", "code": "partial-incomplete"})

    slug = "mail-marks-in-archive"
    name = run(LATIN, 2_000) + ".pkpass"
    archive = Archive([Entry("tickets/" + name, content)]).bytes()
    post.put(slug, mixed(slug, part(b'Content-Type: application/zip; name="t.zip"\n', archive)),
             found(f"2!tickets/{safe(name)}", content, safe(name), "extension content", "unsigned",
                   notes=NOTE))
    slug = "mail-marks-in-tar"
    name = run(DEVANAGARI, 2_000) + ".pkpass"
    post.put(slug, mixed(slug, part(b'Content-Type: application/x-tar; name="t.tar"\n',
                                    tar(name, content))),
             found(f"2!{safe(name)}", content, safe(name), "extension content", "unsigned", notes=NOTE))


def tar(name, content):
    """An archive of one file, with its name in an attribute (pax)."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        member = tarfile.TarInfo(name)
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    return out.getvalue()
