"""Apple Mail's storage: one file per message, with attachments in separate files."""

import plistlib
import unicodedata

from .mbox import ALL, by_folder, letter, ticket
from .messages import PASS_TYPE, TEXT, envelope, found, lines, multipart, reference
from .tree import identity


def make(tree, passes):
    single(tree, passes)
    store(tree, passes)


def emlx(message, count=None, end=b"\n", width=10):
    """The length in a field of ten, the message, and Apple Mail's property list."""
    known = plistlib.dumps({
        "conversation-id": 176, "date-last-viewed": 0, "date-received": 1715076000,
        "flags": 8590195713, "remote-id": "13"})
    length = b"%d" % (len(message) if count is None else count)
    return length.ljust(width) + end + message + known


def single(tree, passes):
    def put(name, slug, change, mail=ticket, offset=11):
        slug, message, record = mail(slug, passes.small)
        tree.add(f"mailbox/{name}.emlx", change(message), [
            {**record, "message": reference(slug, 0, offset)}])

    put("emlx", "emlx", emlx)
    put("emlx-unpadded", "emlx-unpadded", lambda message: emlx(message, width=0), offset=5)
    put("emlx-too-short", "emlx-too-short", lambda message: emlx(message, 900))
    put("emlx-too-long", "emlx-too-long", lambda message: emlx(message, len(message) + 100))
    put("emlx-longer-than-file", "emlx-longer-than-file", lambda message: emlx(message, 999_999))
    put("emlx-carriage-returns", "emlx-carriage-returns",
        lambda message: emlx(message).replace(b"\n", b"\r\n"), offset=12)
    put("emlx-without-list", "emlx-without-list",
        lambda message: emlx(message).split(b"<?xml")[0])
    # Only the length says where these bytes end.
    put("emlx-binary-to-the-end", "emlx-binary-to-the-end", emlx, mail=binary)


def binary(slug, content):
    header = (b"Content-Type: " + PASS_TYPE + b'; name="ticket.pkpass"\n'
              b"Content-Transfer-Encoding: binary\n\n")
    return slug, envelope(slug, header) + content, found("1", content, "ticket.pkpass", ALL)


def stub(content, name=None, media_type="application/vnd.apple.pkpass", **more):
    """A part whose body was removed, with the header that Apple Mail leaves."""
    named = f";\n\tfilename={name}" if name else ""
    typed = f";\n\tname={name}" if name else ""
    return (f"Content-Transfer-Encoding: base64\nContent-Disposition: attachment{named}\n"
            f"Content-Type: {media_type}{typed}\n"
            f"X-Apple-Content-Length: {len(lines(content))}\n\n").encode() + b"\n"


def partial(slug, *parts):
    return emlx(envelope(slug, b'Content-Type: multipart/mixed;\n\tboundary="sample"\n\n')
                + multipart(TEXT, *parts))


def store(tree, passes):
    """A part of ~/Library/Mail."""
    small, tram = passes.small, passes.tram
    bucket = "V10/1B2C/Travel.mbox/3D4E/Data/9/7"
    older = "V2/IMAP-ana@mail.example/INBOX.mbox"
    files, expected = {}, []

    def put(number, slug, content, beside, *records, folder=bucket, form="partial.emlx"):
        source = f"{folder}/Messages/{number}.{form}"
        files[source] = content
        for path, file in beside.items():
            files[f"{folder}/{path}" if "/Messages" in f"/{path}"
                  else f"{folder}/Attachments/{number}/{path}"] = file
        place = reference(slug, 0, 11)
        expected.extend({"source": source, **record, "message": place} for record in records)

    put(79001, "named", partial("named", stub(small, "ticket.pkpass")),
        {"2/ticket.pkpass": small, "2/.DS_Store": b"\0\0\0\1Bud1"},
        found("2", small, "ticket.pkpass", ALL))

    # Part numbers are those of the whole message; the file's name may differ.
    inner = (b'Content-Type: multipart/related; boundary="inner"\n\n'
             + multipart(TEXT, stub(b"x" * 900, "image001.png", "image/png"), boundary=b"inner"))
    put(79002, "nested", partial("nested", inner, stub(tram)),
        {"2.2/image001.png": b"\x89PNG\r\n\x1a\n" + b"x" * 900, "3/Mail Attachment.pkpass": tram},
        found("3", tram, "Mail Attachment.pkpass", ALL))

    # Nothing in the header is evidence of a pass, only the file's name and its bytes. A missing body
    # without such evidence is not reported.
    put(79003, "undeclared", partial(
        "undeclared", stub(small, None, "application/octet-stream"),
        stub(tram, "ticket.bin", "application/octet-stream"),
        stub(b"hello", "notes.txt", "text/plain"), stub(b"x", "photo.png", "image/png")),
        {"2/Mail Attachment.pkpass": small, "3/ticket.bin": tram, "4/notes.txt": b"hello"},
        found("2", small, "Mail Attachment.pkpass", "extension content"),
        found("3", tram, "ticket.bin", "content"))

    put(79004, "missing", partial("missing", stub(small, "ticket.pkpass")), {},
        {"record": "problem", "code": "attachment-missing", "part": "2"})

    # A complete message, with an attachment that was opened from it.
    slug, message, record = ticket("whole", small)
    put(79005, slug, emlx(message), {"2/ticket.pkpass": small}, record, form="emlx")

    # The older form of a part, still encoded.
    put(79006, "encoded", partial("encoded", stub(tram, "ticket.pkpass")),
        {"Messages/79006.2.emlxpart": lines(tram)}, found("2", tram, "ticket.pkpass", ALL))

    # The removed body is a mail, a bundle, or not a pass.
    _, forwarded, record = ticket("forwarded", small)
    put(79007, "packed", partial(
        "packed", stub(forwarded, "Fwd.eml", "message/rfc822"),
        stub(passes.bundle, "journey.pkpasses", "application/vnd.apple.pkpasses"),
        stub(b"<html>404</html>\n", "ticket.pkpass")),
        {"2/Fwd.eml": forwarded, "3/journey.pkpasses": passes.bundle,
         "4/ticket.pkpass": b"<html>404</html>\n"},
        {**record, "part": "2.2"},
        *[{"part": f"3!{name}", "name": name, **identity(content), "verdict": "trusted"}
          for name, content in passes.bundle_members.items()],
        found("4", b"<html>404</html>\n", "ticket.pkpass", "extension mime", verdict="malformed"))

    # File systems on Macs decompose names, mail does not.
    name = "Gr\u00fc\u00dfe.pkpass"
    part = stub(small).replace(
        b"pkpass\nX-Apple", b"pkpass;\n\tname*=utf-8''Gr%C3%BC%C3%9Fe.pkpass\nX-Apple")
    put(79008, "decomposed", partial("decomposed", part),
        {f"2/{unicodedata.normalize('NFD', name)}": small}, found("2", small, name, ALL))

    # Without its message a file is an ordinary file; another with a message is deeper than attachments are.
    files[f"{bucket}/Attachments/79999/2/ticket.pkpass"] = small
    expected.append({
        "source": f"{bucket}/Attachments/79999/2/ticket.pkpass", "part": "",
        "name": "ticket.pkpass", **identity(small), "verdict": "trusted"})
    files[f"{bucket}/Messages/79010.emlx"] = emlx(letter("letter")[1])
    files["V10/MailData/Envelope Index"] = b"SQLite format 3\0"

    put(5, "older", partial("older", stub(small, "ticket.pkpass")), {"2/ticket.pkpass": small},
        found("2", small, "ticket.pkpass", ALL), folder=older)

    folder = "mailbox/AppleMail"
    for source, content in files.items():
        tree.add(f"{folder}/{source}", content)
    tree.expect(folder, sorted(expected, key=lambda record: by_folder([record["source"]])))
