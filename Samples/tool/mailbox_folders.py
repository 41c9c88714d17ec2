"""Folders of messages: Maildir, MH, and a tree with everything."""

import bz2
import gzip
import io
import json
import lzma
import mailbox
import tempfile
import zipfile
from pathlib import Path

from .images import png
from .mbox import Mbox, by_folder, letter, ticket
from .messages import reference
from .tree import identity


def make(tree, passes):
    maildir(tree, passes)
    compressed_maildir(tree, passes)
    mh(tree, passes)
    mixture(tree, passes)
    unpacked(tree, passes)


def maildir(tree, passes):
    """Each message with its source within the folder."""
    mails = {
        "cur/1715076000.M1P1.host:2,S": letter("one"),
        "cur/1715076001.M2P1.host:2,RS": ticket("two", passes.small),
        "new/1715076002.M3P1.host": ticket("three", passes.train),
        ".Travel/cur/1715076003.M4P1.host:2,": ticket("four", passes.film),
        ".Travel/new/1715076004.M5P1.host": ticket("five", passes.tram),
        ".Travel.2024/cur/1715076005.M6P1.host:2,FS": ticket("six", passes.gate7),
        ".Travel.2024/new/1715076006.M7P1.host": letter("seven"),
    }
    # Unfinished deliveries, and files that servers store beside the mail.
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


def compressed_maildir(tree, passes):
    """Dovecot's plugin compresses each message under its old name."""
    mails = {
        "cur/1715076000.M1P1.host,S=4000:2,S": (gzip.compress(
            ticket("one", passes.small)[1], mtime=0), ticket("one", passes.small)),
        "cur/1715076001.M2P1.host,S=4000:2,SZ": (bz2.compress(
            ticket("two", passes.tram)[1]), ticket("two", passes.tram)),
        "cur/1715076002.M3P1.host:2,": (
            ticket("three", passes.train)[1], ticket("three", passes.train)),
        "new/1715076003.M4P1.host,S=4000": (lzma.compress(
            ticket("four", passes.small)[1]), ticket("four", passes.small)),
        "new/1715076004.M5P1.host": (gzip.compress(letter("five")[1], mtime=0), letter("five")),
    }
    folder = "mailbox/Maildir-compressed"
    expected = []
    for source, (content, (slug, _, *records)) in sorted(mails.items(), key=by_folder):
        tree.add(f"{folder}/{source}", content)
        expected += [{"source": source, **record, "message": reference(slug)} for record in records]
    tree.expect(folder, expected)


def mh(tree, passes):
    """Folders as Python's mailbox writes them, and those of Claws Mail."""
    # First lines that do not identify a message.
    odd = b"Forwarded without a header of ours\n" + ticket("odd", passes.small)[1]
    mails = [ticket("one", passes.small), letter("two"), ("odd", odd, ticket("odd", passes.small)[2])]
    folder = "mailbox/MH"
    expected = []
    with tempfile.TemporaryDirectory() as place:
        box = mailbox.MH(f"{place}/Mail", create=True)
        for name, count in (("inbox", 3), ("inbox/travel", 1)):
            inner = mailbox.MH(f"{place}/Mail/{name}", create=True)
            for slug, message, *records in mails[-count:]:
                number = inner.add(message)
                expected += [{"source": f"{name}/{number}", **record, "message": reference(slug)}
                             for record in records]
            inner.set_sequences({"unseen": [1]})
            inner.flush()
        box.flush()
        for path in sorted(Path(place, "Mail").rglob("*")):
            if path.is_file():
                tree.add(f"{folder}/{path.relative_to(Path(place, 'Mail'))}", path.read_bytes())
    others = {
        # Here a compressed file is a message, as in a Maildir.
        "claws/.claws_mark": (b"", None),
        "claws/4": (gzip.compress(ticket("four", passes.tram)[1], mtime=0), ticket("four", passes.tram)),
        "claws/12": (odd, mails[2]),
        # Without any of these files a number is an ordinary name.
        "numbers/12": (b"Twelve tickets, none of them here.\n", None),
    }
    for source, (content, mail) in others.items():
        tree.add(f"{folder}/{source}", content)
        if mail:
            slug, _, *records = mail
            expected += [{"source": source, **record, "message": reference(slug)}
                         for record in records]
    tree.expect(folder, sorted(expected, key=lambda record: record["source"].split("/")))


def unpacked(tree, passes):
    """The passes of Wallet as macOS stores them: folders."""
    folder = "mailbox/unpacked"
    place = "Library/Passes/Cards/gym=.pkpass"
    with zipfile.ZipFile(io.BytesIO(passes.gym)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    for name, content in files.items():
        tree.add(f"{folder}/{place}/{name}", content)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in [*json.loads(files["manifest.json"]), "manifest.json", "signature"]:
            entry = zipfile.ZipInfo(name)
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            archive.writestr(entry, files[name])
    tree.expect(folder, [{
        "source": place, "part": "", "name": "gym=.pkpass", "evidence": ["extension", "content"],
        **identity(packed.getvalue()), "verdict": "trusted"}])


def mixture(tree, passes):
    """A home folder: a mix of everything."""
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
