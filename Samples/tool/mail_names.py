"""Passes declared by name: where names are, and valid and invalid ways to write them."""

import base64

from .messages import found, mixed, part

OCTETS = b"Content-Type: application/octet-stream\n"
KOREAN = "탑승권.pkpass"
PORTUGUESE = "cartão de embarque.pkpass"


def make(post, passes):
    small = passes.small

    def put(slug, header, name, evidence="extension content"):
        slug = f"name-{slug}"
        post.put(slug, mixed(slug, part(header, small)), found("2", small, name, evidence))

    def filename(slug, value, name="ticket.pkpass", evidence="extension content"):
        put(slug, OCTETS + b"Content-Disposition: attachment; filename" + value + b"\n", name,
            evidence)

    places(put, filename)
    standards(put, filename)
    broken(put, filename)
    duplicates(put)


def places(put, filename):
    filename("filename", b'="ticket.pkpass"')
    put("name", b'Content-Type: application/octet-stream; name="ticket.pkpass"\n', "ticket.pkpass")
    put("filename-in-content-type",
        b'Content-Type: application/octet-stream; filename="ticket.pkpass"\n', "ticket.pkpass")
    put("name-and-other-filename",
        b'Content-Type: application/octet-stream; name="ticket.pkpass"\n'
        b'Content-Disposition: attachment; filename="attachment.bin"\n', None)
    put("filename-and-other-name",
        b'Content-Type: application/octet-stream; name="attachment.bin"\n'
        b'Content-Disposition: attachment; filename="ticket.pkpass"\n', None)
    filename("inline-token", b"=ticket.pkpass")
    filename("mixed-case", b'="Ticket.PkPass"', "Ticket.PkPass")
    filename("parameter-mixed-case", b'="x.bin"; FileName="ticket.pkpass"', None)
    filename("folded", b'=\n\t"ticket.pkpass";\n\tsize=2000')
    filename("spaces-around-equals", b' = "ticket.pkpass"')
    filename("pkpasses", b'="ticket.pkpasses"', "ticket.pkpasses")


def standards(put, filename):
    korean = percent(KOREAN.encode())
    filename("rfc2231-utf8", b"*=UTF-8''" + korean, KOREAN)
    filename("rfc2231-language", b"*=utf-8'pt-BR'" + percent(PORTUGUESE.encode()), PORTUGUESE)
    filename("rfc2231-latin1", b"*=iso-8859-1''" + percent(PORTUGUESE.encode("latin-1")),
             PORTUGUESE)
    filename("rfc2231-no-charset", b"*=''ticket%2Epkpass")
    filename("rfc2231-quoted", b"*=\"UTF-8''" + korean + b'"', KOREAN)
    filename("rfc2231-continuations", b'*0="tic";\n filename*1="ket.pk";\n filename*2="pass"')
    filename("rfc2231-continuations-out-of-order",
             b'*2="pass";\n filename*0="tic";\n filename*1="ket.pk"')
    filename("rfc2231-continuations-encoded",
             b"*0*=UTF-8''" + korean[:9] + b";\n filename*1*=" + korean[9:18]
             + b";\n filename*2*=" + korean[18:], KOREAN)
    filename("rfc2231-continuations-mixed",
             b"*0*=UTF-8''" + percent("cartão".encode()) + b';\n filename*1=" de embarque.pkpass"',
             PORTUGUESE)
    # Split within a character, as by mailers that count bytes.
    filename("rfc2231-continuations-cut-in-character",
             b"*0*=UTF-8''" + korean[:6] + b";\n filename*1*=" + korean[6:], KOREAN)
    filename("rfc2231-continuations-eleven", b";".join(
        (b"\n filename" if i else b"") + b"*%d=%s" % (i, letter)
        for i, letter in enumerate([b"t", b"i", b"c", b"k", b"e", b"t", b".", b"p", b"k", b"p",
                                    b"a", b"s", b"s"])))
    filename("rfc2231-beside-plain", b"=\"ticket.bin\";\n filename*=UTF-8''ticket.pkpass")

    word = encoded_word(KOREAN)
    filename("rfc2047-quoted", b'="' + word + b'"', KOREAN)
    filename("rfc2047-unquoted", b"=" + word, KOREAN)
    filename("rfc2047-several-words",
             b'="' + encoded_word(KOREAN[:2]) + b"\n " + encoded_word(KOREAN[2:]) + b'"', KOREAN)
    filename("rfc2047-quoted-printable",
             b'="=?utf-8?q?cart=C3=A3o_de_embarque=2Epkpass?="', PORTUGUESE)
    filename("rfc2047-latin1", b'="=?ISO-8859-1?Q?cart=E3o_de_embarque.pkpass?="', PORTUGUESE)
    filename("rfc2047-part-of-name", b'="=?utf-8?q?cart=C3=A3o?= de embarque.pkpass"', PORTUGUESE)


def broken(put, filename):
    filename("raw-utf8", b'="' + KOREAN.encode() + b'"', KOREAN)
    filename("raw-latin1", b'="' + PORTUGUESE.encode("latin-1") + b'"', PORTUGUESE)
    filename("unquoted-with-spaces", b"=my boarding pass.pkpass", "my boarding pass.pkpass")
    filename("unquoted-with-spaces-and-parameter", b"=my boarding pass.pkpass; size=2000",
             "my boarding pass.pkpass")
    filename("missing-closing-quote", b'="ticket.pkpass')
    # It is ambiguous whether these quotes belong to the name.
    filename("missing-opening-quote", b'=ticket.pkpass"', None, None)
    filename("single-quotes", b"='ticket.pkpass'", None, None)
    filename("escaped-quote", b'="the \\"real\\" ticket.pkpass"', 'the "real" ticket.pkpass')
    filename("path-windows", b'="C:\\Users\\ana\\ticket.pkpass"', None)
    filename("path-unix", b'="/home/ana/ticket.pkpass"')
    filename("path-parent", b'="../../ticket.pkpass"')
    filename("trailing-dots", b'="ticket.pkpass..."')
    filename("trailing-spaces", b'="ticket.pkpass   "')
    filename("trailing-dots-and-spaces", b'="ticket.pkpass. . "')
    filename("comment-behind", b'="ticket.pkpass" (your ticket)')
    filename("comment-before", b'=(your ticket) "ticket.pkpass"')
    filename("trailing-semicolon", b'="ticket.pkpass";')
    filename("semicolon-within", b'="ticket.pkpass;"')
    filename("quotes-of-word-processors", "=“ticket.pkpass”".encode())
    filename("quotes-doubled", b'=""ticket.pkpass""')
    filename("quotes-escaped", b'=\\"ticket.pkpass\\"')
    filename("guillemets", "=«ticket.pkpass»".encode())
    filename("grave-accents", b"=`ticket.pkpass`")
    filename("no-break-space-at-end", '="ticket.pkpass\u00a0"'.encode())
    filename("marks-of-direction", '="\u202aticket.pkpass\u202c"'.encode())
    filename("zero-width-space-at-end", '="ticket.pkpass\u200b"'.encode())
    filename("two-extensions", b'="ticket.zip.pkpass"', "ticket.zip.pkpass")
    filename("comma-behind", b'="ticket.pkpass",')
    filename("empty-parameters", b'="ticket.pkpass";; ;')
    put("no-disposition-word", OCTETS + b'Content-Disposition: filename="ticket.pkpass"\n',
        "ticket.pkpass")


def duplicates(put):
    disposition = b"Content-Disposition: attachment; "
    put("duplicate-parameter-pass-first",
        OCTETS + disposition + b'filename="ticket.pkpass"; filename="ticket.bin"\n', None)
    put("duplicate-parameter-pass-last",
        OCTETS + disposition + b'filename="ticket.bin"; filename="ticket.pkpass"\n', None)
    put("duplicate-disposition-pass-first",
        OCTETS + disposition + b'filename="ticket.pkpass"\n'
        + disposition + b'filename="ticket.bin"\n', None)
    put("duplicate-disposition-pass-last",
        OCTETS + disposition + b'filename="ticket.bin"\n'
        + disposition + b'filename="ticket.pkpass"\n', None)


def percent(content):
    """RFC 2231, 7: all but attribute characters as %XX."""
    plain = b"abcdefghijklmnopqrstuvwxyz0123456789.-"
    return b"".join(bytes([c]) if c in plain else b"%%%02X" % c for c in content)


def encoded_word(text):
    return b"=?UTF-8?B?" + base64.b64encode(text.encode()) + b"?="
