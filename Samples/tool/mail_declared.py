"""Passes declared by media type, by type identifier, or recognised by content only."""

from .messages import envelope, found, lines, mixed, ordinary, part

MEDIA_TYPES = {
    "vnd-apple-pkpass": "application/vnd.apple.pkpass",
    "pkpass": "application/pkpass",
    "android": "application/vnd-com.apple.pkpass",
    "vndapplepkpass": "application/vndapplepkpass",
    "x-apple-pkpass": "application/x-apple-pkpass",
    "x-passbook": "application/x-passbook",
    "x-pkpass": "application/x-pkpass",
    "pkpasses-on-single": "application/vnd.apple.pkpasses",
    "upper-case": "Application/VND.Apple.PKPass",
}


def make(post, passes):
    small = passes.small
    post.put("ordinary", ordinary(
        "ordinary", (small, "application/vnd.apple.pkpass", "ticket.pkpass")),
        found("2", small, "ticket.pkpass", "extension mime content"))
    post.put("ordinary-three-passes", ordinary(
        "ordinary-three-passes",
        (small, "application/vnd.apple.pkpass", "outbound.pkpass"),
        (passes.train, "application/vnd.apple.pkpass", "return.pkpass"),
        (passes.tram, "application/octet-stream", "tram.pkpass")),
        found("2", small, "outbound.pkpass", "extension mime content"),
        found("3", passes.train, "return.pkpass", "extension mime content"),
        found("4", passes.tram, "tram.pkpass", "extension content"))
    post.put("ordinary-single-part", envelope(
        "ordinary-single-part",
        b'Content-Type: application/vnd.apple.pkpass; name="ticket.pkpass"\n'
        b"Content-Disposition: attachment\nContent-Transfer-Encoding: base64\n\n")
        + lines(small), found("1", small, "ticket.pkpass", "extension mime content"))

    for name, media_type in MEDIA_TYPES.items():
        slug = f"mime-{name}"
        post.put(slug, mixed(slug, part(b"Content-Type: %s\n" % media_type.encode(), small)),
                 found("2", small, evidence="mime content"))
    post.put("mime-with-parameters", mixed("mime-with-parameters", part(
        b"Content-Type: application/vnd.apple.pkpass; charset=binary; x-size=9\n", small)),
        found("2", small, evidence="mime content"))
    post.put("mime-no-space-after-colon", mixed("mime-no-space-after-colon", part(
        b"Content-Type:application/vnd.apple.pkpass\n", small)),
        found("2", small, evidence="mime content"))
    post.put("mime-comment", mixed("mime-comment", part(
        b"Content-Type: (a pass) application/vnd.apple.pkpass (for a phone)\n", small)),
        found("2", small, evidence="mime content"))
    for slug, first, second in (
            ("duplicate-content-type-pass-first", b"application/vnd.apple.pkpass", b"text/plain"),
            ("duplicate-content-type-pass-last", b"text/plain", b"application/vnd.apple.pkpass")):
        post.put(slug, mixed(slug, part(
            b"Content-Type: " + first + b"\nContent-Type: " + second + b"\n", small)),
            found("2", small, evidence="mime content"))

    post.put("uti-bare-content-type", mixed("uti-bare-content-type", part(
        b"Content-Type: com.apple.pkpass\n", small)), found("2", small, evidence="uti content"))
    post.put("uti-parameter", mixed("uti-parameter", part(
        b'Content-Type: application/octet-stream; x-uti="com.apple.pkpass"\n', small)),
        found("2", small, evidence="uti content"))
    post.put("uti-parameter-of-disposition", mixed("uti-parameter-of-disposition", part(
        b"Content-Type: application/octet-stream\n"
        b"Content-Disposition: attachment; x-apple-uti=com.apple.pkpass\n", small)),
        found("2", small, evidence="uti content"))
    # Found by its content; with uti-mapped.plist imported, `uti` is evidence too.
    post.put("uti-mapped", mixed("uti-mapped", part(
        b"Content-Type: com.example.boarding-card\n", small)),
        found("2", small, verdict="trusted"))
    post.tree.add("mail/uti-mapped.plist", MAPPING)

    by_content = {
        "octet-stream": b"Content-Type: application/octet-stream\n",
        "zip": b"Content-Type: application/zip\n",
        "zip-named": b'Content-Type: application/zip; name="attachment.zip"\n',
        "jpeg": b'Content-Type: image/jpeg; name="photo.jpg"\n',
        "text-plain": b"Content-Type: text/plain\n",
        "unknown-type": b"Content-Type: application/x-never-heard-of\n",
        "no-content-type": b"",
        "type-is-nonsense": b"Content-Type: ;;; = pass\n",
    }
    names = {"zip-named": "attachment.zip", "jpeg": "photo.jpg"}
    for name, header in by_content.items():
        slug = f"content-only-{name}"
        post.put(slug, mixed(slug, part(header, small)),
                 found("2", small, names.get(name), "content"))
    slug, sent = "content-only-behind-line-end", b"\r\n" + small
    post.put(slug, mixed(slug, part(by_content["octet-stream"], sent)),
             found("2", small, None, "content"))


MAPPING = b"""\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
"http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
    <key>UTExportedTypeDeclarations</key>
    <array>
        <dict>
            <key>UTTypeIdentifier</key>
            <string>com.example.boarding-card</string>
            <key>UTTypeDescription</key>
            <string>Boarding card of an invented airline</string>
            <key>UTTypeConformsTo</key>
            <array>
                <string>com.apple.pkpass</string>
            </array>
            <key>UTTypeTagSpecification</key>
            <dict>
                <key>public.filename-extension</key>
                <array>
                    <string>boardingcard</string>
                </array>
                <key>public.mime-type</key>
                <string>application/x-example-boarding-card</string>
            </dict>
        </dict>
    </array>
</dict>
</plist>
"""
