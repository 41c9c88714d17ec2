"""Attachments in formats that are recognised but not read."""

from .archive import STORED, Archive, Entry, pack
from .messages import mixed, part, unread

OCTETS = b'Content-Type: application/octet-stream; name="%s"\n'
# What the readers look at, and arbitrary bytes.
OUTLOOK_FOLDERS = b"!BDN" + bytes(4) + b"SM\x17\x00\x13\x00\x01\x01" + bytes(range(256)) * 4
OUTLOOK_EXPRESS = bytes.fromhex("cfad12fec5fd746f66e3d1119a4e00c04fa309d4") + bytes(range(256)) * 4


def make(post, passes):
    def put(slug, name, content):
        post.put(slug, mixed(slug, part(OCTETS % name, content)), unread("2"))

    put("unread-outlook-folders", b"backup.pst", OUTLOOK_FOLDERS)
    put("unread-outlook-folders-unnamed", b"data", OUTLOOK_FOLDERS)
    put("unread-outlook-express", b"Inbox.dbx", OUTLOOK_EXPRESS)
    put("unread-protected-file", b"tickets.pfile", b".pfile\2" * 20)
    put("unread-protected-message", b"message.rpmsg", bytes.fromhex("76e80460c411e386") * 9)
    put("unread-order", b"tea.order", pack(
        {"order.json": b"{}", "manifest.json": b"{}", "signature": b"0"}))
    put("unread-zip", b"tickets.zip", encrypted_zip({"mail.mbox": 90, "tickets/1.dat": 2000}))


def encrypted_zip(sizes):
    """An archive of stored members that look encrypted: 12 more bytes, and a flag."""
    return Archive([Entry(name, bytes(range(1, 250)) * (size // 249 + 1), STORED, flags=1)
                    for name, size in sizes.items()]).bytes()
