"""Passes in packed mails and mailboxes, and messages sent in fragments."""

import gzip

from .archive import pack
from .mbox import Mbox, letter, ticket
from .messages import PASS_TYPE, envelope, found, mixed, ordinary, part

ALL = "extension mime content"


def make(post, passes):
    attached(post, passes)
    compressed(post, passes)
    pieces(post, passes)
    too_deep(post, passes)


def attached(post, passes):
    """Mails and mailboxes that are attached as files."""
    small = passes.small
    inner = ordinary("inner", (small, "application/vnd.apple.pkpass", "ticket.pkpass"))

    def put(slug, number, *attachments):
        post.put(slug, ordinary(slug, *attachments), found(number, small, "ticket.pkpass", ALL))

    put("eml-octet-stream", "2.2", (inner, "application/octet-stream", "Fwd.eml"))
    put("eml-without-name", "2.2", (inner, "application/octet-stream", ""))
    put("eml-named-as-text", "2.2", (inner, "application/x-unknown", "message.txt"))
    put("zip-with-mail", "2!mails/one.eml!2",
        (pack({"mails/one.eml": inner}), "application/zip", "mails.zip"))
    put("zip-with-maildir", "2!Mail/cur/1715076000.M1P1.host:2,S!2",
        (pack({"Mail/cur/1715076000.M1P1.host:2,S": inner,
               "Mail/cur/1715076001.M2P1.host:2,S": letter("other")[1]}),
         "application/zip", "Mail.zip"))

    box = Mbox()
    box.add(*letter("first"))
    box.add(*ticket("second", small))
    put("mbox-attached", "2!1!2", (box.content, "application/mbox", "folder.mbox"))
    put("mbox-in-zip-attached", "2!folder.mbox!1!2",
        (pack({"folder.mbox": box.content}), "application/zip", "folder.zip"))

    slug = "eml-8bit"
    post.put(slug, mixed(slug, b'Content-Type: application/octet-stream; name="Fwd.eml"\n'
                         b"Content-Transfer-Encoding: 8bit\n\n"
                         + inner.replace(b"\r\n", b"\n")),
             found("2.2", small, "ticket.pkpass", ALL))


def compressed(post, passes):
    small = passes.small
    squeezed = gzip.compress(small, mtime=0)
    slug = "gzip-of-pass"
    post.put(slug, ordinary(slug, (squeezed, "application/gzip", "ticket.pkpass.gz")),
             found("2", small, "ticket.pkpass.gz", "content"))
    slug = "gzip-of-mail"
    inner = ordinary("inner", (small, "application/vnd.apple.pkpass", "ticket.pkpass"))
    post.put(slug, ordinary(slug, (gzip.compress(inner, mtime=0), "application/gzip", "Fwd.eml.gz")),
             found("2.2", small, "ticket.pkpass", ALL))
    slug = "none-gzip-of-text"
    post.put(slug, ordinary(slug, (gzip.compress(b"nothing\n" * 99, mtime=0), "application/gzip",
                                   "notes.txt.gz")))


def pieces(post, passes):
    """RFC 2046, 5.2.2: a large message in fragments, in an mbox in any order."""
    _, message, record = ticket("whole", passes.small)
    lines = message.splitlines(keepends=True)
    cuts = [0, 12, len(lines) // 2, len(lines)]

    def piece(number, total=True):
        more = b"; total=3" if total else b""
        return envelope(f"piece-{number}", b'Content-Type: message/partial; id="whole@mail.example"'
                        b";\n number=%d%s\n\n" % (number, more)
                        ) + b"".join(lines[cuts[number - 1]:cuts[number]])

    for name, order in {"in-order": (1, 2, 3), "last-first": (3, 1, 2)}.items():
        box = Mbox()
        box.add(*letter("before"))
        first = None
        for number in order:
            start = len(box.content), box.count
            box.add(f"piece-{number}", piece(number, total=number == 3))
            if number == 1:
                first = {"index": start[1], "offset": start[0],
                         "messageID": "piece-1@mail.example", "subject": "piece 1"}
        box.expected.append({**record, "part": "1.2", "message": first})
        post.tree.add(f"mailbox/partial-{name}.mbox", box.content, box.expected)
    slug = "partial-incomplete"
    post.problem(slug, piece(2), {
        "record": "problem", "code": "partial-incomplete", "part": "1"})


def too_deep(post, passes):
    """Nested archives are opened five levels deep; deeper ones are reported."""
    content = passes.small
    names = ["ticket.pkpass"]
    for level in range(1, 8):
        content = pack({names[-1]: content})
        names.append(f"{level}.zip")
    post.problem("hostile-zip-in-zip", ordinary(
        "hostile-zip-in-zip", (content, "application/zip", "7.zip")), {
            "record": "problem", "code": "limit-depth"})
