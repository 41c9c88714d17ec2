"""Compressed mailboxes, messages and passes; offsets are those in the decompressed bytes."""

import bz2
import gzip
import lzma
import subprocess

from .mailbox_apple import emlx
from .mbox import Mbox, letter, ticket
from .messages import reference
from .tree import identity


def make(tree, passes):
    box = Mbox()
    for mail in (letter("first"), ticket("second", passes.small), letter("third")):
        box.add(*mail)
    for form in ("gz", "zst", "bz2"):
        tree.add(f"mailbox/compressed.mbox.{form}", compress(box.content, form), box.expected)

    slug, message, record = ticket("compressed", passes.small)
    tree.add("mailbox/compressed.eml.xz", compress(message, "xz"), [
        {**record, "message": reference(slug)}])
    tree.add("mailbox/compressed.emlx.gz", compress(emlx(message), "gz"), [
        {**record, "message": reference(slug, 0, 11)}])
    tree.add("mailbox/compressed.pkpass.gz", compress(passes.small, "gz"), [
        {"part": "", **identity(passes.small), "verdict": "trusted"}])
    # As from cat and pigz: the first part ends in the middle of a message.
    tree.add("mailbox/compressed-in-pieces.mbox.gz", b"".join(
        compress(piece, "gz") for piece in (box.content[:500], b"", box.content[500:])),
        box.expected)


def compress(content, form):
    if form == "gz":
        return gzip.compress(content, mtime=0)
    if form == "xz":
        return lzma.compress(content)
    if form == "bz2":
        return bz2.compress(content)
    return subprocess.run(
        ["zstd", "-q", "-c"], input=content, capture_output=True, check=True).stdout
