"""Outlook message files (.msg), attached to other messages."""

from . import marks, outlook
from .images import png
from .messages import PASS_TYPE, found, ordinary

TYPE = "application/vnd.ms-outlook"


def make(post, passes):
    small = passes.small

    def put(slug, content, *records, media_type=TYPE):
        post.put(slug, ordinary(slug, (content, media_type, "Your ticket.msg")), *records)

    def member(evidence, name="ticket.pkpass", content=small, within=""):
        return found(f"2!{within}{name}", content, name, evidence)

    ticket = outlook.attachment(small, "ticket.pkpass", "TICKET~1.PKP", PASS_TYPE.decode())
    plain = outlook.attachment(small, "ticket.pkpass")
    put("outlook", outlook.compound(outlook.message(ticket)), member("extension mime content"))
    put("outlook-as-octet-stream", outlook.compound(outlook.message(plain)),
        member("extension content"), media_type="application/octet-stream")
    put("outlook-large-sectors", outlook.compound(outlook.message(plain), shift=12),
        member("extension content"))
    picture = png(64, 64, (200, 40, 40), (40, 40, 200))
    tall = bytes(range(256)) * 40
    put("outlook-scattered", outlook.compound(outlook.message(
        outlook.attachment(tall, "data.bin"), plain, outlook.attachment(picture, "photo.png"),
        outlook.attachment(passes.film, "film.pkpass")), scattered=True),
        member("extension content"), member("extension content", "film.pkpass", passes.film))
    put("outlook-name-cyrillic-in-code-page", outlook.compound(outlook.message(
        outlook.attachment(small, "билет.pkpass", charset="cp1251"), code_page=1251)),
        member("extension content", "билет.pkpass"))

    name = marks.run(marks.DEVANAGARI, 600) + ".pkpass"
    put("outlook-name-marks", outlook.compound(outlook.message(outlook.attachment(small, name))),
        {**member("extension content", marks.safe(name)), "notes": marks.NOTE})

    forwarded = "Fwd: your ticket 1/2"
    inner = outlook.message(plain, top=False)
    put("outlook-message", outlook.compound(outlook.message(outlook.attached(inner, forwarded))),
        member("extension content", within=f"{forwarded}!"))
    put("outlook-message-in-message", outlook.compound(outlook.message(
        outlook.attached(outlook.message(outlook.attached(inner, forwarded), top=False), "outer"), ticket)),
        member("extension content", within=f"outer!{forwarded}!"), member("extension mime content"))
    put("none-outlook-document", outlook.compound({"WordDocument": tall, "1Table": b"x" * 9000}),
        media_type="application/msword")
    put("none-outlook-text-only", outlook.compound(outlook.message()))
