"""The variants of mbox, and damaged ones."""

import re

from .mbox import ALL, SENDER, Mbox, letter, quote, ticket, with_length
from .messages import PASS_TYPE, envelope, found, mixed


def make(tree, passes):
    variants(tree, passes)
    separators(tree, passes)
    odd_beginnings(tree, passes)
    damaged(tree, passes)


def variants(tree, passes):
    """Ways to distinguish `From ` at the beginning of a body line from a separator."""
    once, twice = passes.from_lines, passes.quoted_from_lines
    text = b"From now on we sell tickets by mail.\n\nFrom Monday to Friday:\nask Ana.\n"

    def plain(slug, content):
        """A mail with a pass in binary form, without an encoding that would hide the lines."""
        return slug, mixed(slug, b"Content-Type: " + PASS_TYPE + b'; name="ticket.pkpass"\n'
                           b"Content-Transfer-Encoding: binary\n\n" + content + b"\n"), found(
                               "2", content, "ticket.pkpass", ALL)

    def put(name, content, *, escape=lambda message: message, length=False):
        box = Mbox()
        for slug, message, *records in (
                ("first", letter("first", text)[1]), ticket("second", passes.small),
                plain("third", content), letter("fourth")):
            message = escape(message)
            box.add(slug, with_length(message) if length else message, *records)
        tree.add(f"mailbox/{name}.mbox", box.content, box.expected)

    put("mboxo", once, escape=lambda message: re.sub(rb"(?m)^From ", b">From ", message))
    put("mboxrd", twice, escape=quote)
    put("mboxcl", twice, escape=quote, length=True)

    inner, box = Mbox(), Mbox()
    inner.add(*ticket("first", passes.small))
    inner.add(*ticket("second", passes.train))
    message = mixed("folder", b'Content-Type: application/mbox; name="folder.mbox"\n\n'
                    + inner.content).replace(b"sample", b"outer")
    box.add("folder", quote(message), found("2!0!2", passes.small), found("2!1!2", passes.train))
    box.add(*letter("last"))
    tree.add("mailbox/mbox-in-mboxrd.mbox", box.content, box.expected)

    # Nothing is quoted here: only Content-Length shows that these are not separators.
    box = Mbox()
    trap = (b"The mailbox began so:\n\nFrom " + SENDER + b"\nSubject: not a message\n"
            b'Content-Type: application/vnd.apple.pkpass; name="not-a.pkpass"\n\nnot a pass\n')
    box.add("first", with_length(letter("first", text + b"\n" + trap)[1]))
    for slug, message, *records in (
            ticket("second", passes.small),
            plain("third", passes.separator_lines)):
        box.add(slug, with_length(message), *records)
    box.add(*letter("fourth"))
    tree.add("mailbox/mboxcl2.mbox", box.content, box.expected)

    for name, change in (("content-length-too-large", 10_000), ("content-length-too-small", -100)):
        box = Mbox()
        for slug, message, *records in (
                ticket("first", passes.small), ticket("second", passes.train)):
            box.add(slug, with_length(message, change), *records)
        tree.add(f"mailbox/{name}.mbox", box.content, box.expected)


def separators(tree, passes):
    def put(name, *more, before=b"", end=b"\n", **options):
        box = Mbox(before)
        for mail in (letter("first"), ticket("second", passes.small), letter("third"), *more):
            box.add(*mail, **options)
        tree.add(f"mailbox/{name}.mbox", box.content.rstrip(b"\n") + end, box.expected)

    put("ordinary", ticket("fourth", passes.train))
    put("separator-thunderbird", sender=b"- Tue May 07 10:00:00 2024")
    put("separator-takeout", sender=b"178@xxx Mon Jan 01 00:00:00 +0000 2024")
    put("separator-bare", sender=b"")
    put("separator-zone-behind-year", sender=b"ana@sender.example Tue May  7 10:00:00 2024 +0200")
    put("separator-zone-by-name", sender=b"ana@sender.example Tue May  7 10:00:00 CEST 2024")
    put("separator-no-seconds", sender=b"ana@sender.example Tue May  7 10:00 2024")
    put("separator-internet-date", sender=b"ana@sender.example Tue, 07 May 2024 10:00:00 +0000")
    put("separator-eudora", sender=b"???@??? Tue May 07 10:00:00 2024")
    put("separator-mailer-daemon", sender=b"MAILER-DAEMON Tue May  7 10:00:00 2024")
    put("separator-uucp",
        sender=b"relay!ana Tue May  7 10:00:00 2024 remote from sender")
    put("separator-sender-with-spaces", sender=b"Ana Sample Tue May  7 10:00:00 2024")
    put("separator-no-date", sender=b"ana@sender.example")
    put("no-blank-line-before-separator", blank=b"")
    put("leading-blank-lines", before=b"\n\n\n")
    put("no-final-newline", end=b"")

    box = Mbox()
    for slug, message, *records in (
            letter("first"), ticket("second", passes.small), ticket("third", passes.train)):
        box.add(slug, message.replace(b"\n", b"\r\n"), *records, blank=b"\r\n", newline=b"\r\n")
    tree.add("mailbox/crlf.mbox", box.content, box.expected)

    box = Mbox()
    box.add(*letter("first", b"From now on we send tickets by mail.\n\n"
                    b"From now on we write:\nFrom Tuesday, 10 o'clock, all trams run.\n\n"
                    b"From here: 5 minutes.\n"))
    box.add(*ticket("second", passes.small))
    tree.add("mailbox/from-now-on-in-text.mbox", box.content, box.expected)


def odd_beginnings(tree, passes):
    """Text before the first message, or a first message that programs add for themselves."""
    def put(name, before, *mails, **options):
        box = Mbox(before)
        for mail in mails or (ticket("first", passes.small),):
            box.add(*mail, **options)
        tree.add(f"mailbox/{name}.mbox", box.content, box.expected)

    put("utf-8-mark", b"\xef\xbb\xbf")
    put("blank-lines", b"\n" * 5000)

    # A folder of UW-IMAP and Pine, whose first message is not a message.
    slug = "folder-internal-data"
    internal = (envelope(slug, b"X-IMAP: 1715076000 0000000002\nStatus: RO\n\n")
                + b"This text is part of the internal format of your mail folder, and is not\n"
                b"a real message.  It is created automatically by the mail system software.\n")
    put("pine", b"", (slug, internal), ticket("second", passes.small))

    # RFC 5322 lets the day of the week be missing; no known field follows.
    box = Mbox()
    for slug, message, *records in (letter("first"), ticket("second", passes.small)):
        box.add(slug, b"Foo: bar\n" + message, *records,
                sender=b"ana@sender.example 7 May 2024 10:00:00 +0000")
    tree.add("mailbox/separator-internet-date-without-day.mbox", box.content, box.expected)

    # A separator without a date before a rare field, and others that are clear.
    box = Mbox()
    slug, message, record = ticket("first", passes.small)
    box.add(slug, b"Foo: bar\n" + message, record, sender=b"nobody")
    box.add(*ticket("second", passes.tram))
    tree.add("mailbox/separator-no-date-and-unknown-field.mbox", box.content, box.expected)

    # Old Macs used these line ends, and Eudora wrote these separators.
    box = Mbox()
    for mail in (letter("first"), ticket("second", passes.small)):
        box.add(*mail, sender=b"???@??? Tue May 07 10:00:00 2024")
    tree.add("mailbox/eudora-carriage-returns.mbx", box.content.replace(b"\n", b"\r"), box.expected)


def damaged(tree, passes):
    box = Mbox()
    box.add(*ticket("first", passes.small))
    slug, message, _ = ticket("second", passes.train)
    cut = message[:message.index(b"UEsDB") + 2000]
    box.add(slug, cut, found("2", None, "ticket.pkpass", verdict="malformed"), blank=b"")
    tree.add("mailbox/truncated-in-pass.mbox", box.content, box.expected)

    box = Mbox()
    box.add(*ticket("first", passes.small))
    box.add("second", envelope("second")[:90], blank=b"")
    tree.add("mailbox/truncated-in-header.mbox", box.content, box.expected)

    box = Mbox(b"the end of a text whose beginning is lost\n\n")
    box.add(*ticket("second", passes.small))
    box.add(*ticket("third", passes.train))
    tree.add("mailbox/beginning-lost.mbox", box.content, without_index(box.expected))

    box = Mbox(b"the end of a text whose beginning is lost\n" * 150 + b"\n")
    box.add(*ticket("second", passes.small))
    tree.add("mailbox/beginning-lost-long-ago.mbox", box.content, without_index(box.expected))


def without_index(records):
    """It is ambiguous whether the rest of a message counts as one."""
    for record in records:
        del record["message"]["index"]
    return records
