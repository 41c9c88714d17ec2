"""Mail and web content in other formats: JSON, property lists, calendars, HTTP responses."""

import base64
import gzip
import json
import plistlib
import zlib

from .messages import PASS_TYPE, envelope, found, multipart, ordinary, part, reference
from .tree import identity

ALL = "extension mime content"
NAME = "ticket.pkpass"
TYPE = PASS_TYPE.decode()


def make(tree, passes):
    json_exports(tree, passes)
    calendars(tree, passes)
    responses(tree, passes)
    crawls(tree, passes)
    pages(tree, passes)
    documents(tree, passes)


def member(content, path, evidence=ALL, name=NAME):
    return {"part": f"!{path}", "name": name, **identity(content), "verdict": "trusted",
            "evidence": evidence.split()}


def text(content):
    return base64.b64encode(content).decode()


def gmail(message):
    """users.messages.get with format=raw."""
    raw = base64.urlsafe_b64encode(message).decode()
    return json.dumps({
        "id": "18f5a1b2c3d4e5f6", "threadId": "18f5a1b2c3d4e5f6", "labelIds": ["INBOX"],
        "snippet": "Your ticket is attached.", "sizeEstimate": len(message), "raw": raw})


def gmail_parts(content):
    """users.messages.get with format=full, and the data of users.messages.attachments.get."""
    return json.dumps({"id": "18f5a1b2c3d4e5f6", "payload": {
        "mimeType": "multipart/mixed", "filename": "", "body": {"size": 0}, "parts": [
            {"partId": "0", "mimeType": "text/plain", "filename": "",
             "body": {"size": 25, "data": text(b"Your ticket is attached.\n")}},
            {"partId": "1", "mimeType": TYPE, "filename": NAME, "body": {
                "attachmentId": "ANGjdJ8w" * 20, "size": len(content),
                "data": base64.urlsafe_b64encode(content).decode()}}]}}, indent=2)


def graph(content):
    """GET /me/messages/ID/attachments. Graph escapes some characters of base64."""
    page = json.dumps({"@odata.context": "https://graph.microsoft.com/v1.0/$metadata", "value": [{
        "@odata.type": "#microsoft.graph.fileAttachment", "id": "AAMkAGI2",
        "contentBytes": text(content), "name": NAME, "contentType": TYPE, "size": len(content),
        "isInline": False}]})
    return page.replace("+", "\\u002b").replace("=", "\\u003d")


def ses(message):
    """The notification of Amazon SES for a received message."""
    return json.dumps({
        "notificationType": "Received", "mail": {"source": "ana@mail.example"},
        "receipt": {"action": {"type": "SNS", "encoding": "UTF-8"}}, "content": message})


def sns(notification):
    """The envelope of Amazon SNS."""
    return json.dumps({
        "Type": "Notification", "MessageId": "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
        "Subject": "Amazon SES Email Receipt Notification", "Message": notification,
        "SignatureVersion": "1"}, indent=2)


def har(content, url="https://tickets.example/t/ticket.pkpass?id=1"):
    return json.dumps({"log": {"version": "1.2", "creator": {"name": "WebInspector"}, "entries": [
        {"request": {"method": "GET", "url": "https://tickets.example/"},
         "response": {"status": 200, "content": {"mimeType": "text/html", "text": "<html>"}}},
        {"request": {"method": "GET", "url": url, "headers": [{"name": "Accept", "value": "*/*"}]},
         "response": {"status": 200, "headers": [], "content": {
             "size": len(content), "mimeType": TYPE, "text": text(content),
             "encoding": "base64"}}}]}}, indent=1)


def json_exports(tree, passes):
    small, tram = passes.small, passes.tram
    inner = ordinary("inner", (small, TYPE, NAME))

    def add(name, content, *records):
        tree.add(f"mailbox/export-{name}", content.encode(), list(records))

    whole = {**found("2", small, NAME, ALL), "message": reference("inner"), "part": "!raw!2"}
    add("gmail-raw.json", gmail(inner), whole)
    add("gmail-raw-folded.json", gmail(inner).replace("Ci", "C\\ni", 3), whole)
    add("gmail-raw-lines.jsonl", gmail(ordinary("first")) + "\n" + gmail(inner) + "\n", whole)
    add("gmail-parts.json", gmail_parts(small), member(small, NAME))
    add("graph.json", graph(small), member(small, NAME))
    add("graph-byte-order-mark.json", "\ufeff" + graph(small), member(small, NAME))
    add("truncated.json", graph(small)[:-30], member(small, NAME),
        {"record": "problem", "code": "truncated"})
    add("strings.json", json.dumps(["x" * 100, text(small), "data:;base64," + text(tram)]),
        member(small, "data", "content", ""), member(tram, "data", "content", ""))
    add("har.har", har(small), member(small, NAME))
    add("sns.json", sns(ses(inner.decode())), {**whole, "part": "!message!content!2"})
    add("sqs.json", json.dumps({"Messages": [{"Body": sns(ses(text(inner)))}]}),
        {**whole, "part": "!body!message!content!2"})
    add("not-a-pass.json", graph(b"<html>404</html>" * 9), {
        **member(b"<html>404</html>" * 9, NAME, "extension mime"), "verdict": "malformed"})
    add("mail-as-text.json", json.dumps({"from": "a@b.example", "mail": inner.decode()}),
        {**whole, "part": "!mail!2"})


def folded(line, width=75):
    """RFC 5545, 3.1."""
    rows = [line[:width]] + [
        line[i:i + width - 1] for i in range(width, len(line), width - 1)]
    return "\r\n ".join(rows) + "\r\n"


def calendar(line):
    return ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//sample//EN\r\nBEGIN:VEVENT\r\n"
            "UID:1@mail.example\r\nDTSTAMP:20240507T100000Z\r\nSUMMARY:Tram\r\n" + line
            + "END:VEVENT\r\nEND:VCALENDAR\r\n").encode()


def attach(content, more=f";FILENAME={NAME}"):
    return folded(f"ATTACH;FMTTYPE={TYPE};ENCODING=BASE64;VALUE=BINARY{more}:{text(content)}")


def card(line):
    return ("BEGIN:VCARD\r\nVERSION:3.0\r\nN:Sample;Ana\r\nFN:Ana Sample\r\n" + line
            + "END:VCARD\r\n").encode()


def calendars(tree, passes):
    small, tram = passes.small, passes.tram

    def add(name, content, *records):
        tree.add(f"mailbox/export-{name}", content, list(records))

    add("calendar.ics", calendar(attach(small)), member(small, NAME))
    add("calendar-quoted-name.ics", calendar(attach(small, f';X-APPLE-FILENAME="{NAME}"')),
        member(small, NAME))
    add("calendar-two.ics", calendar(attach(small) + attach(tram, "")),
        member(small, NAME), member(tram, "data", "mime content", ""))
    add("calendar-data.ics", calendar(folded(f"ATTACH:data:{TYPE};base64,{text(small)}")),
        member(small, "data", "mime content", ""))
    add("calendar-line-feeds.ics", calendar(attach(small)).replace(b"\r\n", b"\n"),
        member(small, NAME))
    add("calendar-not-folded.ics", calendar(attach(small).replace("\r\n ", "")),
        member(small, NAME))
    add("card.vcf", card(folded(f"KEY;ENCODING=b;TYPE=PASS:{text(small)}")),
        member(small, "data", "content", ""))
    rows = "\r\n".join(text(small)[i:i + 76] for i in range(0, len(text(small)), 76))
    # vCard 2.1 ends base64 with a blank line, and many programs do not indent it.
    add("card-2.1.vcf", card(f"PHOTO;ENCODING=BASE64:\r\n{rows}\r\n\r\n"),
        member(small, "data", "content", ""))

    # An invitation, as a part of a mail in every transfer encoding.
    header = (b'Content-Type: text/calendar; charset=utf-8; method=REQUEST\n')
    body = calendar(attach(small)).replace(b"\r\n", b"\n")
    quoted = body.replace(b"=", b"=3D")
    for slug, encoding, content in (
            ("calendar-7bit", b"7bit", body), ("calendar-quoted", b"quoted-printable", quoted)):
        put(tree, slug, header + b"Content-Transfer-Encoding: " + encoding + b"\n\n" + content,
            small)
    put(tree, "calendar-base64", part(header, body), small)


def put(tree, slug, content, small):
    message = envelope(slug, b'Content-Type: multipart/mixed; boundary="sample"\n\n') + multipart(
        b"\nYour ticket.\n", content)
    tree.add(f"mail/{slug}.eml", message, [
        {**found("2", small, NAME, ALL), "part": f"2!{NAME}", "message": reference(slug)}])


def response(content, *fields):
    lines = ["HTTP/1.1 200 OK", "Server: sample", *fields]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


def chunked(content, size=1000):
    chunks = [content[i:i + size] for i in range(0, len(content), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"


def warc(block, kind="response", target="https://shop.example/1"):
    """A record of a WARC file (ISO 28500)."""
    lines = ["WARC/1.0", f"WARC-Type: {kind}", f"WARC-Target-URI: {target}",
             "WARC-Date: 2024-05-07T10:00:00Z",
             "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>",
             f"Content-Length: {len(block)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def crawls(tree, passes):
    """A response is named by its record: the server answered another address with an error."""
    small, tram = passes.small, passes.tram
    disposition = f'Content-Disposition: attachment; filename="{NAME}"'
    gone = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<html>"
    records = [
        warc(b"software: sample\r\n", "warcinfo"), warc(b"GET /1 HTTP/1.1\r\n\r\n", "request"),
        warc(response(b"<html><p>Hello", "Content-Type: text/html")),
        warc(gone, target="https://shop.example/gone.pkpass"),
        warc(response(small, f"Content-Type: {TYPE}", disposition)),
        warc(tram, "resource", "https://shop.example/t/tram.pkpass?a=b"),
    ]
    expected = [found(f"!5!{NAME}", small, NAME, "extension mime content"),
                found("!https://shop.example/t/tram.pkpass", tram, "tram.pkpass",
                      "extension content")]
    tree.add("mailbox/crawl.warc", b"".join(records), expected)
    # Zeros after a record, as in a sparse file.
    tree.add("mailbox/crawl-zeros.warc", bytes(5000).join(records), expected)
    # Crawlers compress each record alone.
    tree.add("mailbox/crawl.warc.gz",
             b"".join(gzip.compress(each, mtime=0) for each in records), expected)


def responses(tree, passes):
    small = passes.small
    kind = f"Content-Type: {TYPE}"
    disposition = f'Content-Disposition: attachment; filename="{NAME}"'

    def add(name, content, *records):
        tree.add(f"mailbox/export-{name}.http", content, list(records))

    named, unnamed = member(small, NAME), member(small, "body", "mime content", "body")
    add("response", response(small, kind, disposition, f"Content-Length: {len(small)}"), named)
    add("response-line-feeds", b"HTTP/2 200\n" + kind.encode() + b"\n\n" + small, unnamed)
    add("response-chunked", response(
        chunked(small), kind, disposition, "Transfer-Encoding: chunked"), named)
    add("response-gzip", response(
        chunked(gzip.compress(small, mtime=0)), kind, disposition, "Transfer-Encoding: chunked",
        "Content-Encoding: gzip"), named)
    add("response-deflate", response(
        zlib.compress(small), kind, disposition, "Content-Encoding: deflate"), named)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    add("response-plain-deflate", response(
        packer.compress(small) + packer.flush(), kind, disposition, "Content-Encoding: deflate"),
        named)
    # The body was decoded, the header was not changed.
    add("response-decoded", response(
        small, kind, disposition, "Transfer-Encoding: chunked", "Content-Encoding: br"), named)
    add("response-redirected", b"HTTP/1.1 302 Found\r\nLocation: /t\r\n\r\n" + response(
        small, kind, disposition), named)
    add("response-brotli", response(
        b"\x1b\xff\x03\x00\xa4" * 90, "Content-Type: application/octet-stream",
        "Content-Encoding: br"), {"record": "problem", "code": "format-not-read"})


def web_archive(content, url="https://tickets.example/t/ticket.pkpass", media_type=TYPE):
    def resource(data, kind, url):
        return {"WebResourceData": data, "WebResourceMIMEType": kind, "WebResourceURL": url,
                "WebResourceFrameName": ""}

    page = resource(b"<html>ticket</html>", "text/html", "https://tickets.example/")
    picture = resource(b"\x89PNG\r\n\x1a\n" + bytes(90), "image/png", url.replace("pkpass", "png"))
    return plistlib.dumps({
        "WebMainResource": page, "WebSubresources": [picture],
        "WebSubframeArchives": [{"WebMainResource": resource(content, media_type, url)}],
    }, fmt=plistlib.FMT_BINARY)


def pages(tree, passes):
    small = passes.small

    def add(name, content, *records):
        tree.add(f"mailbox/export-{name}", content, list(records))

    add("page.webarchive", web_archive(small), member(small, NAME))
    tree.add("mailbox/none-page.webarchive", web_archive(
        bytes(90), "https://tickets.example/t/ticket.pdf", "application/pdf"), [])
    add("data.bplist", plistlib.dumps({"data": [small]}, fmt=plistlib.FMT_BINARY),
        member(small, "data", "content", ""))


def document(*attachments):
    """A PDF document with attachments: the name, the content, its type and whether to compress it."""
    catalogue = b"".join(b"(%d) %d 0 R " % (n, 4 + 2 * n) for n in range(len(attachments)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [ %s] >> >> >>" % catalogue,
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] >>",
    ]
    for name, content, kind, is_deflated in attachments:
        data = zlib.compress(content) if is_deflated else content
        objects += [
            f"<< /Type /Filespec /F ({name}) /EF << /F {len(objects) + 2} 0 R >> >>".encode(),
            b"<< /Type /EmbeddedFile /Subtype /%s %s/Length %d >>\nstream\n%s\nendstream" % (
                kind.replace("/", "#2F").encode(), b"/Filter /FlateDecode " * is_deflated, len(data),
                data)]
    text, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(text))
        text += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    size = len(objects) + 1
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return text + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Root 1 0 R /Size %d >>\n"
        b"startxref\n%d\n%%%%EOF\n" % (size, table, size, len(text)))


def documents(tree, passes):
    small, tram = passes.small, passes.tram
    content = document((NAME, small, TYPE, False), ("tram.pkpass", tram, TYPE, True),
                       ("invoice.xml", b"<invoice/>", "text/xml", False))
    tree.add("mailbox/document.pdf", content, [
        member(small, "data", "mime content", ""), member(tram, "data", "mime content", "")])
