"""OpenPGP messages, made by hand of their packets (RFC 9580). The signatures are arbitrary bytes."""

import base64
import bz2
import struct
import zlib

from .messages import envelope, found, mixed, multipart, part, reference, unread

NAME = "ticket.pkpass"
OCTETS = b"Content-Type: application/octet-stream"


def make(tree, passes):
    small = passes.small

    def put(slug, content, *records):
        tree.add(f"mail/{slug}.eml", content, [
            {**record, "message": reference(slug)} for record in records])

    def attach(slug, content, name=b"ticket.pkpass.gpg", header=OCTETS):
        put(slug, mixed(slug, part(header + b'; name="%s"\n' % name, content)), {
            **found("2", small, NAME, "extension content"), "part": f"2!{NAME}"})

    attach("openpgp-signed", signed(small))
    attach("openpgp-new-packets", signed(small, new=True))
    attach("openpgp-in-pieces", signed(small, partial=True))
    for algorithm, name in ((1, "deflate"), (2, "zlib"), (3, "bzip2")):
        attach(f"openpgp-{name}", compressed(signed(small), algorithm))
    attach("openpgp-unnamed-attachment", compressed(signed(small), 2), b"data")
    slug = "openpgp-armor"
    put(slug, mixed(slug, OCTETS + b'; name="ticket.asc"\n\n' + armor(compressed(signed(small), 1))),
        {**found("2", small, NAME, "extension content"), "part": f"2!{NAME}"})
    slug = "openpgp-armor-in-text"
    put(slug, envelope(slug, b"Content-Type: text/plain\n\n") + armor(signed(small)),
        {**found("1", small, NAME, "extension content"), "part": f"1!{NAME}"})

    key = packet(1, b"\3" + bytes(range(1, 9)) + b"\1" + struct.pack(">H", 2048) + b"\x9a" * 256)
    encrypted = key + packet(18, b"\1" + bytes(range(256)) * 4, new=True)
    slug = "unread-openpgp-mime"
    kind = (b'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; '
            b'boundary="sample"\n\n')
    put(slug, envelope(slug, kind) + multipart(
        b"Content-Type: application/pgp-encrypted\n\nVersion: 1\n",
        OCTETS + b'; name="encrypted.asc"\n\n' + armor(encrypted)), unread("2"))
    slug = "unread-openpgp-binary"
    put(slug, mixed(slug, part(OCTETS + b'; name="mail.gpg"\n', encrypted)), unread("2"))
    slug = "unread-openpgp-passphrase"
    secret = packet(3, b"\4\x09\3\x08saltsalt\xff") + packet(18, b"\1" + bytes(500), new=True)
    put(slug, mixed(slug, part(OCTETS + b'; name="mail.gpg"\n', secret)), unread("2"))


def packet(tag, body, new=False, partial=False):
    if partial:
        pieces = b"\xe9" + body[:512]
        rest = body[512:]
        while len(rest) > 1024:
            pieces += b"\xea" + rest[:1024]
            rest = rest[1024:]
        return bytes([0xC0 | tag]) + pieces + length(len(rest)) + rest
    if new:
        return bytes([0xC0 | tag]) + length(len(body)) + body
    if len(body) < 256:
        return bytes([0x80 | tag << 2, len(body)]) + body
    return bytes([0x81 | tag << 2]) + struct.pack(">H", len(body)) + body


def length(size):
    if size < 192:
        return bytes([size])
    if size < 8384:
        return bytes([192 + (size - 192 >> 8), size - 192 & 255])
    return b"\xff" + struct.pack(">I", size)


def signed(content, new=False, partial=False):
    return (packet(4, b"\3\0\x0a\1keyidkey\1", new)
            + packet(11, b"b" + bytes([len(NAME)]) + NAME.encode() + b"\x66\x39\xa1\xb2" + content,
                     new, partial)
            + packet(2, b"\4\0\1\x0a" + b"\x5a" * 200, new))


def compressed(content, algorithm):
    if algorithm == 3:
        data = bz2.compress(content)
    else:
        packer = zlib.compressobj(9, zlib.DEFLATED, -15 if algorithm == 1 else 15)
        data = packer.compress(content) + packer.flush()
    return bytes([0xA3, algorithm]) + data


def armor(content):
    check = 0xB704CE
    for byte in content:
        check ^= byte << 16
        for _ in range(8):
            check = check << 1 ^ (0x1864CFB if check & 0x800000 else 0)
    text = base64.b64encode(content).decode()
    rows = [text[i:i + 64] for i in range(0, len(text), 64)]
    rows.append("=" + base64.b64encode(struct.pack(">I", check)[1:]).decode())
    return ("-----BEGIN PGP MESSAGE-----\n\n" + "\n".join(rows)
            + "\n-----END PGP MESSAGE-----\n").encode()
