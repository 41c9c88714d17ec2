"""Mails with archives of other formats than ZIP, and with damaged ZIP archives."""

from . import archives
from .archive import STORED, Archive, Entry, pack
from .mbox import Mbox, letter, ticket
from .messages import found, ordinary, unread

ALL = "extension mime content"
OCTETS = "application/octet-stream"


def make(post, passes):
    small = passes.small
    files = {"tickets/readme.txt": b"Your tickets.\n", "tickets/ticket.pkpass": small}
    flat = {"ticket.pkpass": small}
    damage = {"record": "problem", "code": "damaged-archive", "part": "2"}

    def put(slug, content, name, *records):
        post.put(slug, ordinary(slug, (content, OCTETS, name)), *records)

    def member(name):
        return found(f"2!{name}", small, name.split("!")[-1].split("/")[-1], "extension content")

    put("archive-7z", archives.seven_zip(files), "tickets.7z", member("tickets/ticket.pkpass"))
    put("archive-7z-without-name", archives.seven_zip(flat), "file.dat", member("ticket.pkpass"))
    put("archive-rar4", archives.rar4(files), "tickets.rar", member("tickets/ticket.pkpass"))
    put("archive-rar5", archives.rar5(files), "tickets.rar", member("tickets/ticket.pkpass"))
    for part in ("headers", "files"):
        put(f"archive-rar5-encrypted-{part}", archives.rar5(files, part), "tickets.rar",
            unread("2"))
    for form in ("newc", "odc", "bin"):
        put(f"archive-cpio-{form}", archives.cpio(flat, form), "tickets.cpio",
            member("ticket.pkpass"))
    put("archive-ar", archives.ar(flat), "tickets.a", member("ticket.pkpass"))
    put("archive-iso", archives.iso(flat), "tickets.iso", member("ticket.pkpass"))
    box = Mbox()
    box.add(*letter("first"))
    box.add(*ticket("second", small))
    put("archive-7z-of-mbox", archives.seven_zip({"folder.mbox": box.content}), "mail.7z",
        found("2!folder.mbox!1!2", small, "ticket.pkpass", ALL))
    for form in ("lz4", "lzma", "lz", "Z"):
        slug = f"compressed-{form.lower()}"
        put(slug, archives.compressed(small, form), f"ticket.pkpass.{form}",
            found("2", small, f"ticket.pkpass.{form}", "content"))

    def several(method):
        return Archive([Entry(f"{name}.pkpass", small, method) for name in "abc"]).bytes()

    put("archive-zip-cut-by-one-byte", pack(flat)[:-1], "tickets.zip", member("ticket.pkpass"), damage)
    put("archive-zip-cut", several(8)[:-900], "tickets.zip",
        member("a.pkpass"), member("b.pkpass"), damage)
    put("archive-zip-cut-stored", several(STORED)[:-900], "tickets.zip",
        member("a.pkpass"), member("b.pkpass"), damage)
    put("archive-zip-twice", pack({"a.pkpass": small}) + pack({"b.pkpass": small}), "tickets.zip",
        member("a.pkpass"), member("b.pkpass"))
    put("none-archive-document-cut", Archive([
        Entry("[Content_Types].xml", b"<Types/>"), Entry("word/ticket.pkpass", small)
    ]).bytes()[:-40], "letter.docx")
