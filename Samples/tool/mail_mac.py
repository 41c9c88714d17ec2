"""Attachments from mail programs on Macs, with the metadata of their files."""

from . import mac, winmail
from .messages import envelope, found, mixed, multipart, ordinary, part


def make(post, passes):
    small = passes.small
    name = "ticket.pkpass"
    inside = found(f"2!{name}", small, name, "extension content")

    def put(slug, header, content, *records):
        post.put(slug, mixed(slug, part(header, content)), *records)

    put("mac-applesingle", b"Content-Type: application/applefile\n",
        mac.apple_single(small, name), inside)
    put("mac-applesingle-as-octet-stream",
        b'Content-Type: application/octet-stream; name="ticket.pkpass"\n',
        mac.apple_single(small, name), inside)
    # The name is in UTF-8, as on Macs since OS X.
    put("mac-applesingle-name-korean", b"Content-Type: application/applefile\n",
        mac.apple_single(small, "탑승권.pkpass"),
        found("2!탑승권.pkpass", small, "탑승권.pkpass", "extension content"))
    put("none-mac-applesingle-document", b"Content-Type: application/applefile\n",
        mac.apple_single(passes.office, "letter.docx"))

    slug = "mac-appledouble"
    double = multipart(
        part(b'Content-Type: application/applefile; name="ticket.pkpass"\n',
             mac.apple_double_header(name)),
        part(b'Content-Type: application/vnd.apple.pkpass; name="ticket.pkpass"\n', small),
        boundary=b"double")
    post.put(slug, mixed(
        slug, b'Content-Type: multipart/appledouble; boundary="double"\n\n' + double),
        found("2.2", small, name, "extension mime content"))

    put("mac-binary", b'Content-Type: application/x-macbinary; name="ticket.pkpass.bin"\n',
        mac.mac_binary(small, name), inside)
    put("mac-binary-other-type", b'Content-Type: application/macbinary; name="ticket.pkpass"\n',
        mac.mac_binary(small, name), inside)
    put("mac-binary-as-octet-stream",
        b'Content-Type: application/octet-stream; name="ticket.bin"\n',
        mac.mac_binary(small, name), inside)
    put("mac-binary-name-in-roman", b"Content-Type: application/x-macbinary\n",
        mac.mac_binary(small, "café.pkpass"),
        found("2!café.pkpass", small, "café.pkpass", "extension content"))

    hqx = b'Content-Type: application/mac-binhex40; name="ticket.pkpass.hqx"\n'
    encoded = mac.bin_hex(small, name)
    post.put("mac-binhex", mixed("mac-binhex", hqx + b"\n" + encoded), inside)
    put("mac-binhex-in-base64", hqx, encoded, inside)
    put("mac-binhex-carriage-returns-in-base64", hqx, mac.bin_hex(small, name, b"\r"), inside)
    # Written by the program binhex of macutils.
    other = b"(This file must be converted; you knew that already.)"
    put("mac-binhex-other-words-in-base64", hqx, encoded.replace(mac.MARKER, other), inside)
    put("mac-binhex-wrong-checksums-in-base64", hqx,
        mac.bin_hex(small, name, sums_are_right=False), inside)
    # RFC 2045, 6.3 allows such an encoding; RFC 1741 defines a media type instead.
    slug = "mac-binhex-as-encoding"
    post.put(slug, mixed(
        slug, b'Content-Type: application/vnd.apple.pkpass; name="ticket.pkpass"\n'
        b"Content-Transfer-Encoding: x-binhex\n\n" + encoded),
        found(f"2!{name}", small, name, "extension content"))
    slug = "mac-binhex-as-text"
    post.put(slug, envelope(slug, b"\n") + encoded,
             found(f"1!{name}", small, name, "extension content"))
    slug = "none-mac-binhex-document"
    post.put(slug, mixed(slug, hqx.replace(name.encode(), b"letter.docx") + b"\n"
                         + mac.bin_hex(passes.office, "letter.docx")))
    slug = "none-text-about-binhex"
    post.put(slug, ordinary(slug, text="A file that begins with\n\n" + mac.MARKER.decode()
                            + "\n\nand a colon:\n: is from a Mac.\n"))

    # [MS-OXTNEF], 2.1.3.3: FileDataMacBinary, for a sender on a Mac.
    slug = "winmail-of-a-mac"
    post.put(slug, ordinary(slug, (winmail.stream(winmail.file(
        mac.mac_binary(small, name), name, flags=winmail.FILE_DATA_MAC_BINARY)),
        "application/ms-tnef", "winmail.dat")),
        found(f"2!{name}!{name}", small, name, "extension content"))
