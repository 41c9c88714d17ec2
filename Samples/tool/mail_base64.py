"""Base64 as mailers, gateways and scripts write it."""

import base64

from .messages import found, lines, mixed

HEADER = b'Content-Type: application/vnd.apple.pkpass; name="ticket.pkpass"\n'
ALL = "extension mime content"
LABEL = b"Content-Transfer-Encoding: base64\n"
SEVEN_BIT = b"Content-Transfer-Encoding: 7bit\n"


def make(post, passes):
    small, whole = passes.small, passes.whole

    def put(slug, encoding, body):
        """A part with the given header and body, both as bytes."""
        slug = f"encoding-base64-{slug}"
        post.put(slug, mixed(slug, HEADER + encoding + b"\n" + body),
                 found("2", small, "ticket.pkpass", ALL))

    widths(put, small)
    among_text(put, small)
    in_markup(put, small)
    footer = b"\n_______________________________________________\nTravellers mailing list\n"
    for slug, content in (("encoding-base64-footer", small),
                          ("encoding-base64-footer-no-padding", whole)):
        # Parsers decode the footer differently, so that only name, part and verdict are certain.
        post.put(slug, mixed(slug, HEADER + LABEL + b"\n" + lines(content) + footer),
                 found("2", None, "ticket.pkpass", ALL))


def widths(put, small):
    text = base64.b64encode(small)
    for width in (20, 61, 1, 998):
        put(f"width-{width}", LABEL, lines(small, width))
    for width in (1, 3, 4):
        put(f"not-declared-width-{width}", b"", lines(small, width))
    put("one-line", LABEL, text + b"\n")
    put("no-padding", LABEL, lines(small).rstrip(b"=\n") + b"\n")
    put("half-padding", LABEL, lines(small).rstrip(b"=\n") + b"=\n")
    put("junk-between-lines", LABEL,
        b"".join(line + b"\n" + junk for line, junk in zip(
            lines(small).splitlines(), [b"!!!!\n", b"\n", b" \t\n", b"***\n", b"~.~\n"] * 99)))
    put("spaces-in-lines", LABEL,
        b"".join(b" " + line[:30] + b" " + line[30:] + b" \t\n"
                 for line in lines(small).splitlines()))
    put("blank-lines-before", LABEL, b"\n\n\n" + lines(small))
    put("crlf", LABEL, lines(small).replace(b"\n", b"\r\n"))
    put("carriage-returns", LABEL, lines(small).replace(b"\n", b"\r"))
    # A mailer that sends 998 octets at a time and marks the cut, as sendmail does.
    put("exclamation-marks", LABEL, lines(small, 998).replace(b"\n", b"!\n "))
    put("padding-in-the-middle", LABEL, lines(small[:1000]) + lines(small[1000:]))
    put("padding-in-each-line", LABEL, b"".join(
        base64.b64encode(small[i:i + 55]) + b"\n" for i in range(0, len(small), 55)))
    put("padding-within-line", LABEL,
        base64.b64encode(small[:1000]) + base64.b64encode(small[1000:]) + b"\n")


def among_text(put, small):
    text = lines(small)
    caution = b"CAUTION: This email originated from outside of the organisation.\n\n"
    put("behind-banner", LABEL, caution + text)
    put("behind-banner-labelled-7bit", SEVEN_BIT, caution + text)
    put("behind-text-not-declared", b"", b"Here is your ticket:\n\n" + text)
    put("behind-header-lines", LABEL, b"Content-Disposition: attachment\n\n" + text)
    put("between-pem-lines", LABEL,
        b"-----BEGIN PASS-----\n" + text + b"-----END PASS-----\n")
    put("quoted-lines", LABEL, b"".join(b"> " + line for line in text.splitlines(True)))
    put("quoted-lines-labelled-7bit", SEVEN_BIT,
        b"".join(b"> " + line for line in text.splitlines(True)))
    put("dots", LABEL, text.replace(b"\n", b"\n..\n", 3))
    put("byte-order-mark", LABEL, b"\xef\xbb\xbf" + text)
    put("utf-16", LABEL, text.decode().encode("utf-16"))
    put("labelled-quoted-printable", b"Content-Transfer-Encoding: quoted-printable\n", text)


def in_markup(put, small):
    text, line = lines(small), base64.b64encode(small)
    put("alphabet-of-urls", LABEL, base64.urlsafe_b64encode(small) + b"\n")
    put("alphabet-of-urls-no-padding", SEVEN_BIT,
        base64.urlsafe_b64encode(small).rstrip(b"=") + b"\n")
    put("data-url", LABEL, b"data:application/vnd.apple.pkpass;base64," + text)
    put("data-url-labelled-7bit", SEVEN_BIT, b"data:application/vnd.apple.pkpass;base64," + text)
    put("percent-encoded", LABEL,
        line.replace(b"+", b"%2B").replace(b"/", b"%2F").replace(b"=", b"%3D") + b"\n")
    put("pluses-lost", LABEL, line.replace(b"+", b" ") + b"\n")
    put("html-breaks", LABEL, text.replace(b"\n", b"<br>\n"))
    put("html-breaks-on-one-line", LABEL, text.replace(b"\n", b"<br />") + b"\n")
    put("html-preformatted", LABEL, b"<html><body><pre>\n" + text + b"</pre></body></html>\n")
    put("html-references", LABEL,
        line.replace(b"+", b"&#43;").replace(b"/", b"&#x2F;").replace(b"=", b"&#61;") + b"\n")
    put("xml-carriage-returns", LABEL, text.replace(b"\n", b"&#xD;\n"))
    put("escaped-line-ends", LABEL, text.replace(b"\n", b"\\r\\n") + b"\n")
    put("escaped-slashes", LABEL, b'"' + line.replace(b"/", b"\\/") + b'"\n')
    put("string-of-python", LABEL, b"b'" + line + b"'\n")
