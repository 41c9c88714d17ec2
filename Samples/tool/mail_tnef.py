"""Outlook's attachments for recipients that it assumes to use Outlook: in a winmail.dat."""

from . import marks, winmail
from .images import png
from .messages import PASS_TYPE, found, ordinary
from .winmail import MULTIPLE, prop, text

TNEF = "application/ms-tnef"
MIME_TAG = prop(winmail.STRING8, winmail.ATTACH_MIME_TAG, PASS_TYPE + b"\0")
LONG_NAME = text(winmail.ATTACH_LONG_FILENAME, "ticket.pkpass")


def make(post, passes):
    small = passes.small

    def put(slug, stream, *records, media_type=TNEF):
        post.put(slug, ordinary(slug, (stream, media_type, "winmail.dat")), *records)

    def member(evidence, name="ticket.pkpass", content=small, within=""):
        return found(f"2!{within}{name}", content, name, evidence)

    ordinary_file = winmail.file(small, "TICKET~1.PKP", LONG_NAME, MIME_TAG)
    put("tnef", winmail.stream(ordinary_file), member("extension mime content"))
    put("tnef-as-octet-stream", winmail.stream(winmail.file(small, "ticket.pkpass", LONG_NAME)),
        member("extension content"), media_type="application/octet-stream")
    put("tnef-without-properties", winmail.stream(winmail.file(small, "ticket.pkpass")),
        member("extension content"))
    put("tnef-data-in-properties", winmail.stream(winmail.file(
        small, "TICKET~1.PKP",
        prop(winmail.INTEGER32, 0x8000, 3, name=0x8501),
        prop(MULTIPLE | winmail.INTEGER16, 0x8002, 1, 2, 3, name="x-odd"),
        prop(MULTIPLE | winmail.BINARY, 0x8003, b"a", b"", b"abcde", name="x-odder"),
        prop(winmail.STRING, winmail.ATTACH_EXTENSION, ".pkpass\0".encode("utf-16-le")),
        LONG_NAME, in_properties=True)), member("extension content"))

    names = {"tnef-name-cyrillic": ("билет.pkpass", 1251),
             # Each of these characters contains the byte of a backslash.
             "tnef-name-japanese": ("予約表.pkpass", 932)}
    for slug, (name, page) in names.items():
        charset = f"cp{page}"
        put(slug, winmail.stream(winmail.file(
            small, "TICKET~1.PKP", text(winmail.ATTACH_LONG_FILENAME, name)), code_page=page),
            member("extension content", name))
        put(f"{slug}-in-code-page", winmail.stream(
            winmail.file(small, name, charset=charset), code_page=page),
            member("extension content", name))

    # More marks in a row than UAX #15, 13 allows.
    name = marks.run(marks.ARABIC, 200) + ".pkpass"
    put("tnef-name-marks", winmail.stream(winmail.file(
        small, "TICKET~1.PKP", prop(winmail.STRING, winmail.ATTACH_LONG_FILENAME,
                                    (name + "\0").encode("utf-16-le")))),
        {**member("extension content", marks.safe(name)), "notes": marks.NOTE})

    forwarded = "Fwd: your ticket 1/2"
    inner = winmail.stream(winmail.file(small, "ticket.pkpass", LONG_NAME), subject=forwarded)
    put("tnef-message", winmail.stream(winmail.message(inner, forwarded)),
        member("extension content", within=f"{forwarded}!"))
    put("tnef-message-without-name", winmail.stream(winmail.message(inner)),
        member("extension content", within="message!"))
    nested = winmail.stream(winmail.message(inner, forwarded), subject="outer")
    put("tnef-message-in-message", winmail.stream(winmail.message(nested, "outer"), ordinary_file),
        member("extension content", within=f"outer!{forwarded}!"), member("extension mime content"))

    picture = png(8, 8, (200, 40, 40), (40, 40, 200))
    put("tnef-two-passes-and-picture", winmail.stream(
        winmail.file(small, "outbound.pkpass"), winmail.file(picture, "photo.png"),
        winmail.file(passes.tram, "return.pkpass", in_properties=True)),
        member("extension content", "outbound.pkpass"),
        member("extension content", "return.pkpass", passes.tram))

    # [MS-OXTNEF], 2.1.3.2 requires a checksum after each attribute; some writers leave zeros there.
    put("tnef-wrong-checksums", winmail.stream(
        winmail.file(small, "ticket.pkpass", sum_is_right=False), sum_is_right=False),
        member("extension content"))

    slug = "tnef-truncated"
    whole = winmail.stream(ordinary_file, winmail.file(passes.tram, "return.pkpass"))
    post.put(slug, ordinary(slug, (whole[:-1000], TNEF, "winmail.dat")),
             {"record": "problem", "code": "truncated"}, member("extension mime content"))

    put("none-tnef-document", winmail.stream(winmail.file(
        passes.office, "letter.docx", text(winmail.ATTACH_LONG_FILENAME, "letter.docx"))))
    put("none-tnef-text-only", winmail.stream())
