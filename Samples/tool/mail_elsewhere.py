"""Bodies that are not in the mail (RFC 2046, 5.2.3)."""

from .messages import mixed, reference


def make(post, passes):
    def put(slug, parameters, phantom, *codes):
        body = f"Content-Type: message/external-body; {parameters}\n\n{phantom}\n\n".encode()
        post.problem(slug, mixed(slug, body), *[
            {"record": "problem", "message": reference(slug), "part": "2", "code": code}
            for code in codes])

    put("external-body-typed",
        'access-type=anon-ftp; site="ftp.example"; directory="pub"; name="t42"',
        "Content-Type: application/vnd.apple.pkpass", "external-body")
    put("external-body-named", 'access-type=local-file; name="/tmp/ticket.pkpass"',
        "Content-Type: text/plain", "external-body")
    put("external-body-untyped", 'access-type=x-cloud; url="https://cloud.example/42"',
        "Content-ID: <ticket@mail.example>", "external-body")
    # The form in which the IETF announces its drafts.
    put("none-external-body-text",
        'access-type=anon-ftp; site="ftp.example"; directory="drafts"; name="draft-42.txt"',
        "Content-Type: text/plain")
    detached(post)


def detached(post):
    """Thunderbird moves attachments to files, or deletes them."""
    pass_header = (b'Content-Type: application/vnd.apple.pkpass; name="ticket.pkpass"\n'
                   b'Content-Disposition: attachment; filename="ticket.pkpass"\n')
    notice = (b"\nYou deleted an attachment from this message. The original MIME headers for the "
              b"attachment were:\n" + pass_header + b"Content-Transfer-Encoding: base64\n")
    altered = b'X-Mozilla-Altered: Attachment%s; date="Tue May 07 12:00:00 2024"\n'
    url = b"X-Mozilla-External-Attachment-URL: file:///home/bo/Downloads/ticket.pkpass\n"
    for slug, fields, code in (
            ("elsewhere-detached", url + altered % b"Detached", "attachment-detached"),
            ("elsewhere-deleted", altered % b"Deleted", "attachment-removed")):
        post.problem(slug, mixed(slug, pass_header + fields + notice), {
            "record": "problem", "message": reference(slug), "part": "2", "code": code})

