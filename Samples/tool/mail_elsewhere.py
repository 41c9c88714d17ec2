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
