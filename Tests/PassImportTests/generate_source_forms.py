"""Prints a pass in each form of file, and each of these files in each carrier, as JSON.

For each form: its usual file name, the SHA-256 of the pass, and for each carrier its files, by path, in
base64. Nothing here is made by the code under test.
"""

import base64
import bz2
import gzip
import hashlib
import io
import json
import lzma
import plistlib
import sys
import tarfile
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Samples"))

from tool import archives as other  # noqa: E402
from tool import exports, mac, openpgp, outlook, winmail  # noqa: E402
from tool.archive import pack  # noqa: E402
from tool.mailbox_apple import emlx, partial, stub  # noqa: E402
from tool.mailbox_compressed import compress  # noqa: E402
from tool.mailbox_forms import DBOX_HEADER, MMDF_LINE, dbox_message  # noqa: E402
from tool.mbox import Mbox, letter, ticket  # noqa: E402
from tool.messages import envelope, lines, mixed, ordinary, part, uuencode  # noqa: E402

SAMPLES = Path(sys.path[0])
NEUTRAL = "file.dat"
TICKET = "ticket.pkpass"
OCTETS = "application/octet-stream"


def forms():
    """The name of each form, its usual file name, its content, and the pass in it."""
    small = sample("passes/trusted/generic-tram-T1.pkpass")
    for name, file in (("pass", "trusted/generic-tram-T1"),
                       ("passAfterOtherBytes", "tolerated/zip-bytes-before"),
                       ("passBeforeOtherBytes", "tolerated/zip-bytes-after"),
                       ("passInFolder", "tolerated/zip-top-folder")):
        content = sample(f"passes/{file}.pkpass")
        yield name, TICKET, content, content[
            content.index(b"PK\3\4"):content.rindex(b"PK\5\6") + 22]
    for name, usual, content in archives(small):
        yield name, usual, content, small
    for name, usual, content in messages(small):
        yield name, usual, content, small
    for name, usual, content in mailboxes(small):
        yield name, usual, content, small
    for name, usual, content in texts(small):
        yield name, usual, content, small
    for name, usual, content in containers(small):
        yield name, usual, content, small
    box = mbox(small)
    for end in ("gz", "xz", "zst", "bz2"):
        yield f"{end}OfPass", f"{TICKET}.{end}", compress(small, end), small
        yield f"{end}OfMbox", f"mail.mbox.{end}", compress(box, end), small
    for name, usual, content in other_archives(small, box):
        yield name, usual, content, small
    for end in ("lz4", "lzma", "lz", "Z"):
        yield f"{end.lower()}OfPass", f"{TICKET}.{end}", other.compressed(small, end), small
        yield f"{end.lower()}OfMbox", f"mail.mbox.{end}", other.compressed(box, end), small
    yield "gzOfTar", "tickets.tar.gz", compress(tar({TICKET: small}), "gz"), small
    yield "gzOfZip", "tickets.zip.gz", compress(pack({TICKET: small}), "gz"), small


def archives(small):
    yield "bundle", "journey.pkpasses", pack({TICKET: small})
    yield "zip", "tickets.zip", pack({f"tickets/{TICKET}": small})
    yield "zipOfUnnamedPass", "tickets.zip", pack({NEUTRAL: small})
    yield "zipInZip", "tickets.zip", pack({"inner.zip": pack({TICKET: small})})
    yield "zipAfterOtherBytes", "tickets.zip", b"#!/bin/sh\n" + pack({TICKET: small})
    yield "zipOfMessage", "mail.zip", pack({"ticket.eml": message(small)})
    yield "tar", "tickets.tar", tar({f"tickets/{TICKET}": small})
    yield "tarOfMbox", "mail.tar", tar({"mail.mbox": mbox(small)})
    yield "tarOfMessage", "mail.tar", tar({"1.eml": message(small)})
    yield "tarInPax", "tickets.tar", tar({f"./{TICKET}": small}, tarfile.PAX_FORMAT, mtime=0.5)
    yield "tarInGNU", "tickets.tar", tar({"x" * 120: small}, tarfile.GNU_FORMAT)
    old = bytearray(tar({TICKET: small}))
    old[257:265] = bytes(8)  # Unix version 7 has no "ustar".
    old[148:156] = b"%06o\0 " % (sum(old[:148]) + 8 * 32 + sum(old[156:512]))
    yield "tarInVersion7", "tickets.tar", bytes(old)
    yield "base64OfPass", f"{TICKET}.b64", lines(small)
    yield "base64OfPassBetweenArmor", f"{TICKET}.txt", (
        b"-----BEGIN PASS-----\r\n" + lines(small).replace(b"\n", b"\r\n")
        + b"-----END PASS-----\r\n")
    yield "base64OfPassAfterFields", f"{TICKET}.txt", (
        b"-----BEGIN PASS-----\nVersion: 1\nComment: made by hand\n\n" + lines(small)
        + b"-----END PASS-----\n")
    yield "base64OfPassTwice", f"{TICKET}.b64", lines(lines(small))
    yield "base64OfPassInDataURL", f"{TICKET}.txt", (
        b"data:application/octet-stream;base64," + base64.b64encode(small))
    utf16 = lines(small).decode().encode
    yield "base64OfPassInUTF16", f"{TICKET}.b64", utf16("utf-16")
    yield "base64OfPassInUTF16BigEndian", f"{TICKET}.b64", b"\xfe\xff" + utf16("utf-16-be")
    yield "base64OfPassInUTF16WithoutMark", f"{TICKET}.b64", utf16("utf-16-le")
    urls = base64.urlsafe_b64encode(small)
    yield "base64OfPassForURLs", f"{TICKET}.b64", urls
    yield "base64OfPassForURLsTwice", f"{TICKET}.b64", lines(urls)
    yield "base64OfPassInString", f"{TICKET}.json", json.dumps(lines(small).decode()).encode()
    yield "base64OfZip", "tickets.b64", lines(pack({TICKET: small}), 64)
    yield "base64OfTar", "tickets.txt", base64.b64encode(tar({"1.eml": message(small)}))
    yield "base64OfGzip", "tickets.b64", lines(compress(small, "gz")).rstrip(b"=\n")
    yield "base64OfMessage", "mail.b64", b"\xef\xbb\xbf\n" + lines(message(small))


def other_archives(small, box):
    files = {"readme": b"Your tickets.\n", TICKET: small}
    yield "sevenZip", "tickets.7z", other.seven_zip(files)
    yield "sevenZipOfMbox", "mail.7z", other.seven_zip({"mail.mbox": box})
    yield "rar4", "tickets.rar", other.rar4(files)
    yield "rar5", "tickets.rar", other.rar5(files)
    yield "rarOfMbox", "mail.rar", other.rar5({"mail.mbox": box})
    for form in ("newc", "odc", "bin", "swapped"):
        yield f"{form}CPIO", "tickets.cpio", other.cpio(files, form)
    yield "cpioOfMbox", "mail.cpio", other.cpio({"mail.mbox": box})
    yield "ar", "tickets.a", other.ar(files)
    yield "debianPackage", "tickets.deb", other.ar({
        "debian-binary": b"2.0\n", "data.tar.gz": compress(tar({f"./{TICKET}": small}), "gz")})
    yield "iso", "tickets.iso", other.iso(files, "-R")
    yield "isoWithJoliet", "tickets.iso", other.iso(files)
    yield "isoOfMbox", "mail.iso", other.iso({"mail.mbox": box})


def messages(small):
    name, whole = "ticket.eml", message(small)
    yield "message", name, whole
    yield "messageWithMark", name, b"\xef\xbb\xbf" + whole
    yield "messageAfterBlankLines", name, b"\r\n" * 2500 + whole
    yield "messageOfOldMac", name, whole.replace(b"\r\n", b"\r")
    yield "messageInUTF16", name, whole.decode().encode("utf-16")
    yield "messageInUTF16BigEndian", name, b"\xfe\xff" + whole.decode().encode("utf-16-be")
    yield "messageWithUuencodedText", name, (
        envelope("uuencoded", b"\n") + b"Your ticket:\n\n" + uuencode(small, TICKET.encode()))
    yield "messageAfterCalendarLine", name, b"BEGIN:VCALENDAR\r\n" + whole
    for form, usual in (("InCyrus", "7."), ("NamedMsg", "ticket.msg"), ("NamedEmlx", "7.emlx")):
        yield f"messageAfterJunk{form}", usual, b"$ cat ticket\r\n" + whole
    yield "messageInMessage", name, mixed("outer", b"Content-Type: message/rfc822\n\n" + whole)
    yield "signedMessage", name, ordinary("signed", (
        sample("smime/signed.p7m"), "application/pkcs7-mime", "smime.p7m"))


def mailboxes(small):
    _, first = letter("first")
    _, second, _ = ticket("second", small)
    box = mbox(small)
    yield "mbox", "mail.mbox", box
    yield "mboxOfOldMac", "mail.mbox", box.replace(b"\n", b"\r")
    yield "mboxInUTF16", "mail.mbox", box.decode().encode("utf-16")
    yield "mmdf", "mail.mmdf", b"".join(
        MMDF_LINE + each + MMDF_LINE for each in (first, second))
    yield "babyl", "RMAIL", b"BABYL OPTIONS: -*- rmail -*-\nVersion: 5\nLabels:\n" + b"".join(
        b"\x1f\x0c\n0, unseen,,\n*** EOOH ***\n" + each for each in (first, second)) + b"\x1f"
    commands = b"MAIL FROM:<ana@sender.example>\nRCPT TO:<bo@receiver.example>\nDATA\n"
    yield "batchSMTP", "mail.bsmtp", b"EHLO sender.example\n" + b"".join(
        commands + each + b".\n" for each in (first, second)) + b"QUIT\n"
    stored = [dbox_message(each)[0] for each in (first, second)]
    yield "sdbox", "u.1", DBOX_HEADER + stored[1]
    yield "mdbox", "m.1", DBOX_HEADER + b"".join(stored)
    yield "mdboxCompressed", "m.1", DBOX_HEADER + stored[0] + dbox_message(
        compress(second, "gz"))[0]
    start = b"*mbx*\r\n65a1b2c300000003\r\n"
    yield "mbx", "mail.mbx", start.ljust(2048, b"\0") + b"".join(
        b" 1-Jan-2024 00:00:00 +0000,%d;000000000000-00000001\r\n%s" % (len(each), each)
        for each in (first, second))
    yield "emlx", "79001.emlx", emlx(second)
    yield "emlxWithoutList", "79001.emlx", emlx(second).split(b"<?xml")[0]


def texts(small):
    yield "gmailRaw", "message.json", exports.gmail(message(small)).encode()
    yield "gmailParts", "message.json", exports.gmail_parts(small).encode()
    yield "graph", "attachments.json", exports.graph(small).encode()
    yield "graphInUTF8WithMark", "attachments.json", exports.graph(small).encode("utf-8-sig")
    yield "graphInUTF16", "attachments.json", exports.graph(small).encode("utf-16")
    yield "graphInUTF16WithoutMark", "attachments.jsonl", exports.graph(small).encode("utf-16-be")
    yield "har", "tickets.example.har", exports.har(small).encode()
    yield "calendar", "invite.ics", exports.calendar(exports.attach(small))
    yield "card", "contact.vcf", exports.card(exports.folded(f"KEY;ENCODING=b:{text(small)}"))
    kind = f"Content-Type: {exports.TYPE}"
    yield "response", "ticket.http", exports.response(small, kind)
    yield "responseInChunks", "ticket.http", exports.response(
        exports.chunked(small), kind, "Transfer-Encoding: chunked")
    yield "responseCompressed", "ticket.http", exports.response(
        zlib.compress(small), kind, "Content-Encoding: deflate")
    crawl = exports.warc(exports.response(small, kind))
    yield "warc", "crawl.warc", crawl
    yield "gzOfWarc", "crawl.warc.gz", compress(crawl, "gz")
    yield "pdf", "ticket.pdf", exports.document((TICKET, small, kind.partition(": ")[2], True))
    yield "openPGP", f"{TICKET}.gpg", openpgp.signed(small)
    yield "openPGPInPieces", f"{TICKET}.gpg", openpgp.signed(small, partial=True)
    yield "openPGPCompressed", f"{TICKET}.gpg", openpgp.compressed(openpgp.signed(small), 1)
    yield "openPGPArmor", f"{TICKET}.asc", openpgp.armor(openpgp.signed(small))
    yield "webArchive", "page.webarchive", exports.web_archive(small)
    archive = plistlib.loads(exports.web_archive(small))
    yield "webArchiveInXML", "page.webarchive", plistlib.dumps(archive, fmt=plistlib.FMT_XML)


def containers(small):
    yield "winmail", "winmail.dat", winmail.stream(winmail.file(small, TICKET))
    yield "outlook", "ticket.msg", outlook.compound(
        outlook.message(outlook.attachment(small, TICKET)))
    yield "appleSingle", TICKET, mac.apple_single(small, TICKET)
    yield "macBinary", f"{TICKET}.bin", mac.mac_binary(small, TICKET)
    yield "macBinaryNamedAsPass", TICKET, mac.mac_binary(small, TICKET)
    yield "binHex", f"{TICKET}.hqx", mac.bin_hex(small, TICKET)
    yield "binHexOfOldMac", f"{TICKET}.hqx", mac.bin_hex(small, TICKET, b"\r")
    yield "signed", "smime.p7m", sample("smime/signed.p7m")
    yield "signedInPieces", "smime.p7m", sample("smime/signed-ber.p7m")
    yield "signedSinglePart", "smime.p7m", sample("smime/signed-single-part.p7m")
    yield "signedTwice", "smime.p7m", sample("smime/signed-twice.p7m")
    yield "compressed", "smime.p7z", sample("smime/compressed.p7z")


def carriers(usual, content):
    """The files of each carrier, in which the form has a neutral name or its usual one."""
    for name, words in ((NEUTRAL, str), (usual, lambda word: f"named{word[0].upper()}{word[1:]}")):
        attached = mixed(
            "attached", part(f'Content-Type: {OCTETS}; name="{name}"\n'.encode(), content))
        box = Mbox()
        box.add(*letter("first"))
        box.add("attached", attached)
        yield words("file"), {name: content}
        yield words("argument"), {name: content}
        yield words("attachment"), {"message.eml": attached}
        yield words("attachmentInMbox"), {"mail.mbox": box.content}
        yield words("zipMember"), {"archive.zip": pack({name: content})}
        yield words("tarMember"), {"archive.tar": tar({name: content})}
        yield words("gzip"), {f"{name}.gz": gzip.compress(content, mtime=0)}
        yield words("fileBesideMessage"), {
            "Messages/79001.partial.emlx": partial("beside", stub(content, name, OCTETS)),
            f"Attachments/79001/2/{name}": content}
    url = b"data:application/vnd.apple.pkpass;base64," + base64.b64encode(content)
    yield "dataLink", {"message.eml": envelope("link", b"Content-Type: text/html\n\n")
                       + b'<a href="' + url + b'">ticket</a>\n'}


def message(content):
    return ordinary("inner", (content, "application/vnd.apple.pkpass", TICKET))


def mbox(content):
    box = Mbox()
    box.add(*letter("first"))
    box.add(*ticket("second", content))
    return box.content


def tar(files, form=tarfile.USTAR_FORMAT, mtime=0):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=form) as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime = len(content), mtime
            archive.addfile(entry, io.BytesIO(content))
    return made.getvalue()


def sample(name):
    return (SAMPLES / name).read_bytes()


def text(content):
    return base64.b64encode(content).decode()


json.dump({
    form: {"usualName": usual, "sha256": hashlib.sha256(wanted).hexdigest(), "carriers": {
        carrier: {path: text(file) for path, file in files.items()}
        for carrier, files in carriers(usual, content)}}
    for form, usual, content, wanted in forms()}, sys.stdout)
