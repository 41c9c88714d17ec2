"""Bundles and archives in mails, and files that look like passes."""

from .messages import envelope, found, mixed, multipart, ordinary, part, uuencode


def make(post, passes):
    containers(post, passes)
    lookalikes(post, passes)
    declared_only(post)


def containers(post, passes):
    def members(number, contents):
        return [found(f"{number}!{path}", content, path.split("/")[-1])
                for path, content in contents.items()]

    bundle = [("bundle", "application/vnd.apple.pkpasses", "journey.pkpasses"),
              ("bundle-octet-stream", "application/octet-stream", "journey.pkpasses"),
              ("bundle-content-only", "application/octet-stream", "journey.bin")]
    for slug, media_type, name in bundle:
        post.put(slug, ordinary(slug, (passes.bundle, media_type, name)),
                 *members("2", passes.bundle_members))
    post.put("zip-with-passes", ordinary(
        "zip-with-passes", (passes.zip, "application/zip", "tickets.zip")),
        *members("2", passes.zip_members))


def lookalikes(post, passes):
    def put(name, message):
        post.put(f"none-{name}", message(f"none-{name}"))

    def attached(content, media_type, name):
        return lambda slug: ordinary(slug, (content, media_type, name))

    pdf = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
    put("pdf-named-pkpass-pdf", attached(pdf, "application/pdf", "ticket.pkpass.pdf"))
    put("jpeg-named-pkpass-jpg", attached(
        b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0\xff\xd9", "image/jpeg", "pkpass.jpg"))
    put("office-file", attached(
        passes.office, "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "letter.docx"))
    put("office-file-as-octet-stream", attached(
        passes.office, "application/octet-stream", "letter.docx"))
    put("text-about-passes", lambda slug: ordinary(
        slug, text="Open ticket.pkpass on your phone, or send application/vnd.apple.pkpass.\n"
        "filename=ticket.pkpass\nContent-Type: application/vnd.apple.pkpass\n\nUEsDBBQAAAAI\n"))
    put("text-begin-644", lambda slug: ordinary(
        slug, text="The story must\nbegin 644 years ago.pkpass\nas every child knows,\nand\nend\n"))
    put("text-begin-without-data", lambda slug: ordinary(
        slug, text="begin 644 ticket.pkpass\nThat is how an encoded file begins.\nend\n"))
    put("text-ybegin", lambda slug: ordinary(
        slug, text="=ybegin line=128 size=5 name=notes.txt\nqrstu\n=yend size=5\n"))
    put("uuencoded-text", lambda slug: envelope(slug, b"\n") + uuencode(b"hello\n", b"notes.txt"))
    put("text-like-a-delimiter", lambda slug: ordinary(
        slug, text="--sample\nContent-Type: application/vnd.apple.pkpass\n\nnot a part\n"))
    put("base64-in-text", lambda slug: ordinary(slug, text="UEsDBBQAAAAIAAAAIVg=\n"))
    put("subject-named-pkpass", lambda slug: ordinary(slug).replace(
        b"Subject: ", b"X-Attachment: ticket.pkpass\r\nSubject: "))
    put("header-only", lambda slug: envelope(slug, b""))
    put("close-delimiter-only", lambda slug: envelope(
        slug, b'Content-Type: multipart/mixed; boundary="sample"\n\n--sample--\n'))


def declared_only(post):
    """Declared as a pass, but not one: malformed, so that the user is told."""
    def put(slug, header, content, evidence, name=None):
        post.put(slug, mixed(slug, part(header, content)), found(
            "2", content, name, evidence, verdict="malformed"))

    page = b"<!DOCTYPE html>\n<html><body>Your session has ended.</body></html>\n"
    put("malformed-web-page-named-pkpass", b'Content-Type: text/html; name="ticket.pkpass"\n',
        page, "extension", "ticket.pkpass")
    put("malformed-web-page-typed-as-pass", b"Content-Type: application/vnd.apple.pkpass\n",
        page, "mime")
    put("malformed-empty-attachment",
        b'Content-Type: application/vnd.apple.pkpass; name="ticket.pkpass"\n', b"",
        "extension mime", "ticket.pkpass")
    put("malformed-five-bytes",
        b'Content-Type: application/octet-stream; name="ticket.pkpass"\n', b"hello",
        "extension", "ticket.pkpass")
