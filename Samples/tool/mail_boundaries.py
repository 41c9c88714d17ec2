"""Boundaries as mailers and gateways break them."""

from .messages import TEXT, envelope, found, multipart, part

HEADER = b'Content-Type: application/vnd.apple.pkpass; name="ticket.pkpass"\n'
ALL = "extension mime content"


def make(post, passes):
    small = passes.small
    ticket = part(HEADER, small)

    def record(number="2"):
        return found(number, small, "ticket.pkpass", ALL)

    def put(slug, kind, body, number="2"):
        """A mail with this type and body; without a number, no part number is certain."""
        expected = record(number or "")
        if number is None:
            del expected["part"]
        post.put(slug, envelope(slug, b"Content-Type: " + kind + b"\n\n") + body, expected)

    parameters(put, ticket)
    odd_parameters(put, ticket)
    odd_lines(put, ticket)
    closing(put, ticket)
    nested(put, ticket)
    same_twice(post, ticket, small)


def parameters(put, ticket):
    whole = multipart(TEXT, ticket)

    def named(slug, boundary, quoted=True):
        value = b'"' + boundary + b'"' if quoted else boundary
        put(slug, b"multipart/mixed; boundary=" + value,
            multipart(TEXT, ticket, boundary=boundary))

    put("boundary-unquoted", b"multipart/mixed; boundary=sample", whole)
    named("boundary-unquoted-with-specials", b"=_a/b?c:d=e", quoted=False)
    named("boundary-with-spaces", b"a b  c")
    named("boundary-unquoted-with-spaces", b"a b c", quoted=False)
    named("boundary-180-bytes", b"0123456789" * 18)
    named("boundary-one-character", b"x")
    named("boundary-begins-with-hyphens", b"----=_NextPart_000")
    named("boundary-like-a-regular-expression", b"(.*)+?,'")
    put("boundary-in-sections", b'multipart/mixed; boundary*0="sam"; boundary*1="ple"', whole)
    put("boundary-percent-encoded", b"multipart/mixed; boundary*=us-ascii''s%61mple", whole)
    put("boundary-folded", b'multipart/mixed;\n\tboundary=\n\t"sample"', whole)
    put("boundary-comment", b'multipart/mixed (of sorts); boundary="sample" (there)', whole)
    put("boundary-missing-closing-quote", b'multipart/mixed; boundary="sample', whole)
    put("boundary-no-parameter", b"multipart/mixed", whole)
    put("boundary-empty-parameter", b'multipart/mixed; boundary=""', whole)
    put("boundary-duplicate-parameter", b'multipart/mixed; boundary="other"; boundary="sample"',
        whole)
    put("boundary-trailing-white-space", b'multipart/mixed; boundary="sample"',
        whole.replace(b"--sample\n", b"--sample \t \n").replace(b"--sample--\n", b"--sample-- \n"))
    put("boundary-space-at-end-of-parameter", b'multipart/mixed; boundary="sample "', whole)
    put("boundary-preamble-and-epilogue", b'multipart/mixed; boundary="sample"',
        b"This is a message in MIME format.\n--sam\n--sampl\n\n" + whole + b"\nThe end.\n")
    for subtype in (b"related", b"alternative", b"x-never-heard-of", b"form-data", b"appledouble"):
        slug = "multipart-" + subtype.decode()
        put(slug, b"multipart/" + subtype + b'; boundary="sample"', whole)


def odd_parameters(put, ticket):
    whole = multipart(TEXT, ticket)
    put("boundary-other-case", b'multipart/mixed; boundary="SAMPLE"', whole)
    put("boundary-dot-behind", b'multipart/mixed; boundary="sample."', whole)
    put("boundary-semicolon-behind", b'multipart/mixed; boundary="sample;"', whole)
    put("boundary-with-dashes-of-line", b'multipart/mixed; boundary="--sample"', whole)
    put("boundary-escaped-quotes", b'multipart/mixed; boundary=\\"sample\\"', whole)
    put("boundary-quotes-of-word-processors", "multipart/mixed; boundary=“sample”".encode(), whole)
    put("boundary-apostrophes", b"multipart/mixed; boundary='sample'", whole)
    put("boundary-quoted-printable", b'multipart/mixed; boundary="=3D_sample"',
        whole.replace(b"--sample", b"--=_sample"))
    put("boundary-not-indented", b'multipart/mixed;\nboundary="sample"', whole)
    put("boundary-not-indented-behind-type",
        b'multipart/mixed;\ntype="text/html";\nboundary="sample"', whole)
    put("boundary-misspelt", b'multipart/mixed; boundry="sample"', whole)
    put("boundary-no-semicolon", b'multipart/mixed boundary="sample"', whole)
    put("boundary-in-second-type",
        b'text/plain\nContent-Type: multipart/mixed; boundary="sample"', whole)
    put("boundary-of-word-multipart", b'multipart; boundary="sample"', whole)
    put("boundary-of-subtype-only", b'mixed; boundary="sample"', whole)
    put("boundary-of-no-type", b'boundary="sample"', whole)


def odd_lines(put, ticket):
    kind = b'multipart/mixed; boundary="sample"'
    whole = multipart(TEXT, ticket)
    put("delimiter-indented", kind, whole.replace(b"--sample", b" --sample"))
    put("delimiter-behind-text", kind, whole.replace(b"attached.\n--", b"attached.--"))
    put("delimiter-behind-html", kind, whole.replace(
        TEXT, b"Content-Type: text/html\n\n<html><p>Hello</p></html>"))
    put("delimiter-behind-base64", kind, multipart(TEXT, ticket.rstrip(b"\n"), TEXT))
    put("delimiter-quoted", kind, whole.replace(b"--sample", b">--sample"))
    put("delimiter-escaped-by-pgp", kind, whole.replace(b"--sample", b"- --sample"))
    put("delimiter-in-quotes", kind, whole.replace(b"--sample", b'--"sample"'))
    put("delimiter-dot-behind", kind, whole.replace(b"--sample", b"--sample."))
    put("delimiter-junk-behind", kind, whole.replace(b"--sample\n", b"--sample; a=b\n"))
    put("delimiter-quoted-printable", b'multipart/mixed; boundary="=_sample"',
        whole.replace(b"--sample", b"--=3D_sample"))
    put("delimiter-no-dashes", kind, whole.replace(b"--sample", b"sample"))
    put("delimiter-one-dash", kind, whole.replace(b"--sample", b"-sample"))
    put("delimiter-four-dashes", kind, whole.replace(b"--sample", b"----sample"))
    put("delimiter-like-an-end", kind, whole.replace(b"--sample\n", b"--sample--\n"))
    put("delimiter-behind-byte-order-mark", kind, b"\xef\xbb\xbf" + whole)
    put("delimiter-before-other-fields", b'multipart/mixed; boundary="other"', multipart(
        b"MIME-Version: 1.0\nX-Part: 1\n" + TEXT, b"MIME-Version: 1.0\nX-Part: 2\n" + ticket))
    put("delimiter-text-behind-end", kind, whole.replace(b"--sample--\n", b"--sample--The end.\n"))


def closing(put, ticket):
    kind = b'multipart/mixed; boundary="sample"'
    put("part-no-close-delimiter", kind, multipart(TEXT, ticket, close=False))
    put("part-no-close-delimiter-no-line-end", kind,
        multipart(TEXT, ticket, close=False).rstrip(b"\n"))
    put("part-no-blank-line-before-delimiter", kind,
        b"--sample\nContent-Type: text/plain\n--sample\n" + ticket + b"--sample--\n")
    put("part-empty-parts", kind, multipart(b"\n", b"\n", b"", b"\n", ticket, b"\n"), "5")
    put("part-delimiter-without-line-end", kind, multipart(TEXT, ticket).rstrip(b"\n"))
    put("part-behind-end", kind, multipart(TEXT, TEXT) + b"--sample\n" + ticket + b"--sample--\n",
        "3")
    put("part-before-header-only", kind,
        multipart(TEXT, ticket, b"Content-Type: text/plain\n", close=False))
    put("part-near-miss-lines", kind, multipart(
        TEXT + b"--sampl\n-- sample\n--Sample\n-sample--\n --sample\n", ticket))
    put("part-behind-text-of-hyphens", kind, multipart(
        TEXT + b"-- \nAna\n--------------------\n--\n", ticket))


def nested(put, ticket):
    outer = b'multipart/mixed; boundary="outer"'

    def inner(boundary, close=True):
        return (b'Content-Type: multipart/mixed; boundary="' + boundary + b'"\n\n'
                + multipart(TEXT, ticket, boundary=boundary, close=close))

    put("multipart-nested", outer, multipart(TEXT, inner(b"inner"), boundary=b"outer"), "2.2")
    put("boundary-inner-not-closed", outer,
        multipart(inner(b"inner", close=False), TEXT, boundary=b"outer"), "1.2")
    put("boundary-outer-not-closed", outer,
        multipart(TEXT, inner(b"inner"), boundary=b"outer", close=False), "2.2")
    put("boundary-none-closed", outer,
        multipart(TEXT, inner(b"inner", close=False), boundary=b"outer", close=False), "2.2")
    put("boundary-prefix-of-another", outer,
        multipart(TEXT, inner(b"outerinner"), boundary=b"outer"), "2.2")
    put("boundary-longer-than-another", b'multipart/mixed; boundary="innerouter"',
        multipart(TEXT, inner(b"inner"), boundary=b"innerouter"), "2.2")
    put("boundary-pass-behind-inner-not-closed", outer, multipart(
        b'Content-Type: multipart/alternative; boundary="inner"\n\n'
        + multipart(TEXT, TEXT, boundary=b"inner", close=False), ticket, boundary=b"outer"))
    put("boundary-inner-and-outer-end-glued", outer, multipart(
        b'Content-Type: multipart/alternative; boundary="inner"\n\n'
        + multipart(TEXT, TEXT, boundary=b"inner").rstrip(b"\n"),
        ticket, boundary=b"outer"), None)
    alternative = (b'Content-Type: multipart/alternative; boundary="alternative"\n\n'
                   + multipart(TEXT, TEXT, boundary=b"alternative", close=False))
    put("boundary-three-levels-not-closed", outer, multipart(
        b'Content-Type: multipart/related; boundary="related"\n\n'
        + multipart(alternative, TEXT, boundary=b"related", close=False), ticket,
        boundary=b"outer", close=False))
    put("multipart-nested-no-blank-line", outer, multipart(
        TEXT, inner(b"inner").replace(b"\n\n", b"\n", 1), boundary=b"outer"), "2.2")
    deep = inner(b"b20")
    for number in range(19, 0, -1):
        name = b"b%d" % number
        deep = (b'Content-Type: multipart/mixed; boundary="' + name + b'"\n\n'
                + multipart(deep, boundary=name))
    put("multipart-nested-21", outer, multipart(deep, boundary=b"outer"),
        ".".join(["1"] * 20) + ".2")


def same_twice(post, ticket, small):
    # It is ambiguous which of the two a line belongs to, and so are the part numbers.
    slug = "boundary-same-twice"
    body = multipart(
        b'Content-Type: multipart/mixed; boundary="sample"\n\n' + multipart(TEXT, ticket))
    message = found("", small, "ticket.pkpass", ALL)
    del message["part"]
    post.put(slug, envelope(slug, b'Content-Type: multipart/mixed; boundary="sample"\n\n') + body,
             message)
    slug = "text-nul-and-bare-cr"
    post.put(slug, envelope(slug, b'Content-Type: multipart/mixed; boundary="sample"\n\n')
             + multipart(TEXT + b"\0\0\0 and \r and \r\r\n", ticket),
             found("2", small, "ticket.pkpass", ALL))
