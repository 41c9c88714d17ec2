"""Transfer encodings, in order and out of it."""

import base64
import binascii

from .messages import envelope, found, lines, mixed, multipart, uuencode, yencode

HEADER = b'Content-Type: application/vnd.apple.pkpass; name="ticket.pkpass"\n'
ALL = "extension mime content"
ENCODING = b"Content-Transfer-Encoding"


def make(post, passes):
    small = passes.small

    def put(slug, encoding, body, name="ticket.pkpass"):
        """A part whose header ends in these bytes, for a body in these bytes."""
        post.put(slug, mixed(slug, HEADER + encoding + b"\n" + body),
                 found("2", small, name, ALL))

    base64_forms(post, put, passes)
    labels(put, small)
    plain_forms(put, small)
    embedded(post, passes)


def base64_forms(post, put, passes):
    small, whole = passes.small, passes.whole
    text = base64.b64encode(small)
    label = ENCODING + b": base64\n"
    put("encoding-base64-width-20", label, lines(small, 20))
    put("encoding-base64-width-61", label, lines(small, 61))
    put("encoding-base64-width-1", label, lines(small, 1))
    put("encoding-base64-width-998", label, lines(small, 998))
    put("encoding-base64-one-line", label, text + b"\n")
    put("encoding-base64-no-padding", label, lines(small).rstrip(b"=\n") + b"\n")
    put("encoding-base64-half-padding", label, lines(small).rstrip(b"=\n") + b"=\n")
    put("encoding-base64-junk-between-lines", label,
        b"".join(line + b"\n" + junk for line, junk in zip(
            lines(small).splitlines(), [b"!!!!\n", b"\n", b" \t\n", b"***\n", b"~.~\n"] * 99)))
    put("encoding-base64-spaces-in-lines", label,
        b"".join(b" " + line[:30] + b" " + line[30:] + b" \t\n"
                 for line in lines(small).splitlines()))
    put("encoding-base64-blank-lines-before", label, b"\n\n\n" + lines(small))
    put("encoding-base64-crlf", label, lines(small).replace(b"\n", b"\r\n"))

    footer = b"\n_______________________________________________\nTravellers mailing list\n"
    for slug, content in (("encoding-base64-footer", small),
                          ("encoding-base64-footer-no-padding", whole)):
        # What is decoded of a footer differs, so that only name, place and verdict are sure.
        post.put(slug, mixed(slug, HEADER + label + b"\n" + lines(content) + footer),
                 found("2", None, "ticket.pkpass", ALL))


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
            "name-lower-case": b": base64"}.items():
        header = ENCODING.lower() if name == "name-lower-case" else ENCODING
        put(f"encoding-label-{name}", header + label + b"\n", body)
    put("duplicate-transfer-encoding",
        ENCODING + b": 7bit\n" + ENCODING + b": base64\n", body)
    put("duplicate-transfer-encoding-base64-first",
        ENCODING + b": base64\n" + ENCODING + b": 7bit\n", body)


def plain_forms(put, small):
    quoted = binascii.b2a_qp(small, istext=False)
    label = ENCODING + b": quoted-printable\n"
    # The last line end belongs to the delimiter behind it (RFC 2046, 5.1.1).
    put("encoding-quoted-printable", label, quoted + b"\n")
    put("encoding-quoted-printable-crlf", label, (quoted + b"\n").replace(b"\n", b"\r\n"))
    put("encoding-quoted-printable-lower-case", label, lower_case(quoted) + b"\n")
    put("encoding-quoted-printable-soft-break-at-end", label, quoted + b"=\n")
    put("encoding-quoted-printable-all-encoded", label, b"".join(
        b"".join(b"=%02X" % c for c in small[i:i + 25]) + b"=\n"
        for i in range(0, len(small), 25)).removesuffix(b"=\n") + b"\n")
    put("encoding-quoted-printable-space-behind-soft-break", label,
        quoted.replace(b"=\n", b"= \t\n") + b"\n")
    for name in (b"binary", b"8bit", b"7bit"):
        put(f"encoding-{name.decode()}", ENCODING + b": " + name + b"\n", small + b"\n")
    put("encoding-none", b"", small + b"\n")
    for name in (b"x-uuencode", b"x-uue", b"uuencode"):
        put(f"encoding-{name.decode()}", ENCODING + b": " + name + b"\n",
            uuencode(small, b"ticket.pkpass"))
    put("encoding-x-uuencode-other-name", ENCODING + b": x-uuencode\n",
        uuencode(small, b"ticket.bin"), None)


def lower_case(quoted):
    """The same with =3d for =3D."""
    out = bytearray(quoted)
    for i, byte in enumerate(out[:-2]):
        if byte == 0x3D and out[i + 1] != 0x0A:
            out[i + 1:i + 3] = out[i + 1:i + 3].lower()
    return bytes(out)


def embedded(post, passes):
    """Files in the midst of text."""
    small = passes.small
    plain = b"Content-Type: text/plain\n\n"
    file = found("1!ticket.pkpass", small, "ticket.pkpass", "extension content")
    around = b"Here is your ticket.\n\n%s\nHave a good journey.\n"

    def put(slug, text, *records, header=plain):
        post.put(slug, envelope(slug, header) + around.replace(b"%s", text), *(records or [file]))

    encoded = uuencode(small, b"ticket.pkpass")
    put("uuencode-loose-in-text", encoded)
    put("uuencode-loose-grave-accents", uuencode(small, b"ticket.pkpass", zero=b"`"))
    put("uuencode-loose-spaces-lost", uuencode(small, b"ticket.pkpass", strip=True))
    put("uuencode-loose-no-content-type", encoded, header=b"\n")
    put("uuencode-loose-name-with-spaces", uuencode(small, b"my ticket.pkpass"),
        found("1!my ticket.pkpass", small, "my ticket.pkpass", "extension content"))
    put("uuencode-loose-content-only", uuencode(small, b"ticket.bin"),
        found("1!ticket.bin", small, "ticket.bin", "content"))
    put("uuencode-loose-two-files", encoded + b"\n" + uuencode(passes.tram, b"tram.pkpass"), file,
        found("1!tram.pkpass", passes.tram, "tram.pkpass", "extension content"))
    post.put("uuencode-loose-in-multipart", envelope(
        "uuencode-loose-in-multipart", b'Content-Type: multipart/mixed; boundary="sample"\n\n')
        + multipart(plain + around.replace(b"%s", encoded), b"\nThe end.\n"), file)
    put("yenc", yencode(small, b"ticket.pkpass"))
    put("yenc-short-lines", yencode(small, b"ticket.pkpass", 40))
    put("yenc-content-only", yencode(small, b"ticket.bin"),
        found("1!ticket.bin", small, "ticket.bin", "content"))
