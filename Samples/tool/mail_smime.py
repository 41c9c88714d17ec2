"""Passes in S/MIME: signed with the content inside the signature, or beside it."""

from .messages import envelope, found, lines, mixed, multipart, part, unread
from .smime import entity

ALL = "extension mime content"
OPAQUE = b'Content-Type: application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"\n'
ATTACHED = b'Content-Disposition: attachment; filename="smime.p7m"\n'
BASE64 = b"Content-Transfer-Encoding: base64\n\n"


def make(post, passes):
    small, made = passes.small, passes.smime

    def put(slug, number, header, body):
        post.put(slug, envelope(slug, header) + body,
                 found(number, small, "ticket.pkpass", ALL))

    def put_second(slug, number, header, body):
        post.put(slug, mixed(slug, header + body), found(number, small, "ticket.pkpass", ALL))

    signed = lines(made["signed.p7m"])
    put("smime-signed", "1.2", OPAQUE + ATTACHED + BASE64, signed)
    put("smime-signed-ber", "1.2", OPAQUE + BASE64, lines(made["signed-ber.p7m"]))
    put("smime-signed-single-part", "1.1", OPAQUE + BASE64, lines(made["signed-single-part.p7m"]))
    put("smime-signed-twice", "1.1.2", OPAQUE + BASE64, lines(made["signed-twice.p7m"]))
    put("smime-x-pkcs7-mime", "1.2",
        b'Content-Type: application/x-pkcs7-mime; name="smime.p7m"\n' + BASE64, signed)
    put("smime-binary", "1.2",
        OPAQUE + b"Content-Transfer-Encoding: binary\n\n", made["signed.p7m"])
    put("smime-compressed", "1.2",
        b'Content-Type: application/pkcs7-mime; smime-type=compressed-data; name="smime.p7z"\n'
        + BASE64, lines(made["compressed.p7z"]))
    # A mail truncated by a server: the signature ends early, its content does not.
    put("smime-cut-off-in-signature", "1.2", OPAQUE + BASE64, signed[:-200])
    put_second("smime-forwarded", "2.2", OPAQUE + ATTACHED + BASE64, signed)
    # The output of a gateway without S/MIME support.
    put_second("smime-octet-stream", "2.2",
               b'Content-Type: application/octet-stream; name="smime.p7m"\n' + BASE64, signed)
    put_second("smime-in-message-rfc822", "2.1.2", b"Content-Type: message/rfc822\n\n",
               envelope("inner", OPAQUE + BASE64) + signed)

    slug = "smime-detached"
    head = envelope(slug, b'Content-Type: multipart/signed; micalg=sha-256; boundary="outer";\n'
                    b' protocol="application/pkcs7-signature"\n\n').replace(b"\n", b"\r\n")
    signature = (b'Content-Type: application/pkcs7-signature; name="smime.p7s"\n'
                 + BASE64 + lines(made["detached.p7s"]))
    body = multipart(b"", signature, boundary=b"outer").replace(b"\n", b"\r\n")
    first = b"--outer\r\n"
    post.put(slug, head + first + entity(passes) + b"\r\n" + body.removeprefix(first),
             found("1.2", small, "ticket.pkpass", ALL))

    def put_none(slug, header, body):
        post.put(slug, envelope(slug, header + BASE64) + lines(body))

    put_none("none-smime-certificates",
             b'Content-Type: application/pkcs7-mime; smime-type=certs-only; name="smime.p7c"\n',
             made["certificates.p7c"])
    slug = "unread-smime-enveloped"
    header = b'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"\n'
    post.put(slug, envelope(slug, header + BASE64) + lines(made["enveloped.p7m"]), unread("1"))
    slug = "unread-smime-forwarded"
    post.put(slug, mixed(slug, OPAQUE + ATTACHED + BASE64 + lines(made["enveloped.p7m"]), part(
        b'Content-Type: application/vnd.apple.pkpass; name="ticket.pkpass"\n', small)),
        unread("2"), found("3", small, "ticket.pkpass", ALL))
