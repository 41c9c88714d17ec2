"""Mailboxes other than mbox, and files of single messages with deviations."""

import mailbox
import tempfile
from pathlib import Path

from .mail_unread import OUTLOOK_EXPRESS, OUTLOOK_FOLDERS
from .mailbox_compressed import compress
from .mbox import SENDER, letter, ticket
from .messages import mixed, reference

MMDF_LINE = b"\x01\x01\x01\x01\n"


def make(tree, passes):
    mmdf(tree, passes)
    babyl(tree, passes)
    batch_smtp(tree, passes)
    dbox(tree, passes)
    mbx(tree, passes)
    messages(tree, passes)
    unread(tree)


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


DBOX_HEADER = b"2 M1e C65a1b2c3\n"
DBOX_METADATA = b"\n\1\3\nR65a1b2c3\nV%x\nG0123456789abcdef0123456789abcdef\n\n"


def dbox_message(message, size=None):
    """A message as Dovecot stores it, and the length of the header before it."""
    head = b"\1\2N" + b" " * 10 + (b"%016x" % len(message) if size is None else size) + b"\n"
    return head + message + DBOX_METADATA % len(message), len(head)


def dbox(tree, passes):
    mails = three(passes)

    def write(name, stored, sizes=(None, None, None), records=mails):
        content, starts = DBOX_HEADER, []
        for message, size in zip(stored, sizes):
            text, head = dbox_message(message, size)
            starts.append(len(content) + head)
            content += text
        tree.add(name, content, expected(records, starts))

    plain = [message for _, message, *_ in mails]
    write("mailbox/sdbox-u.7", plain[1:2], records=mails[1:2])
    # With mail_attachment_dir, the bodies of attachments are stored elsewhere.
    slug = "second"
    message = mixed(slug, b'Content-Type: application/vnd.apple.pkpass; name="ticket.pkpass"\n'
                    b"Content-Transfer-Encoding: base64\n\n\n")
    write("mailbox/sdbox-u.8", [message], records=[(
        slug, message, {"record": "problem", "code": "attachment-elsewhere", "part": "2"})])
    write("mailbox/mdbox-m.1", plain)
    # A message without a final line end.
    write("mailbox/mdbox-m.2", [plain[0], plain[1].rstrip(b"\n"), plain[2]])
    # Sizes that are too small, too large, and not numbers.
    write("mailbox/mdbox-m.3", plain, (
        None, b"%016x" % (len(plain[1]) - 90), b"%016x" % (len(plain[2]) + 900)))
    write("mailbox/mdbox-m.4", plain, (
        b"%016x" % (len(plain[0]) + 90), b"f" * 16, b"0000000000000???"))
    # The zlib plugin compresses each message; the header of the message is in it.
    for number, form in ((5, "gz"), (6, "zst"), (7, "xz"), (8, "bz2")):
        compressed = [plain[0], compress(plain[1], form), compress(plain[2], form)]
        records = [(slug, message, *[{"part": "1.2", **{
            key: value for key, value in record.items() if key not in ("message", "part")}}
            for record in records]) for slug, message, *records in mails]
        content, starts = DBOX_HEADER, []
        for message in compressed:
            text, head = dbox_message(message)
            starts.append(len(content) + head)
            content += text
        tree.add(f"mailbox/mdbox-m.{number}", content, [
            {**record, "message": {"index": index, "offset": start}}
            for index, ((_, _, *records), start) in enumerate(zip(records, starts))
            for record in records])


def mbx(tree, passes):
    mails = three(passes)

    def write(name, changes=(0, 0, 0)):
        content = b"*mbx*\r\n65a1b2c300000003\r\n" + b"\r\n" * 30
        content += bytes(2048 - len(content))
        starts = []
        for number, ((_, message, *_), change) in enumerate(zip(mails, changes), 1):
            text = message.replace(b"\n", b"\r\n")
            content += b" 1-Jan-2024 00:00:00 +0000,%d;00000000%04x-%08x\r\n" % (
                len(text) + change, 0, number)
            starts.append(len(content))
            content += text
        tree.add(name, content, expected(mails, starts))

    write("mailbox/uw.mbx")
    write("mailbox/uw-wrong-sizes.mbx", (5, -70, 999))


def unread(tree):
    problem = {"record": "problem", "code": "format-not-read"}
    tree.add("mailbox/unread.pst", OUTLOOK_FOLDERS, [problem])
    tree.add("mailbox/unread.dbx", OUTLOOK_EXPRESS, [problem])
    tree.add("mailbox/unread.nsf", bytes.fromhex("1a0000040000") + bytes(250), [problem])
    tree.add("mailbox/unread.tbb", bytes.fromhex("20067919") + bytes(250), [problem])
    tree.add("mailbox/unread.pmm", b"Inbox".ljust(128, b"\0") + b"From: ana@sender.example\r\n",
             [problem])
    tree.add("mailbox/unread-mail_crypt", b"CRYPTED\3\7\2" + bytes(range(256)), [problem])


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
