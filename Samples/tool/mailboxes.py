"""Mailboxes: the variants of mbox, Maildir, and a tree of everything."""

from .messages import envelope, found, mixed, ordinary, part, reference

SENDER = b"ana@sender.example Tue May  7 10:00:00 2024"


class Mbox:
    """Builds an mbox and the records it must give, with the offset of each message."""

    def __init__(self):
        self.content = b""
        self.expected = []
        self.count = 0

    def add(self, slug, message, *records, sender=SENDER, blank=b"\n", newline=b"\n"):
        place = reference(slug, self.count, len(self.content))
        self.expected += [{**record, "message": place} for record in records]
        self.content += b"From " + sender + newline + message + blank
        self.count += 1


def unix(message):
    return message.replace(b"\r\n", b"\n")


def letter(slug, text=b"Nothing to see here.\n"):
    return envelope(slug, b"Content-Type: text/plain\n\n") + text


def ticket(slug, content):
    message = unix(ordinary(slug, (content, "application/vnd.apple.pkpass", "ticket.pkpass")))
    return slug, message, found("2", content, "ticket.pkpass", "extension mime content")


def make(tree, authority, passes):
    box = Mbox()
    box.add("first", letter("first"))
    box.add(*ticket("second", passes.small))
    box.add("third", letter("third"))
    box.add(*ticket("fourth", passes.train))
    tree.add("mailbox/ordinary.mbox", box.content, box.expected)
