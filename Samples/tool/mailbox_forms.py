"""Mailboxes other than mbox, and files of single messages with deviations."""

import mailbox
import tempfile
from pathlib import Path

from .mbox import SENDER, letter, ticket
from .messages import reference

MMDF_LINE = b"\x01\x01\x01\x01\n"


def make(tree, passes):
    mmdf(tree, passes)
    babyl(tree, passes)
    batch_smtp(tree, passes)
    messages(tree, passes)


def three(passes):
    return letter("first"), ticket("second", passes.small), ticket("third", passes.tram)


def written(form, mails):
    """A mailbox as Python writes it, and the offsets of its messages from Python's table."""
    with tempfile.TemporaryDirectory() as place:
        box = form(f"{place}/mailbox", create=True)
        for _, message, *_ in mails:
            box.add(message)
        box.flush()
        box._generate_toc()
        starts = [start for start, _ in box._toc.values()]
        box.close()
        return Path(place, "mailbox").read_bytes(), starts


def expected(mails, starts):
    return [{**record, "message": reference(slug, index, start)}
            for index, ((slug, _, *records), start) in enumerate(zip(mails, starts))
            for record in records]


def mmdf(tree, passes):
    mails = three(passes)
    stamped = [(slug, b"From " + SENDER + b"\n" + message) for slug, message, *_ in mails]
    content, starts = written(mailbox.MMDF, stamped)
    tree.add("mailbox/mmdf", content, expected(mails, starts))

    # Without the mbox separator, and without the line that ends a message.
    content, starts = b"", []
    for _, message, *_ in mails:
        starts.append(len(content) + len(MMDF_LINE))
        content += MMDF_LINE + message
    tree.add("mailbox/mmdf-without-ends", content, expected(mails, starts))


def babyl(tree, passes):
    mails = three(passes)
    content, starts = written(mailbox.Babyl, mails)
    # Python's table begins with the line of labels.
    starts = [content.index(b"\n", start) + 1 for start in starts]
    tree.add("mailbox/babyl", content, expected(mails, starts))

    # A message that Rmail had not displayed yet.
    content = (b"BABYL OPTIONS: -*- rmail -*-\nVersion: 5\nLabels:\n"
               b"Note: This is the header of an rmail file.\n")
    starts = []
    for _, message, *_ in mails:
        content += b"\x1f\x0c\n0, unseen,,\n*** EOOH ***\n"
        starts.append(len(content))
        content += message
    tree.add("mailbox/babyl-not-shown", content + b"\x1f", expected(mails, starts))


def batch_smtp(tree, passes):
    first, second, (slug, message, record) = three(passes)
    mails = first, second, (slug, message.replace(b"Your ticket", b".\n.. Your ticket"), record)

    def stuffed(message):
        return message.replace(b"\n.", b"\n..").replace(b"\n", b"\r\n")

    for name, answers in (("batch-smtp", False), ("smtp-session", True)):
        content, starts = b"", []

        def say(command, answer):
            return command + b"\r\n" + (answer + b"\r\n" if answers else b"")

        content += b"220 receiver.example ESMTP\r\n" if answers else b""
        content += say(b"EHLO sender.example", b"250-receiver.example\r\n250 8BITMIME")
        for _, message, *_ in mails:
            content += say(b"MAIL FROM:<ana@sender.example>", b"250 2.1.0 Ok")
            content += say(b"RCPT TO:<bo@receiver.example>", b"250 2.1.5 Ok")
            content += say(b"DATA", b"354 End data with <CR><LF>.<CR><LF>")
            starts.append(len(content))
            content += stuffed(message) + say(b".", b"250 2.0.0 Ok: queued")
        tree.add(f"mailbox/{name}", content + say(b"QUIT", b"221 2.0.0 Bye"), expected(mails, starts))


def messages(tree, passes):
    """Single messages whose first bytes are not a header."""
    def put(name, slug, change):
        slug, message, record = ticket(slug, passes.small)
        tree.add(f"mailbox/{name}", change(message), [{**record, "message": reference(slug)}])

    # The most important field comes after the mark.
    put("utf-8-mark.eml", "utf-8-mark", lambda message: b"\xef\xbb\xbf" + type_first(message))
    put("utf-16.eml", "utf-16", lambda message: message.decode().replace(
        "\n", "\r\n").encode("utf-16"))
    put("utf-16-big-endian.txt", "utf-16-big-endian", lambda message: b"\xfe\xff" +
        message.decode().encode("utf-16-be"))
    put("blank-lines.eml", "blank-lines", lambda message: b"\r\n" * 2500 + message)
    put("first-field-long.eml", "first-field-long", lambda message: b"Foo: " + b"bar\n " * 1000 +
        b"bar\n" + message)
    put("unknown-field-first.txt", "unknown-field-first", lambda message: b"Foo: bar\n" + message)
    put("quoted-separator-first.txt", "quoted-separator-first", lambda message: b">From " + SENDER
        + b"\nFoo: bar\n" + message)


def type_first(message):
    rows = message.splitlines(keepends=True)
    place = next(i for i, row in enumerate(rows) if row.startswith(b"Content-Type: multipart/"))
    return b"".join([rows[place], *rows[:place], *rows[place + 1:]])
