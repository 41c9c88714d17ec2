"""Header blocks as mailers, relays and scripts break them."""

from .messages import TEXT, envelope, found, lines, mixed, multipart, part

HEADER = b'Content-Type: application/vnd.apple.pkpass; name="ticket.pkpass"\n'
ALL = "extension mime content"
ENCODING = b"Content-Transfer-Encoding: base64\n"
OCTETS = b"Content-Type: application/octet-stream"


def make(post, passes):
    small = passes.small
    ticket = part(HEADER, small)

    def put(slug, message, evidence=ALL):
        slug = f"header-{slug}"
        post.put(slug, message(slug) if callable(message) else mixed(slug, message),
                 found("2", small, "ticket.pkpass", evidence))

    def whole(more, *parts):
        return lambda slug: envelope(slug, more) + multipart(*parts)

    among_other_lines(put, whole, ticket)
    line_ends(put, ticket, small)
    folding(put, small)
    blank_lines(put, ticket, small)


def among_other_lines(put, whole, ticket):
    kind = b'Content-Type: multipart/mixed; boundary="sample"\n'
    put("no-blank-line-before-delimiter", whole(kind, TEXT, ticket))
    put("junk-lines", b"this line is none of a header\n" + ticket)
    put("junk-lines-in-message", whole(
        b"!!! scanned by a gateway !!!\n" + kind + b"\n", TEXT, ticket))
    line = b"From ana@sender.example Tue May  7 10:00:00 2024\n"
    for name, line in (("from-line", line), ("quoted-from-line", b">" + line)):
        put(f"{name}-first", lambda slug, line=line: line + mixed(slug, ticket))
        put(f"{name}-among-headers", whole(line + kind + b"\n", TEXT, ticket))
        put(f"{name}-in-part", line + ticket)
    put("nul", b"X-Gateway: a\0b\n" + ticket)
    put("byte-order-mark", b"\xef\xbb\xbf" + ticket)
    put("names-upper-case", ticket.replace(b"Content-Type", b"CONTENT-TYPE"))
    put("names-mixed-case", ticket.replace(b"Content-Type", b"cONTENT-tYPE"))
    put("two-colons", ticket.replace(b"Content-Type:", b"Content-Type::"))
    put("long-line", b"X-Long: " + b"long " * 4000 + b"\n" + ticket)


def line_ends(put, ticket, small):
    put("crlf", lambda slug: mixed(slug, ticket).replace(b"\n", b"\r\n"))
    put("line-ends-mixed", ticket.replace(b"\n", b"\r\n", 3))
    put("carriage-returns-doubled", lambda slug: mixed(slug, ticket).replace(b"\n", b"\r\r\n"))
    put("bare-cr", b"X-Gateway: a\rb\n" + ticket)
    put("bare-cr-between-fields", b"X-Gateway: a\r" + ticket)
    # A header from a program for old Macs, in a mail with line feeds.
    put("bare-cr-only", (HEADER + ENCODING).replace(b"\n", b"\r") + b"\r" + lines(small))


def folding(put, small):
    def field(slug, value, evidence="extension content"):
        put(f"folded-{slug}", part(value + b"\n", small), evidence)

    name = b'"ticket.pkpass"'
    put("folded-with-tabs", part(
        b"Content-Type:\n\tapplication/vnd.apple.pkpass\n\t;\n\tname=\n\t" + name + b"\n", small))
    field("before-colon", b"Content-Type\n : application/octet-stream; name=" + name)
    field("no-white-space", OCTETS + b";\nname=" + name)
    field("no-white-space-before-value", OCTETS + b"; name=\n" + name)
    field("no-white-space-within-quotes", OCTETS + b'; name="ticket.\npkpass"')
    field("within-extension", OCTETS + b'; name="ticket.pk\n\tpass"')
    field("blank-line-of-spaces", OCTETS + b";\n  \n name=" + name)
    field("space-before-first", b" " + OCTETS + b"; name=" + name)
    field("no-break-spaces", b"Content-Type:\xc2\xa0application/octet-stream;\xc2\xa0name=" + name)


def blank_lines(put, ticket, small):
    """RFC 5322, 2.1: a blank line ends the header; some scripts print one in the middle."""
    name = OCTETS + b'; name="ticket.pkpass"\n'
    put("blank-line-within", name + b"\n" + ENCODING + b"\n" + lines(small), "extension content")
    put("blank-line-before-disposition", OCTETS
        + b'\n\nContent-Disposition: attachment; filename="ticket.pkpass"\n' + ENCODING + b"\n"
        + lines(small), "extension content")
    put("blank-line-before", b"\n" + ticket)
    put("no-blank-line-behind", ticket.replace(b"\n\n", b"\n"))
