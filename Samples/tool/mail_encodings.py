"""Transfer encodings, valid and invalid."""

import base64
import binascii
import json
import re

from .messages import encode_base64, found, lines, mixed, uuencode, yencode

HEADER = b'Content-Type: application/vnd.apple.pkpass; name="ticket.pkpass"\n'
ALL = "extension mime content"
ENCODING = b"Content-Transfer-Encoding"


def make(post, passes):
    small = passes.small

    def put(slug, encoding, body, name="ticket.pkpass"):
        """A part with the given header and body, both as bytes."""
        post.put(slug, mixed(slug, HEADER + encoding + b"\n" + body),
                 found("2", small, name, ALL))

    labels(put, small)
    quoted_printable(put, small)
    plain_forms(put, small)
    encoded_twice(post, put, small)


def labels(put, small):
    body = lines(small)
    for name, label in {
            "comment-before": b": (c) base64",
            "comment-behind": b": base64 (of course)",
            "quoted": b': "base64"',
            "semicolon": b": base64;",
            "mixed-case": b": BaSe64",
            "space-before-colon": b" : base64",
            "tab-before-colon": b"\t: base64",
            "no-space-after-colon": b":base64",
            "folded-empty-first-line": b":\n base64",
            "trailing-spaces": b": base64   \t",
            "two-words": b": base 64",
            "hyphen": b": Base-64",
            "underscore": b": base_64",
            "x": b": x-base64",
            "letter-missing": b": bas64",
            "b64": b": b64",
            "two-values": b": 8bit, base64",
            "empty": b":",
            "unknown": b": x-never-heard-of",
            "encoded-word": b": =?us-ascii?Q?base64?=",
            "no-break-space": b":\xc2\xa0base64",
            "name-lower-case": b": base64"}.items():
        header = ENCODING.lower() if name == "name-lower-case" else ENCODING
        put(f"encoding-label-{name}", header + label + b"\n", body)
    quoted = binascii.b2a_qp(small, istext=False) + b"\n"
    for name, label in {"underscore": b"quoted_printable", "two-words": b"Quoted Printable",
                        "x": b"x-quoted-printable", "misspelt": b"quoted-printible",
                        "letter": b"Q"}.items():
        put(f"encoding-label-quoted-printable-{name}", ENCODING + b": " + label + b"\n", quoted)
    put("duplicate-transfer-encoding",
        ENCODING + b": 7bit\n" + ENCODING + b": base64\n", body)
    put("duplicate-transfer-encoding-base64-first",
        ENCODING + b": base64\n" + ENCODING + b": 7bit\n", body)


def quoted_printable(put, small):
    quoted = binascii.b2a_qp(small, istext=False)
    label = ENCODING + b": quoted-printable\n"
    # The last line end belongs to the delimiter after it (RFC 2046, 5.1.1).
    put("encoding-quoted-printable", label, quoted + b"\n")
    put("encoding-quoted-printable-crlf", label, (quoted + b"\n").replace(b"\n", b"\r\n"))
    put("encoding-quoted-printable-lower-case", label, lower_case(quoted) + b"\n")
    put("encoding-quoted-printable-equals-not-encoded", label,
        re.sub(rb"=3D(?![0-9A-Fa-f=\s])", b"=", quoted) + b"\n")
    put("encoding-quoted-printable-soft-break-at-end", label, quoted + b"=\n")
    put("encoding-quoted-printable-all-encoded", label, b"".join(
        b"".join(b"=%02X" % c for c in small[i:i + 25]) + b"=\n"
        for i in range(0, len(small), 25)).removesuffix(b"=\n") + b"\n")
    put("encoding-quoted-printable-space-behind-soft-break", label,
        quoted.replace(b"=\n", b"= \t\n") + b"\n")
    # Line ends as converted in transit; none of them belongs to the pass.
    put("encoding-quoted-printable-carriage-returns", label,
        quoted.replace(b"=\n", b"=\r") + b"\n")
    put("encoding-quoted-printable-line-ends-reversed", label,
        quoted.replace(b"=\n", b"=\n\r") + b"\n")
    put("encoding-quoted-printable-line-ends-doubled", label,
        quoted.replace(b"=\n", b"=\n\n") + b"\n")
    put("encoding-quoted-printable-behind-blank-line", label, b"\n" + quoted + b"\n")
    put("encoding-quoted-printable-behind-banner", label,
        b"CAUTION: this came from outside.=\n\n\n" + quoted + b"\n")
    put("encoding-quoted-printable-labelled-7bit", ENCODING + b": 7bit\n", quoted + b"\n")
    put("encoding-quoted-printable-labelled-base64", ENCODING + b": base64\n", quoted + b"\n")
    put("encoding-quoted-printable-begins-with-soft-break", ENCODING + b": 7bit\n",
        b"=\n" + quoted + b"\n")


def plain_forms(put, small):
    for name in (b"binary", b"8bit", b"7bit"):
        put(f"encoding-{name.decode()}", ENCODING + b": " + name + b"\n", small + b"\n")
    put("encoding-none", b"", small + b"\n")
    for name in (b"x-uuencode", b"x-uue", b"uuencode"):
        put(f"encoding-{name.decode()}", ENCODING + b": " + name + b"\n",
            uuencode(small, b"ticket.pkpass"))
    encoded = uuencode(small, b"ticket.pkpass")
    for name in (b"x-uu", b"x-unix-uuencode", b"UUENCODED"):
        put(f"encoding-{name.decode().lower()}", ENCODING + b": " + name + b"\n", encoded)
    put("encoding-uuencode-no-begin", ENCODING + b": x-uuencode\n", encoded.split(b"\n", 1)[1])
    put("encoding-uuencode-behind-text", ENCODING + b": x-uuencode\n",
        b"This is your ticket:\n\n" + encoded)
    put("encoding-uuencode-base64", ENCODING + b": x-uuencode\n",
        encode_base64(small, b"ticket.pkpass"))
    put("encoding-none-uuencode-base64", b"", encode_base64(small, b"ticket.pkpass"))
    for name in (b"x-yencode", b"yEnc"):
        put(f"encoding-{name.decode().lower()}", ENCODING + b": " + name + b"\n",
            yencode(small, b"ticket.pkpass"))
    put("encoding-x-uuencode-other-name", ENCODING + b": x-uuencode\n",
        uuencode(small, b"ticket.bin"), None)


def lower_case(quoted):
    """The same with =3d for =3D."""
    out = bytearray(quoted)
    for i, byte in enumerate(out[:-2]):
        if byte == 0x3D and out[i + 1] != 0x0A:
            out[i + 1:i + 3] = out[i + 1:i + 3].lower()
    return bytes(out)


def encoded_twice(post, put, small):
    """Encoded by a program, and again by the mailer that it passes the file to."""
    label = ENCODING + b": base64\n"
    quoted = ENCODING + b": quoted-printable\n"
    text, file = lines(small), uuencode(small, b"ticket.pkpass")
    put("encoded-twice-base64", label, lines(text))
    put("encoded-twice-base64-of-uuencode", label, lines(file))
    put("encoded-twice-base64-of-quoted-printable", label,
        lines(binascii.b2a_qp(small, istext=False)))
    put("encoded-twice-quoted-printable-of-base64", quoted, binascii.b2a_qp(text))
    put("encoded-twice-quoted-printable-of-uuencode", quoted, binascii.b2a_qp(file))
    slug = "encoded-twice-file"
    post.put(slug, mixed(slug, b'Content-Type: application/octet-stream; name="ticket.b64"\n'
                         + label + b"\n" + lines(text)), found("2", small, "ticket.b64", "content"))
    slug = "encoded-twice-alphabet-of-urls"
    post.put(slug, mixed(slug, b'Content-Type: application/octet-stream; name="ticket.b64"\n'
                         + label + b"\n" + lines(base64.urlsafe_b64encode(small))),
             found("2", small, "ticket.b64", "content"))
    slug = "encoded-string-of-json"
    string = json.dumps(text.decode()).replace("/", "\\/").encode()
    post.put(slug, mixed(slug, b'Content-Type: application/octet-stream; name="ticket.json"\n'
                         + label + b"\n" + lines(string)), found("2!data", small, "", "content"))
    put("encoded-twice-both-declared", quoted + label, lines(binascii.b2a_qp(small, istext=False)))
