"""Passes in `data:` URLs and other encoded files in pages, in each encoding of a page."""

import base64
import binascii
import gzip

from . import outlook, rtf, winmail
from .messages import PASS_TYPE, envelope, found, lines, ordinary, uuencode

HTML = b"Content-Type: text/html; charset=utf-8\n"
QUOTED = b"Content-Transfer-Encoding: quoted-printable\n\n"
BASE64 = b"Content-Transfer-Encoding: base64\n\n"
# PR_HTML, PidTagHtml, and PR_RTF_COMPRESSED, PidTagRtfCompressed.
BODY = 0x1013
RICH_BODY = 0x1009
# A form of EBCDIC that Windows numbers and iconv does not know.
UNKNOWN_PAGE = 21025
TNEF, OUTLOOK = "application/ms-tnef", "application/vnd.ms-outlook"


def make(post, passes):
    small = passes.small
    data = base64.b64encode(small).decode()

    def page(url=f"data:{PASS_TYPE.decode()};base64,{data}"):
        return ('<html><body><p>Hello!</p>\n<img src="data:image/png;base64,iVBORw0KGgo=">\n'
                f'<a download="ticket.pkpass" href="{url}">Ticket</a>\n'
                "</body></html>\n")

    def put(slug, body, header):
        post.put(f"data-url-{slug}", envelope(f"data-url-{slug}", header) + body,
                 found("1", small, evidence="mime content"))

    put("html-quoted-printable", binascii.b2a_qp(page().encode()), HTML + QUOTED)
    put("html-utf-7", lines(page().encode("utf-7")),
        b"Content-Type: text/html; charset=utf-7\n" + BASE64)

    for charset in ("utf-16", "utf-32"):
        slug = f"data-url-page-attached-{charset}"
        post.put(slug, ordinary(
            slug, (page().encode(charset), "application/octet-stream", "ticket.html")),
            found("2", small, evidence="mime content"))

    url = f"data:{PASS_TYPE.decode()};base64,{data}"
    pieces = [url[i:i + 71] for i in range(0, len(url), 71)]
    put("html-lines", page("\n    ".join(pieces)).encode(), HTML + b"\n")
    put("text-lines", "\n".join(["Your ticket:", *pieces, "", "Hello", ""]).encode(),
        b"Content-Type: text/plain\n\n")
    put("text-lines-quoted", binascii.b2a_qp(
        "\n".join(["Your ticket:", *pieces, "Hello", ""]).encode()),
        b"Content-Type: text/plain\n" + QUOTED)
    flowed = " \n".join(pieces)
    put("flowed", f"Your ticket:\n{flowed}\n".encode(),
        b"Content-Type: text/plain; format=flowed\n\n")

    def held(slug, content, media_type, *records):
        url = f"data:{media_type};base64,{base64.b64encode(content).decode()}"
        post.put(f"data-url-of-{slug}",
                 envelope(f"data-url-of-{slug}", HTML + b"\n") + page(url).encode(), *records)

    held("gzip", gzip.compress(small, mtime=0), "application/gzip",
         found("1", small, evidence="content"))
    held("page", page().encode(), "text/html", found("1", small, evidence="mime content"))
    held("mail", ordinary("data-url-of-mail", (small, PASS_TYPE.decode(), "ticket.pkpass")),
         "message/rfc822",
         found("1.2", small, "ticket.pkpass", "extension mime content"))

    slug = "none-data-url-mentioned"
    post.put(slug, envelope(slug, b"Content-Type: text/plain\n\n")
             + b"A data:application/vnd.apple.pkpass;base64,... URL holds the pass itself.\n")

    def attached(slug, content, media_type, name):
        post.put(f"data-url-{slug}", ordinary(f"data-url-{slug}", (content, media_type, name)),
                 found("2!body.html", small, evidence="mime content"))

    attached("winmail", winmail.stream(listed=[
        winmail.prop(winmail.BINARY, BODY, page().encode())]),
        "application/ms-tnef", "winmail.dat")
    attached("outlook", outlook.compound(
        {**outlook.message(), "__substg1.0_10130102": page().encode()}),
        "application/vnd.ms-outlook", "Your ticket.msg")

    def rich(stored, *, within=()):
        """A winmail.dat and an Outlook message with this RTF."""
        return ((winmail.stream(*within, listed=[winmail.prop(winmail.BINARY, RICH_BODY, stored)]),
                 TNEF, "winmail.dat"),
                (outlook.compound({**outlook.message(), "__substg1.0_10090102": stored}),
                 OUTLOOK, "Your ticket.msg"))

    def both(slug, stored, *records):
        for where, attachment in zip(("winmail", "outlook"), rich(stored)):
            name = f"{where}-{slug}"
            post.put(name, ordinary(name, attachment), *records)

    page_of_rtf = rtf.encapsulated(page())
    in_page = found("2!body.html", small, evidence="mime content")
    both("rtf", rtf.compress(page_of_rtf), in_page)
    both("rtf-uncompressed", rtf.uncompressed(page_of_rtf), in_page)
    both("rtf-package", rtf.compress(rtf.rich("Hello!", objects=rtf.package(small, "ticket.pkpass"))),
         found("2!ticket.pkpass", small, "ticket.pkpass", "extension content"))
    problem = {"record": "problem", "code": "unreadable", "part": "2"}
    both("rtf-unknown-type", rtf.compress(page_of_rtf).replace(b"LZFu", b"LZFx", 1), problem)
    cut = {"record": "problem", "code": "truncated", "part": "2"}
    both("rtf-truncated", rtf.compress(rtf.rich("Hello! " * 2000 + data))[:3000], cut)
    for name, attachment in zip(("winmail", "outlook"), (
            winmail.stream(code_page=UNKNOWN_PAGE, listed=[
                winmail.prop(winmail.BINARY, BODY, page().encode("cp500"))]),
            outlook.compound({**outlook.message(code_page=UNKNOWN_PAGE),
                              "__substg1.0_10130102": page().encode("cp500")}))):
        slug = f"{name}-unknown-code-page"
        kind, file = (TNEF, "winmail.dat") if name == "winmail" else (OUTLOOK, "Your ticket.msg")
        post.put(slug, ordinary(slug, (attachment, kind, file)), problem)
    slug = "winmail-ebcdic"
    post.put(slug, ordinary(slug, (winmail.stream(code_page=500, listed=[
        winmail.prop(winmail.BINARY, BODY, page().encode("cp500"))]), TNEF, "winmail.dat")), in_page)
    for name, attachment in zip(("winmail", "outlook"), rich(
            rtf.compress(rtf.encapsulated("<p>Hello!</p>\n" * 400)))):
        slug = f"none-{name}-rtf"
        post.put(slug, ordinary(slug, attachment))

    slug = "encoded-uuencode-in-html-base64"
    text = b"<html><body><pre>\n" + uuencode(small, b"ticket.pkpass") + b"</pre></body></html>\n"
    post.put(slug, envelope(slug, HTML + BASE64) + lines(text),
             found("1!ticket.pkpass", small, "ticket.pkpass", "extension content"))
