"""The building blocks of the sample mailboxes."""

import re

from .messages import envelope, found, ordinary, reference

SENDER = b"ana@sender.example Tue May  7 10:00:00 2024"
ALL = "extension mime content"


class Mbox:
    """Builds an mbox and the expected records, with the offset of each message."""

    def __init__(self, content=b""):
        self.content = content
        self.expected = []
        self.count = 0

    def add(self, slug, message, *records, sender=SENDER, blank=b"\n", newline=b"\n"):
        place = reference(slug, self.count, len(self.content))
        self.expected += [{**record, "message": place} for record in records]
        self.content += b"From " + sender + newline + message + blank
        self.count += 1


def by_folder(item):
    """The order of a folder tree, in which `.Travel` comes before `.Travel.2024`."""
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
