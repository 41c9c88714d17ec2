"""The CMS messages in mails: signed, encrypted, compressed. They need keys, so existing ones are kept."""

import zlib

from .authority import openssl
from .documents import TEAM, TRAM
from .messages import PASS_TYPE, TEXT, lines, multipart, part

MORNING = "2024-05-07 10:00:00"
MAIL_PURPOSE = "emailProtection"


def entity(passes, preamble=b""):
    """The signed content, with the line ends of RFC 8551, 3.1.1: a text and a pass."""
    ticket = part(b"Content-Type: " + PASS_TYPE + b'; name="ticket.pkpass"\n', passes.small)
    return (b'Content-Type: multipart/mixed; boundary="inner"\n\n' + preamble
            + multipart(TEXT, ticket, boundary=b"inner")).replace(b"\n", b"\r\n")


def single(passes):
    return part(b"Content-Type: " + PASS_TYPE + b'; name="ticket.pkpass"\n',
                passes.small).replace(b"\n", b"\r\n")


def make(tree, authority, passes):
    """Makes all of them, signed by an untrusted key; returns them by name."""
    certificate = authority.issuer_of(TRAM, TEAM, issuer=authority.stranger, purpose=MAIL_PURPOSE)
    attached = ("-binary", "-nodetach")
    made = {}

    def sign(name, content, *options):
        made[name] = authority.sign(content, certificate, MORNING, options=options, chain=False)

    sign("signed.p7m", entity(passes), *attached)
    # Long enough for two segments of 4096 bytes, the second of which begins within the pass.
    preamble = b"This is a message in several parts.\n" * 12
    sign("signed-ber.p7m", entity(passes, preamble), *attached, "-stream")
    sign("signed-single-part.p7m", single(passes), *attached)
    sign("signed-twice.p7m", (
        b"Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m\n"
        b"Content-Transfer-Encoding: base64\n\n" + lines(made["signed.p7m"])
    ).replace(b"\n", b"\r\n"), *attached)
    sign("detached.p7s", entity(passes), "-binary")

    content, message = authority.folder / "content", authority.folder / "message"
    content.write_bytes(entity(passes))
    openssl("cms", "-encrypt", "-aes128", "-binary", "-in", content, "-outform", "DER",
            "-out", message, certificate.path)
    made["enveloped.p7m"] = message.read_bytes()
    openssl("crl2pkcs7", "-nocrl", "-certfile", certificate.path, "-outform", "DER",
            "-out", message)
    made["certificates.p7c"] = message.read_bytes()
    made["compressed.p7z"] = compress(entity(passes))
    for name, content in made.items():
        tree.add(f"smime/{name}", content)
    return made


def kept(root):
    """The existing messages, by name."""
    return {path.name: path.read_bytes() for path in sorted((root / "smime").iterdir())}


def compress(content):
    """A CompressedData as RFC 3274, 1.1 defines it, in DER; Debian's openssl cannot make it."""
    def identifier(last):
        return value(0x06, bytes.fromhex("2a864886f70d01") + last)

    data, message, deflate = b"\x07\x01", b"\x09\x10\x01\x09", b"\x09\x10\x03\x08"
    return value(0x30, identifier(message), value(0xA0, value(
        0x30, value(0x02, b"\0"), value(0x30, identifier(deflate)),
        value(0x30, identifier(data), value(0xA0, value(0x04, zlib.compress(content)))))))


def value(tag, *parts):
    """A value in DER (X.690, 8.1)."""
    content = b"".join(parts)
    size = len(content)
    if size < 128:
        return bytes([tag, size]) + content
    digits = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(digits)]) + digits + content
