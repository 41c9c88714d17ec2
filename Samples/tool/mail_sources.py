"""Messages whose source is encoded, is quoted in a text, or begins with other lines."""

import binascii
import gzip

from .archive import pack
from .mbox import ALL, SENDER, Mbox, letter, quote, ticket
from .messages import (PASS_TYPE, envelope, found, lines, mixed, multipart, part, reference,
                       uuencode, yencode)

HEADER = b'Content-Type: application/vnd.apple.pkpass; name="ticket.pkpass"\n'
MESSAGE = b"Content-Type: message/rfc822\n"
GLOBAL = b"Content-Type: message/global\n"
ENCODING = b"Content-Transfer-Encoding: "


def make(post, passes):
    small = passes.small
    inner = mixed("inner", part(HEADER, small)).replace(b"sample", b"other")
    attached(post, small, inner)
    in_text(post, small, inner)
    named_as_mail(post, small)
    cut(post, small)
    unlabelled(post, small, inner)
    without_pass(post)


def make_mailboxes(tree, passes):
    first_lines(tree, passes.small)
    separators(tree, passes)


def attached(post, small, inner):
    """RFC 2046, 5.2.1 and RFC 6532, 3.7: the label of an attached message is often wrong."""
    def put(slug, header, body):
        post.put(slug, mixed(slug, header + b"\n" + body),
                 found("2.2", small, "ticket.pkpass", ALL))

    quoted = b"quoted-printable\n"
    german = b"Subject: Gr\xc3\xbc\xc3\x9fe = 5\nX-Sum: 1+1=2\n" + inner
    put("message-rfc822-quoted-printable-8bit-subject", MESSAGE + ENCODING + quoted,
        binascii.b2a_qp(german) + b"\n")
    put("message-global-quoted-printable", GLOBAL + ENCODING + quoted,
        binascii.b2a_qp(german) + b"\n")
    words = b"Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\n" + inner
    put("message-rfc822-quoted-printable-not-encoded", MESSAGE + ENCODING + quoted, words)
    put("message-rfc822-quoted-printable-of-words", MESSAGE + ENCODING + quoted,
        binascii.b2a_qp(words) + b"\n")
    for slug, label in {"not-declared": b"", "declared-7bit": ENCODING + b"7bit\n",
                        "declared-8bit": ENCODING + b"8bit\n",
                        "declared-binary": ENCODING + b"binary\n",
                        "declared-quoted-printable": ENCODING + quoted}.items():
        put(f"message-rfc822-base64-{slug}", MESSAGE + label, lines(inner))
    put("message-rfc822-base64-one-line-declared-7bit", MESSAGE + ENCODING + b"7bit\n",
        lines(inner, 1 << 20))
    put("message-global-base64", GLOBAL + ENCODING + b"base64\n", lines(inner))
    put("message-rfc822-uuencode-not-declared", MESSAGE, uuencode(inner, b"inner.eml"))


def in_text(post, small, inner):
    """Programs that return a mail put its source into a text, which may be encoded as a whole."""
    notice = (b"I could not deliver your mail =)\n" + b"Please look at each line.\n" * 20
              + b"\n------ Its source is below. ------\n\n")
    single = envelope("single", part(HEADER, small))
    texts = {
        "uuencode": (b"Here it is.\n\n" + uuencode(small, b"ticket.pkpass"), "1!ticket.pkpass",
                     "extension content"),
        "yenc": (b"Here it is.\n\n" + yencode(small, b"ticket.pkpass"), "1!ticket.pkpass",
                 "extension content"),
        "source": (notice + inner, "1.2", ALL),
        "source-single-part": (notice + single, "1!ticket.pkpass", ALL),
    }
    for slug, (text, number, evidence) in texts.items():
        record = found(number, small, "ticket.pkpass", evidence)
        for label, encode in {"base64": lines, "quoted-printable": quoted_printable}.items():
            if (slug, label) == ("yenc", "quoted-printable"):
                continue
            name = f"text-{label}-{slug}"
            header = b"Content-Type: text/plain; charset=utf-8\n" + ENCODING + label.encode()
            post.put(name, envelope(name, header + b"\n\n") + encode(text), record)
        if slug == "source-single-part":
            name = f"text-{slug}"
            post.put(name, envelope(name, b"Content-Type: text/plain\n\n") + text, record)


def unlabelled(post, small, inner):
    """Texts in parts of an unknown type, and encoded texts within a quoted source."""
    record = found("2!ticket.pkpass", small, "ticket.pkpass", "extension content")
    octets = b'Content-Type: application/octet-stream; name="%s"\n' + ENCODING + b"base64\n\n"
    files = {"uuencode": (b"ticket.uue", uuencode(small, b"ticket.pkpass"), record),
             "yenc": (b"ticket.yenc", yencode(small, b"ticket.pkpass"), record),
             "source": (b"bounce.txt", b"Returned:\n\n" * 20 + inner,
                        found("2.2", small, "ticket.pkpass", ALL))}
    for slug, (name, content, expected) in files.items():
        name = octets % name
        slug = f"text-base64-octet-stream-{slug}"
        post.put(slug, mixed(slug, name + lines(content)), expected)

    notice = b"Returned to its sender:\n\n"
    body = b"Here it is.\n\n" + uuencode(small, b"ticket.pkpass")
    for label, encode in {"base64": lines, "quoted-printable": quoted_printable}.items():
        source = (envelope("single", b"Content-Type: text/plain\n" + ENCODING + label.encode())
                  + b"\n\n" + encode(body))
        slug = f"text-source-in-{label}"
        post.put(slug, envelope(slug, b"Content-Type: text/plain\n\n") + notice + source,
                 found("1!ticket.pkpass", small, "ticket.pkpass", "extension content"))
    slug = "text-quoted-printable-uuencode-mail"
    post.put(slug, envelope(slug, b"Content-Type: text/plain\n" + ENCODING
                            + b"quoted-printable\n\n")
             + quoted_printable(b"Here it is.\n\n" + uuencode(inner, b"a.eml")),
             found("1!a.eml.2", small, "ticket.pkpass", ALL))
    slug = "message-rfc822-quoted-printable-each-byte"
    body = b"".join(row + b"\n" for row in soft(b"".join(b"=%02X" % byte for byte in inner)))
    post.put(slug, mixed(slug, MESSAGE + ENCODING + b"quoted-printable\n\n" + body),
             found("2.2", small, "ticket.pkpass", ALL))
    slug = "text-quoted-printable-source-in-quoted-printable"
    source = envelope("single", HEADER + ENCODING + b"quoted-printable\n\n") + b"".join(
        row + b"\n" for row in soft(b"PK" + b"".join(b"=%02X" % byte for byte in small[2:])))
    post.put(slug, envelope(slug, b"Content-Type: text/plain\n" + ENCODING
                            + b"quoted-printable\n\n") + quoted_printable(notice + source),
             found("1!ticket.pkpass", small, "ticket.pkpass", ALL))
    for slug, label in {"not-declared": b"", "declared-8bit": ENCODING + b"8bit\n"}.items():
        slug = f"message-rfc822-quoted-printable-{slug}"
        post.put(slug, mixed(slug, MESSAGE + label + b"\n" + quoted_printable(inner) + b"\n"),
                 found("2.2", small, "ticket.pkpass", ALL))


def without_pass(post):
    """Headers of passes whose bodies were left out, deleted, or never meant."""
    slug = "none-header-of-returned-mail"
    post.put(slug, mixed(slug, MESSAGE + b"\n" + envelope("single", HEADER + ENCODING)
                         + b"base64\n\n"))
    slug = "none-deleted-by-thunderbird"
    post.put(slug, mixed(slug, b'Content-Type: text/x-moz-deleted; name="Deleted: ticket.pkpass"\n'
                         + ENCODING + b"8bit\n\nYou deleted an attachment from this message.\n"))
    slug = "none-deleted-by-mutt"
    post.put(slug, mixed(slug, b'Content-Type: message/external-body; access-type=x-mutt-deleted;\n'
                         b' expiration="Tue, 7 May 2024 10:00:00 +0000"; length=3600\n\n' + HEADER
                         + ENCODING + b"base64\n\n"))
    slug = "none-example-of-mime"
    post.put(slug, envelope(slug, b"Content-Type: text/plain\n\n") + b"Send it like this:\n\n--b1\n"
             + HEADER + ENCODING + b"base64\n\n[base64 of the pass]\n--b1--\n\nThat is all.\n")


def quoted_printable(text):
    return binascii.b2a_qp(text)


BEGINNINGS = {
    "nuls": b"\0" * 300,
    "folded-line": b" by mx.example; Tue, 7 May 2024 10:00:00 +0000\n",
    "space": b" \n",
    "umlaut": "Größe: 12 kB\n".encode(),
    "original-message": b"-----Original Message-----\n",
    "original-message-blank-line": b"-----Original Message-----\n\n",
    "pop": b"+OK 4711 octets\r\n",
    "banner": b"Exported by Sample Mail 1.0\nAccount of Ana\n\n",
}


def named_as_mail(post, small):
    """An attached or packed file that is mail by its name, whatever its first line."""
    for slug, beginning in BEGINNINGS.items():
        _, message, _ = ticket("inner", small)
        name = f"eml-{slug}"
        header = b'Content-Type: application/octet-stream; name="a.eml"\n'
        post.put(name, mixed(name, part(header, beginning + message)),
                 found("2.2", small, "ticket.pkpass", ALL))
    file = b"A banner without meaning\n" + ticket("inner", small)[1]
    for slug, kind, name, content, number in (
            ("zip", b"application/zip", b"mail.zip", pack({"a.eml": file}), "2!a.eml!2"),
            ("maildir-in-zip", b"application/zip", b"mail.zip",
             pack({"Maildir/cur/1.M1.host:2,S": file}), "2!Maildir/cur/1.M1.host:2,S!2"),
            ("gzip", b"application/gzip", b"a.eml.gz", gzip.compress(file, mtime=0), "2.2")):
        slug = f"eml-{slug}" if "-" in slug else f"eml-in-{slug}"
        header = b"Content-Type: " + kind + b'; name="' + name + b'"\n'
        post.put(slug, mixed(slug, part(header, content)),
                 found(number, small, "ticket.pkpass", ALL))


def cut(post, small):
    """RFC 2046, 5.2.2: of two fragments, only the first arrived, which holds the whole pass."""
    slug = "partial-pass-in-first-piece"
    whole = mixed("whole", part(HEADER, small), b"Content-Type: text/plain\n\n" + b"more\n" * 99)
    piece = envelope(slug, b'Content-Type: message/partial; id="cut@mail.example"; number=1;'
                     b" total=2\n\n") + whole[:-200]
    post.problem(slug, piece, {"record": "problem", "code": "partial-incomplete", "part": "1"},
                 {**found("1.2", small, "ticket.pkpass", ALL), "message": reference(slug)})


def first_lines(tree, small):
    """Files whose first line is no header field: their name says that they are mail."""
    for slug, beginning in BEGINNINGS.items():
        name = f"first-line-{slug}"
        _, message, record = ticket(name, small)
        tree.add(f"mailbox/{name}.eml", beginning + message,
                 [{**record, "message": reference(name)}])
    name = "first-line-delimiter"
    tree.add(f"mailbox/{name}.eml", multipart(b"Content-Type: text/plain\n\nHello\n",
                                              part(HEADER, small)),
             [{**found("1.2", small, "ticket.pkpass", ALL), "message": {"index": 0, "offset": 0}}])


def separators(tree, passes):
    """Lines like a separator within messages, and separators that a crash damaged."""
    small = passes.small
    line = b"From " + SENDER + b"\n"

    def put(name, *mails, before=b"", blank=b"\n"):
        box = Mbox(before)
        for mail in mails:
            box.add(*mail, blank=blank)
        tree.add(f"mailbox/{name}.mbox", box.content, box.expected)

    last = ticket("last", passes.train)
    text = b"Content-Type: text/plain\n\n"
    slug = "uuencode-behind-separator"
    put(slug, letter("first"), (slug, envelope(slug, text) + b"He wrote:\n" + line + uuencode(
        small, b"ticket.pkpass"), found("1!ticket.pkpass", small, "ticket.pkpass",
                                        "extension content")), last)
    slug = "base64-behind-separator"
    put(slug, letter("first"), (slug, mixed(
        slug, HEADER + ENCODING + b"base64\n\n" + line + lines(small)),
        found("2", small, "ticket.pkpass", ALL)), last)
    slug = "separator-in-part-header"
    put(slug, letter("first"), (slug, mixed(slug, line + part(HEADER, small)),
                                found("2", small, "ticket.pkpass", ALL)), last)
    # The header after the false separator belongs to a mail that the text quotes.
    head = envelope("divided", b'Content-Type: multipart/mixed; boundary="sample"\n\n')
    slug = "message-behind-separator"
    put(slug, ("divided", head + b"--sample\n" + text + b"Ana wrote:\n\n"), (
        slug, envelope(slug, b"Content-Type: text/html\n" + ENCODING + b"base64\n\n")
        + lines(b"<p>See you there!</p>\n") + b"\n--sample\n" + part(HEADER, small)
        + b"\n--sample--\n", found("2", small, "ticket.pkpass", ALL)), letter("last"))
    put("nuls-before-first-separator", ticket("first", small), last, before=b"\0" * 512)
    put("nuls-before-separators", ticket("first", small), ticket("second", passes.tram), last,
        blank=b"\n" + b"\0" * 100)

    # Each `From ` of the pass is at the beginning of a line, after a soft line break.
    content = passes.from_lines
    slug = "quoted-printable"
    body = b"".join(b"=%02X" % byte for byte in content).replace(
        b"".join(b"=%02X" % byte for byte in b"From "), b"=\nFrom ")
    broken = b"".join(row + b"\n" for row in soft(body))
    message = mixed(slug, b"Content-Type: " + PASS_TYPE + b'; name="ticket.pkpass"\n' + ENCODING
                    + b"quoted-printable\n\n" + broken)
    put("mboxrd-quoted-printable",
        (slug, quote(message), found("2", content, "ticket.pkpass", ALL)), last)


def soft(body):
    """Lines of at most 76 characters; those that exist stay."""
    for row in body.split(b"\n"):
        while len(row) > 76:
            cut = 75 - (row[:75].rfind(b"=") > 72 and 75 - row[:75].rfind(b"="))
            yield row[:cut] + b"="
            row = row[cut:]
        yield row
