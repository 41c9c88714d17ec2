"""Encoded files inside text."""

import binascii

from .messages import (encode_base64, envelope, found, lines, mixed, multipart, part, uuencode,
                       yencode)

HEADER = b'Content-Type: application/vnd.apple.pkpass; name="ticket.pkpass"\n'


def make(post, passes):
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
    put("uuencode-loose-name-in-quotes", uuencode(small, b'"ticket.pkpass"'))
    put("uuencode-loose-content-only", uuencode(small, b"ticket.bin"),
        found("1!ticket.bin", small, "ticket.bin", "content"))
    put("uuencode-loose-two-files", encoded + b"\n" + uuencode(passes.tram, b"tram.pkpass"), file,
        found("1!tram.pkpass", passes.tram, "tram.pkpass", "extension content"))
    post.put("uuencode-loose-in-multipart", envelope(
        "uuencode-loose-in-multipart", b'Content-Type: multipart/mixed; boundary="sample"\n\n')
        + multipart(plain + around.replace(b"%s", encoded), b"\nThe end.\n"), file)
    put("yenc", yencode(small, b"ticket.pkpass"))
    put("yenc-short-lines", yencode(small, b"ticket.pkpass", 40))
    # The first width with which a line begins with a dot.
    doubled = (yencode(small, b"ticket.pkpass", width, doubles_dots=True)
               for width in range(40, 129))
    put("yenc-dots-doubled", next(text for text in doubled if b"\n.." in text))
    put("yenc-content-only", yencode(small, b"ticket.bin"),
        found("1!ticket.bin", small, "ticket.bin", "content"))
    put("uuencode-loose-name-encoded", encoded.replace(
        b"begin 644 ticket.pkpass", b"begin-encoded 644 " + lines("Zürich.pkpass".encode()).strip()),
        found("1!Zürich.pkpass", small, "Zürich.pkpass", "extension content"))
    mail = mixed("forwarded", part(HEADER, small))
    for slug, text in {"mail": uuencode(mail, b"forwarded.eml"),
                       "mail-base64": encode_base64(mail, b"forwarded.eml")}.items():
        put(f"uuencode-loose-{slug}", text,
            found("1!forwarded.eml.2", small, "ticket.pkpass", "extension mime content"))
    uuencode_as_written(put, encoded, small, passes.tram, file)
    in_encoded_text(put, encoded, small)


def uuencode_as_written(put, encoded, small, tram, file):
    begin = b"begin 644 ticket.pkpass"
    for slug, line in {"mode-of-six-digits": b"begin 100644 ticket.pkpass",
                       "mode-with-zero": b"begin 0644 ticket.pkpass",
                       "mode-of-letters": b"begin 0o644 ticket.pkpass",
                       "no-mode": b"begin ticket.pkpass",
                       "begin-with-capital": b"Begin 644 ticket.pkpass",
                       "tabs": b"begin\t644\tticket.pkpass"}.items():
        put(f"uuencode-loose-{slug}", encoded.replace(begin, line))
    put("uuencode-loose-upper-case", encoded.replace(b"begin", b"BEGIN").replace(b"end", b"END"))
    put("uuencode-loose-no-end", encoded.removesuffix(b"`\nend\n"))
    put("uuencode-loose-no-end-two-files", encoded.removesuffix(b"`\nend\n")
        + uuencode(tram, b"tram.pkpass"), file,
        found("1!tram.pkpass", tram, "tram.pkpass", "extension content"))
    put("uuencode-loose-no-zero-line", encoded.replace(b"\n`\nend", b"\nend"))
    put("uuencode-loose-crlf", encoded.replace(b"\n", b"\r\n"))
    put("uuencode-loose-trailing-spaces", encoded.replace(b"\n", b" \n"))
    put("uuencode-loose-check-sums", b"\n".join(
        line + b"a" if line.startswith(b"M") else line for line in encoded.split(b"\n")))
    put("uuencode-loose-blank-line-behind-begin", encoded.replace(begin, begin + b"\n"))
    put("uuencode-loose-blank-lines-between", encoded.replace(b"\n", b"\n\n"))
    put("uuencode-loose-base64", encode_base64(small, b"ticket.pkpass"))
    put("uuencode-loose-base64-no-end",
        encode_base64(small, b"ticket.pkpass").removesuffix(b"====\n"))


def in_encoded_text(put, encoded, small):
    """Text that is itself quoted-printable, or HTML."""
    quoted = b"Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n"
    put("uuencode-loose-in-quoted-printable", binascii.b2a_qp(encoded), header=quoted)
    put("uuencode-loose-base64-in-quoted-printable",
        binascii.b2a_qp(encode_base64(small, b"ticket.pkpass")), header=quoted)
    html = b"Content-Type: text/html\n\n<pre>\n"
    put("uuencode-loose-in-html", encoded, header=html)
    put("uuencode-loose-in-html-escaped", encoded.replace(b"&", b"&amp;").replace(
        b"<", b"&lt;").replace(b">", b"&gt;"), header=html)
