"""Messages within messages."""

import binascii

from .messages import TEXT, envelope, found, lines, mixed, multipart, part, uuencode

HEADER = b'Content-Type: application/vnd.apple.pkpass; name="ticket.pkpass"\n'
ALL = "extension mime content"
MESSAGE = b"Content-Type: message/rfc822\n"


def make(post, passes):
    small = passes.small
    ticket = part(HEADER, small)
    inner = mixed("inner", ticket).replace(b"sample", b"other")
    single = envelope("single", ticket)

    def put(slug, number, *parts, subtype=b"mixed"):
        post.put(slug, mixed(slug, *parts, subtype=subtype),
                 found(number, small, "ticket.pkpass", ALL))

    put("message-rfc822", "2.2", MESSAGE + b"\n" + inner)
    put("message-rfc822-single-part", "2.1", MESSAGE + b"\n" + single)
    put("message-rfc822-with-name", "2.2",
        b'Content-Type: message/rfc822; name="Fwd.eml"\n'
        b"Content-Disposition: attachment\n\n" + inner)
    put("message-rfc822-no-close-delimiter", "2.2",
        MESSAGE + b"\n" + inner.removesuffix(b"--other--\n"))
    put("message-rfc822-labelled-8bit", "2.2",
        MESSAGE + b"Content-Transfer-Encoding: 8bit\n\n" + inner)

    encoded_multiparts(post, ticket, small)
    put("message-rfc822-uuencode", "2.2", MESSAGE + b"Content-Transfer-Encoding: x-uuencode\n\n"
        + uuencode(inner, b"inner.eml"))
    put("message-rfc822-no-header", "2.1.2", MESSAGE + b"\n" + inner[inner.index(b"--other"):])

    slug = "message-rfc822-at-top"
    post.put(slug, envelope(slug, MESSAGE + b"\n") + single,
             found("1.1", small, "ticket.pkpass", ALL))
    slug = "message-rfc822-chain-of-95"
    post.put(slug, envelope(slug) + (MESSAGE + b"\n") * 95 + single,
             found(".".join(["1"] * 96), small, "ticket.pkpass", ALL))
    # Each level is a message and a multipart: 90 in all.
    for depth in (3, 45):
        post.put(f"message-rfc822-nested-{depth}", nest(depth, ticket),
                 found(".".join(["2"] * (depth + 1)), small, "ticket.pkpass", ALL))

    slug = "multipart-digest"
    post.put(slug, envelope(slug, b'Content-Type: multipart/digest; boundary="digest"\n\n')
             + multipart(b"\n" + envelope("one", b"\n") + b"Nothing here.\n",
                         b"\n" + single, boundary=b"digest"),
             found("2.1", small, "ticket.pkpass", ALL))
    slug = "multipart-signed"
    post.put(slug, envelope(slug, b"Content-Type: multipart/signed; micalg=sha-256;\n"
                            b' protocol="application/pgp-signature"; boundary="outer"\n\n')
             + multipart(b'Content-Type: multipart/mixed; boundary="sample"\n\n'
                         + multipart(TEXT, ticket),
                         b"Content-Type: application/pgp-signature\n\n"
                         b"-----BEGIN PGP SIGNATURE-----\n\nc2FtcGxl\n"
                         b"-----END PGP SIGNATURE-----\n", boundary=b"outer"),
             found("1.2", small, "ticket.pkpass", ALL))

    # RFC 2046, 5.2.1 allows no encoding here; mailers that encode every part do it.
    put("message-rfc822-base64", "2.2",
        MESSAGE + b"Content-Transfer-Encoding: base64\n\n" + lines(inner))
    put("message-rfc822-quoted-printable", "2.2",
        MESSAGE + b"Content-Transfer-Encoding: quoted-printable\n\n"
        + binascii.b2a_qp(inner) + b"\n")


def encoded_multiparts(post, ticket, small):
    """RFC 2045, 6.4 allows no encoding of a whole multipart either; some gateways use it."""
    def put(slug, number, kind, body):
        post.put(slug, envelope(slug, b"Content-Type: multipart/mixed; " + kind + b"\n\n") + body,
                 found(number, small, "ticket.pkpass", ALL))

    whole = multipart(TEXT, ticket)
    base64 = b"Content-Transfer-Encoding: base64"
    quoted = b"Content-Transfer-Encoding: quoted-printable"
    put("multipart-base64", "2", b'boundary="sample"\n' + base64, lines(whole))
    put("multipart-base64-preamble", "2", b'boundary="sample"\n' + base64,
        lines(b"This is a message of several parts.\n\n" + whole))
    put("multipart-base64-not-declared", "2", b'boundary="sample"', lines(whole))
    put("multipart-base64-not-encoded", "2", b'boundary="sample"\n' + base64, whole)
    put("multipart-base64-inner", "2.2", b'boundary="outer"', multipart(
        TEXT, b'Content-Type: multipart/mixed; boundary="sample"\n' + base64 + b"\n\n"
        + lines(whole), boundary=b"outer"))
    put("multipart-quoted-printable", "2", b'boundary="sample"\n' + quoted,
        binascii.b2a_qp(whole))
    put("multipart-quoted-printable-delimiters", "2", b'boundary="=_sample"\n' + quoted,
        binascii.b2a_qp(whole.replace(b"--sample", b"--=_sample")))
    put("multipart-quoted-printable-not-encoded", "2", b'boundary="sample"\n' + quoted, whole)


def nest(depth, ticket):
    """A mail in a mail, nested this many times; each is part 2 of the one around it."""
    slug = f"message-rfc822-nested-{depth}"
    content = ticket
    for level in range(depth, 0, -1):
        name = b"level%d" % level
        content = MESSAGE + b"\n" + envelope(
            f"level-{level}", b'Content-Type: multipart/mixed; boundary="' + name + b'"\n\n'
        ) + multipart(TEXT, content, boundary=name)
    return mixed(slug, content)
