"""Mailboxes: the variants of mbox, Maildir, and a tree of everything."""

import re

from .images import png
from .messages import PASS_TYPE, envelope, found, mixed, ordinary, reference
from .tree import identity

SENDER = b"ana@sender.example Tue May  7 10:00:00 2024"
ALL = "extension mime content"


class Mbox:
    """Builds an mbox and the records it must give, with the offset of each message."""

    def __init__(self, content=b""):
        self.content = content
        self.expected = []
        self.count = 0

    def add(self, slug, message, *records, sender=SENDER, blank=b"\n", newline=b"\n"):
        place = reference(slug, self.count, len(self.content))
        self.expected += [{**record, "message": place} for record in records]
        self.content += b"From " + sender + newline + message + blank
        self.count += 1


def make(tree, passes):
    variants(tree, passes)
    separators(tree, passes)
    damaged(tree, passes)
    maildir(tree, passes)
    mixture(tree, passes)


def variants(tree, passes):
    """How `From ` at the beginning of a line of a body is told from a separator."""
    once, twice = passes.from_lines, passes.quoted_from_lines
    text = b"From now on we sell tickets by mail.\n\nFrom Monday to Friday:\nask Ana.\n"

    def plain(slug, content):
        """A mail that carries a pass as it is, without an encoding that would hide the lines."""
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

    # Here nothing is quoted: only Content-Length tells that these are no separators.
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
    def put(name, before=b"", end=b"\n", **options):
        box = Mbox(before)
        for mail in (letter("first"), ticket("second", passes.small), letter("third"),
                     ticket("fourth", passes.train)):
            box.add(*mail, **options)
        tree.add(f"mailbox/{name}.mbox", box.content.rstrip(b"\n") + end, box.expected)

    put("ordinary")
    put("separator-thunderbird", sender=b"- Tue May 07 10:00:00 2024")
    put("separator-takeout", sender=b"178@xxx Mon Jan 01 00:00:00 +0000 2024")
    put("separator-bare", sender=b"")
    put("separator-zone-behind-year", sender=b"ana@sender.example Tue May  7 10:00:00 2024 +0200")
    put("separator-zone-by-name", sender=b"ana@sender.example Tue May  7 10:00:00 CEST 2024")
    put("separator-no-seconds", sender=b"ana@sender.example Tue May  7 10:00 2024")
    put("separator-internet-date", sender=b"ana@sender.example Tue, 07 May 2024 10:00:00 +0000")
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
    for record in box.expected:
        # Whether the rest of a message counts as one is anybody's guess.
        del record["message"]["index"]
    tree.add("mailbox/beginning-lost.mbox", box.content, box.expected)


def maildir(tree, passes):
    """Each message with the source it has within the folder."""
    mails = {
        "cur/1715076000.M1P1.host:2,S": letter("one"),
        "cur/1715076001.M2P1.host:2,RS": ticket("two", passes.small),
        "new/1715076002.M3P1.host": ticket("three", passes.train),
        ".Travel/cur/1715076003.M4P1.host:2,": ticket("four", passes.film),
        ".Travel/new/1715076004.M5P1.host": ticket("five", passes.tram),
        ".Travel.2024/cur/1715076005.M6P1.host:2,FS": ticket("six", passes.gate7),
        ".Travel.2024/new/1715076006.M7P1.host": letter("seven"),
    }
    # Deliveries that have not ended; and what servers keep beside the mail.
    others = {
        "tmp/1715076007.M8P1.host": ticket("eight", passes.small)[1][:-500],
        ".Travel/tmp/1715076008.M9P1.host": ticket("nine", passes.gym)[1],
        ".Travel.2024/tmp/1715076009.M10P1.host": ticket("ten", passes.gym)[1],
        ".Travel/maildirfolder": b"",
        "dovecot-uidlist": b"3 V1715076000 N4 G0123456789abcdef\n1 :1715076000.M1P1.host\n",
    }
    folder = "mailbox/Maildir"
    expected = []
    for source, (slug, message, *records) in sorted(mails.items(), key=by_folder):
        tree.add(f"{folder}/{source}", message)
        expected += [{"source": source, **record, "message": reference(slug)} for record in records]
    for source, content in others.items():
        tree.add(f"{folder}/{source}", content)
    tree.expect(folder, expected)


def mixture(tree, passes):
    """What a home directory is like: a bit of everything."""
    folder = "mailbox/tree"
    box = Mbox()
    box.add(*letter("first"))
    box.add(*ticket("second", passes.film))
    slug, message, *records = ticket("booking", passes.gate4)

    def file(content, name, evidence, **more):
        return {"part": "", "name": name, "evidence": evidence.split(), **identity(content),
                "verdict": "trusted", **more}

    samples = {
        "Downloads/boarding.pkpass": (passes.gate7, [
            file(passes.gate7, "boarding.pkpass", "extension content")]),
        "Downloads/attachment": (passes.gym, [file(passes.gym, "attachment", "content")]),
        "Downloads/Coupon.PKPASS": (passes.coupon, [
            file(passes.coupon, "Coupon.PKPASS", "extension content")]),
        "Downloads/journey.pkpasses": (passes.bundle, [
            {"part": f"!{name}", "name": name, **identity(content), "verdict": "trusted"}
            for name, content in passes.bundle_members.items()]),
        "Downloads/letter.docx": (passes.office, []),
        "Downloads/error.pkpass": (b"<html><body>404</body></html>\n", [
            file(b"<html><body>404</body></html>\n", "error.pkpass", "extension",
                 verdict="malformed")]),
        "Mail/2024/archive.mbox": (box.content, box.expected),
        "Mail/booking.eml": (message, [
            {**record, "message": reference(slug)} for record in records]),
        "Pictures/photo.png": (png(64, 48, (90, 150, 220), (250, 220, 180)), []),
        "notes.txt": (b"Find ticket.pkpass and send it on.\n", []),
        ".hidden/card.pkpass": (passes.cafe, [
            file(passes.cafe, "card.pkpass", "extension content")]),
    }
    expected = []
    for source, (content, records) in sorted(samples.items(), key=by_folder):
        tree.add(f"{folder}/{source}", content)
        expected += [{"source": source, **record} for record in records]
    tree.expect(folder, expected)


def by_folder(item):
    """The order of a directory tree, in which `.Travel` stands before `.Travel.2024`."""
    return item[0].split("/")


def letter(slug, text=b"Nothing to see here.\n"):
    return slug, envelope(slug, b"Content-Type: text/plain\n\n") + text


def ticket(slug, content):
    message = ordinary(slug, (content, "application/vnd.apple.pkpass", "ticket.pkpass"))
    return slug, message.replace(b"\r\n", b"\n"), found("2", content, "ticket.pkpass", ALL)


def quote(message):
    return re.sub(rb"(?m)^(>*From )", rb">\1", message)


def with_length(message, change=0):
    head, body = message.split(b"\n\n", 1)
    return head + b"\nContent-Length: %d\n\n" % (len(body) + change) + body
