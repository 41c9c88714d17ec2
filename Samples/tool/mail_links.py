"""Links to passes in the text of mails, and texts that only mention passes. Scan them with
--links."""

import base64
import binascii
import plistlib

from . import marks, outlook, rtf, winmail
from .messages import envelope, found, lines, mixed, multipart, ordinary, reference

URL = "https://tickets.example/t/42/ticket.pkpass"
PLAIN = b"Content-Type: text/plain; charset=utf-8\n"
HTML = b"Content-Type: text/html; charset=utf-8\n"
QUOTED = b"Content-Transfer-Encoding: quoted-printable\n\n"
BASE64 = b"Content-Transfer-Encoding: base64\n\n"


def make(post, passes):
    texts(post)
    pages(post, passes)
    leads(post)
    labels(post)
    references(post)
    calendars(post)
    shortcuts(post)
    encodings(post)
    places(post)
    lookalikes(post)


def link(url, evidence="extension", part="1", **more):
    return {"record": "link", "part": part, "url": url, "evidence": evidence.split(), **more}


def texts(post):
    def put(slug, text, *urls, header=PLAIN):
        post.put(slug, envelope(slug, header + b"\n") + text.encode(),
                 *[link(url) for url in urls])

    put("text", f"Your ticket: {URL}.\nSee you there!\n", URL)
    put("text-twice", f"{URL}\nAgain: ({URL})\n", URL)
    put("text-no-content-type", f"Add it ({URL}), please.\n", URL, header=b"")
    # RFC 3986, Appendix C.
    put("text-angle-brackets-over-two-lines",
        f"<{URL[:30]}\n    {URL[30:]}>\nBye.\n", URL)
    # RFC 3676, 4.1: how Apple's mailers break a word that is too long for a line.
    put("text-flowed-delsp", f"Your ticket: {URL[:30]} \n{URL[30:]} is \nready.\n", URL,
        header=b"Content-Type: text/plain; charset=us-ascii; format=flowed; delsp=yes\n")
    # RFC 8259, 7: programs in PHP escape the slashes of JSON.
    put("text-json", '{"ticket":"' + URL.replace("/", "\\/") + '"}\n', URL)
    put("text-umlaut", "Für dich: https://tickets.example/für-zwei.pkpass – gute Reise!\n",
        "https://tickets.example/für-zwei.pkpass")


def pages(post, passes):
    def put(slug, page, *records, header=HTML):
        post.put(slug, envelope(slug, header + b"\n") + page.encode(), *records)

    put("html", f'<html><body><p>Hello!</p>\n<a class="button" href="{URL}?a=1&amp;b=2">\n'
        "Add to Apple Wallet</a></body></html>\n", link(f"{URL}?a=1&b=2", "extension label"))
    put("html-amp", f'<!doctype html><html amp4email><a href="{URL}">Ticket</a></html>\n',
        link(URL), header=b"Content-Type: text/x-amp-html\n")
    # In the text, in an attribute's name, and in the URL itself.
    run = marks.run(marks.HEBREW, 2_000)
    put("html-marks", f'<p>{run}</p>\n<a {run}="{run}" href="https://tickets.example/{run}.pkpass">'
        f"{run}</a>\n", link("https://tickets.example/" + marks.safe(run) + ".pkpass"))
    put("html-no-scheme", f'<a href="{URL[6:]}">Ticket</a>\n', link(URL[6:]))
    # Templates escape every character that could end an attribute, and more.
    put("html-character-references",
        '<a href="' + URL.replace("/", "&#x2F;").replace(":", "&#58;") + '">Ticket</a>\n',
        link(URL))
    # https://url.spec.whatwg.org removes line ends; mailers that fold anywhere rely on it.
    put("html-line-break-in-attribute", f'<a href="{URL[:30]}\n{URL[30:]}">Ticket</a>\n',
        link(URL))
    # RFC 3986, 2 has no spaces; shops upload files with names that people chose.
    put("html-space-in-attribute", '<a href="https://tickets.example/my ticket.pkpass">x</a>\n',
        link("https://tickets.example/my%20ticket.pkpass"))
    data = "data:application/vnd.apple.pkpass;base64," + base64.b64encode(passes.small).decode()
    put("html-data-url", f'<a download="ticket.pkpass" href="{data}">Ticket</a>\n',
        link(data[:256], "mime", size=len(data)),
        found("1", passes.small, evidence="mime content"))
    slug = "html-beside-text"
    post.put(slug, envelope(slug, b'Content-Type: multipart/alternative; boundary="sample"\n\n')
             + multipart(PLAIN + f"\nYour ticket: {URL}\n".encode(),
                         HTML + f'\n<a href="{URL}">Your ticket</a>\n'.encode()),
             link(URL), link(URL, part="2"))


def leads(post):
    def put(slug, url, evidence="host"):
        post.put(slug, envelope(slug, HTML + b"\n")
                 + f'<a href="{url.replace("&", "&amp;")}">Ticket</a>\n'.encode(),
                 link(url, evidence))

    put("lead-web-service",
        "https://tickets.example/wallet/v1/passes/pass.example.tram/T1")
    put("lead-known-host", "https://pub1.pskt.io/07We2PjflMlfqAwMwf5f1A")
    put("lead-file-name", "https://tickets.example/get?id=42&file=ticket.pkpass", "extension")
    put("lead-media-type",
        "https://tickets.example/get?id=42&type=application%2Fvnd.apple.pkpass", "mime")
    put("lead-redirect",
        "https://links.example/click?url=https%3A%2F%2Ftickets.example%2Fticket.pkpass%3Fx%3D1&id=7",
        "extension")
    # Proofpoint URL Defense, version 3.
    put("lead-redirect-in-path", f"https://urldefense.com/v3/__{URL}__;!!abc!def$", "extension")


def labels(post):
    """Links whose addresses say nothing, and texts under other types."""
    def put(slug, text, *records, header=HTML):
        post.put(slug, envelope(slug, header + b"\n") + text.encode(), *records)

    click = "https://click.example/w/8f3a"
    put("html-badge", f'<a href="{click}"><img src="https://i.example/b.png" '
        'alt="Add to Apple Wallet"></a>\n', link(click, "label"))
    put("html-badge-german", f'<a href="{click}"><b>Zu Apple Wallet</b>\nhinzuf&uuml;gen</a>\n',
        link(click, "label"))
    put("html-badge-file-name",
        f'<a href="{click}"><img src="i/US-UK_Add_to_Apple_Wallet.png"></a>\n',
        link(click, "label"))
    put("html-drive-chip", '<a href="https://drive.google.com/file/d/1AbC/view" '
        'aria-label="ticket.pkpass"><span>ticket.pkpass</span></a>\n',
        link("https://drive.google.com/file/d/1AbC/view", "label"))
    put("html-base", '<base href="https://tickets.example/t/42/"><a href="ticket.pkpass">x</a>\n',
        link(URL))
    put("html-wbr", f"<p>{URL[:30]}<wbr>{URL[30:]}</p>\n", link(URL))
    put("html-octet-stream", f'<p>Hello!</p><a href="{URL}?a=1&amp;b=2">x</a>\n',
        link(URL + "?a=1&b=2"),
        header=b'Content-Type: application/octet-stream; name="ticket.html"\n')
    put("text-badge", f"Add to Apple Wallet:\n{click}\n", link(click, "label"), header=PLAIN)
    put("text-markdown", f"[Add to Apple Wallet]({click})\n", link(click, "label"),
        header=b"Content-Type: text/markdown\n")
    put("text-mailman", "A non-text attachment was scrubbed...\nName: ticket.pkpass\n"
        "Type: application/vnd.apple.pkpass\nSize: 3435 bytes\nDesc: not available\n"
        "URL: <http://lists.example/attachments/2f3a/attachment.bin>\n",
        link("http://lists.example/attachments/2f3a/attachment.bin", "extension mime"),
        header=PLAIN)
    # Mailman 2 in Polish, quoted in an answer.
    put("text-mailman-quoted-polish", "> ...\n> Nazwa: ticket.pkpass\n"
        "> Typ: application/vnd.apple.pkpass\n> Rozmiar: 3435 bytes\n> Opis: brak\n"
        "> Adres: <http://lists.example/attachments/2f3a/attachment.bin>\n",
        link("http://lists.example/attachments/2f3a/attachment.bin", "extension mime"),
        header=PLAIN)
    put("text-badge-above-blank-line", f"Hello!\n\nAdd to Apple Wallet:\n\n<{click}>\n\nBye\n",
        link(click, "label"), header=PLAIN)
    put("text-badge-below", f"Hello!\n\n{click}\nAdd to Apple Wallet\n\nBye\n",
        link(click, "label"), header=PLAIN)
    put("text-badge-flowed-quoted", "> Add your ticket to Apple \n> Wallet:\n>\n"
        f"> {click}\n", link(click, "label"),
        header=b"Content-Type: text/plain; charset=utf-8; format=flowed\n")
    sophos = ("https://eu-west-1.protection.sophos.example/?d=tickets.example&u="
              + base64.b64encode(URL.encode()).decode())
    put("lead-redirect-base64", sophos, link(sophos), header=PLAIN)


def references(post):
    """URLs below the labels of their links."""
    def put(slug, text, header=PLAIN):
        post.put(slug, envelope(slug, header + b"\n") + text.encode(), link(click, "label"))

    click = "https://click.example/w/8f3a"
    put("text-markdown-reference", "[![Add to Apple Wallet][badge]][Pass]\n\nSee you there!\n\n"
        f"[badge]: https://i.example/b.png\n[pass]: <{click}> \"Ticket\"\n",
        header=b"Content-Type: text/markdown\n")
    # Roundcube's plain text of a page.
    put("text-numbered-link", "Add to Apple Wallet [1]\nUnsubscribe [2]\n\nLinks:\n------\n"
        f"[1] {click}\n[2] https://click.example/u/8f3a\n")
    # Lynx -dump.
    put("text-numbered-link-before", "   [1]Add to Apple Wallet\n   [2]Help\n\nReferences\n\n"
        f"   1. {click}\n   2. https://click.example/h\n")


def calendars(post):
    """RFC 5545, 3.1: lines are folded anywhere. 3.3.11: escapes."""
    def put(slug, lines_, *records, header=b"", encode=bytes):
        lines_ = "\r\n".join(["BEGIN:VCALENDAR", "BEGIN:VEVENT", *lines_, "END:VEVENT",
                              "END:VCALENDAR", ""])
        post.put(slug, envelope(slug, b"Content-Type: text/calendar; charset=utf-8\n" + header
                                + b"\n") + encode(lines_.encode()), *records)

    def folded(line):
        return "\r\n ".join(line[start:start + 60] for start in range(0, len(line), 60))

    click = "https://click.example/w/8f3a"
    page = f'<p>Hello\\, Ana</p>\\n<a href="{click}?a=1&amp\\;b=2">Add to Apple Wallet</a>'
    put("text-calendar", [folded(f"ATTACH;FMTTYPE=application/vnd.apple.pkpass:{click}"),
        folded(f"DESCRIPTION:Ticket:\\n{URL}\\nBye")], link(click, "mime"), link(URL))
    put("text-calendar-html", [folded("X-ALT-DESC;FMTTYPE=text/html:" + page)],
        link(click + "?a=1&b=2", "label"))
    put("text-calendar-html-quoted-printable", [folded("DESCRIPTION:" + page)],
        link(click + "?a=1&b=2", "label"), header=QUOTED[:-1],
        encode=lambda text: binascii.b2a_qp(text, istext=False))
    # RFC 7986, 5.11 and 6.4.
    put("text-calendar-conference",
        [folded(f'CONFERENCE;VALUE=URI;FEATURE=X;LABEL="Add to Apple Wallet":{click}')],
        link(click, "label"))
    # vCalendar 1.0.
    put("text-calendar-property-quoted-printable",
        ["DESCRIPTION;ENCODING=QUOTED-PRINTABLE:Zu Apple Wallet hinzuf=C3=BCgen:=0D=0A=",
         f"{click[:20]}=", f"{click[20:]}?a=3D1=0D=0ABye"], link(click + "?a=1", "label"))


def shortcuts(post):
    """Files that are a link to a web page, attached without their media type."""
    def put(slug, name, content, *records):
        header = f'Content-Type: application/octet-stream; name="{name}"\n'.encode()
        post.put(slug, envelope(slug, header + BASE64) + lines(content), *records)

    ini = f"[InternetShortcut]\r\nURL={URL}\r\n"
    put("text-shortcut", "Ticket.url", ini.encode(), link(URL))
    put("text-shortcut-second-section", "Ticket.url", (
        "[{000214A0-0000-0000-C000-000000000046}]\r\nProp3=19,2\r\n" + ini).encode(), link(URL))
    put("text-shortcut-utf-16", "Ticket.url", b"\xff\xfe" + ini.encode("utf-16le"), link(URL))
    put("text-shortcut-desktop", "Ticket.desktop",
        f"[Desktop Entry]\nType=Link\nName=Ticket\nURL={URL}\nIcon=text-html\n".encode(),
        link(URL))
    put("text-shortcut-webloc", "Ticket.webloc", (
        '<?xml version="1.0"?><plist version="1.0"><dict><key>URL</key>'
        f"<string>{URL}?a=1&amp;b=2</string></dict></plist>\n").encode(), link(URL + "?a=1&b=2"))
    binary = plistlib.dumps({"A": "x", "URL": URL + "?a=1&b=2", "Z": "Ticket"},
                            fmt=plistlib.FMT_BINARY)
    put("text-shortcut-webloc-binary", "Ticket.webloc", binary, link(URL + "?a=1&b=2"))
    post.tree.add("links/page.webloc", binary, [link(URL + "?a=1&b=2", part="")])


def encodings(post):
    page = f'<p>Hello!</p><a class="button" href="{URL}">Add to Apple Wallet</a>\n'.encode()
    text = f"Your ticket:\n{URL}\n"
    slug = "html-quoted-printable"
    body = binascii.b2a_qp(page, quotetabs=False)
    soft = body.replace(b"tickets.exa", b"tickets.exa=\n")
    post.put(slug, envelope(slug, HTML + QUOTED) + soft, link(URL, "extension label"))
    slug = "text-base64"
    post.put(slug, envelope(slug, PLAIN + BASE64) + lines(text.encode()), link(URL))
    slug = "text-base64-short-lines"
    post.put(slug, envelope(slug, PLAIN + BASE64) + lines(text.encode(), 20), link(URL))
    for charset in ("utf-16", "utf-16be", "utf-16le", "utf-7"):
        slug = f"text-{charset}"
        header = f"Content-Type: text/plain; charset={charset}\n".encode()
        post.put(slug, envelope(slug, header + BASE64) + lines(text.encode(charset)), link(URL))
    slug = "text-windows-1252"
    header = b"Content-Type: text/plain; charset=windows-1252\nContent-Transfer-Encoding: 8bit\n\n"
    post.put(slug, envelope(slug, header) + f"“{URL}”\u00a0\n".encode("windows-1252"), link(URL))


def places(post):
    slug = "in-message"
    inner = envelope("inner", PLAIN + b"\n") + f"Ticket: {URL}\n".encode()
    post.put(slug, mixed(slug, b"Content-Type: message/rfc822\n\n" + inner), link(URL, part="2.1"))
    slug = "in-message-base64"
    post.put(slug, mixed(slug, b"Content-Type: message/rfc822\n" + BASE64 + lines(inner)),
             link(URL, part="2.1"))
    page = f"<!DOCTYPE html>\n<title>Ticket</title>\n<a href='{URL}'>Ticket</a>\n".encode()
    post.tree.add("links/page.html", page, [link(URL, part="")])
    post.tree.add("links/notes.txt", f"Ana's ticket: {URL}\n".encode(), [link(URL, part="")])
    # In the bodies of Outlook's messages.
    page = f'<p>Hello!</p>\n<a href="{URL}">Ticket</a>\n'
    for slug, text in [("rtf-page", rtf.encapsulated(page)),
                       ("rtf", rtf.rich("Hello!", URL, "Ticket"))]:
        stored = rtf.compress(text)
        for name, content, kind in [
                ("winmail", winmail.stream(listed=[winmail.prop(winmail.BINARY, 0x1009, stored)]),
                 "application/ms-tnef"),
                ("outlook", outlook.compound({**outlook.message(), "__substg1.0_10090102": stored}),
                 "application/vnd.ms-outlook")]:
            post.put(f"{name}-{slug}", ordinary(f"{name}-{slug}", (content, kind, name)),
                     link(URL, part="2!body.html"))
    # RFC 2017: the URL of an external body, folded.
    slug = "external-body-url"
    body = (f'Content-Type: message/external-body; access-type=URL;\n URL="{URL[:30]}\n'
            f'  {URL[30:]}"\n\nContent-Type: application/octet-stream\n'
            "Content-ID: <ticket@mail.example>\n\n").encode()
    problem = {"record": "problem", "part": "2", "code": "external-body"}
    post.tree.add(f"links/{slug}.eml", mixed(slug, body),
                  [{**record, "message": reference(slug)}
                   for record in (problem, link(URL, part="2"))])


def lookalikes(post):
    def put(name, text, header=PLAIN):
        slug = f"none-{name}"
        post.put(slug, envelope(slug, header + b"\n") + text.encode())

    put("page-about-a-pass", f"Preview: {URL}.html and https://tickets.example/pkpass\n")
    put("page-of-apple", "Open it in Wallet: https://www.apple.com/wallet/?type=pkpass\n")
    put("newsletter",
        '<p>We support <a href="https://shop.example/news">Apple Wallet</a> now.</p>\n<a href="https://shop.example/faq">How do I add a ticket to Apple Wallet?</a>\n', HTML)
    put("text-newsletter", "You can now add tickets to Apple Wallet.\n\n"
        "https://shop.example/news\n\nAdd to Apple Wallet: https://support.apple.com/wallet\n")
    put("page-about-maps",
        '<a href="https://shop.example/way">Ajouter à Cartes d’Apple</a>\n', HTML)
    put("page-of-a-known-host", '<a href="https://pub1.pskt.io/">PassKit</a>\n'
        '<a href="https://www.passslot.com/pricing">PassSlot</a>\n', HTML)
    put("text-about-passes", "Open ticket.pkpass, or send application/vnd.apple.pkpass.\n"
        "Search for it: https://search.example/?q=open+ticket.pkpass\n")
    put("image-in-page", '<img src="data:image/png;base64,iVBORw0KGgo=" alt="ticket.pkpass">\n',
        HTML)
    put("no-link", f"mailto:ana@sender.example?subject={URL.split('/')[-1]} tickets.example/a.pkpass\n")
