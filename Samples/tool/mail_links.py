"""Links to passes in the text of mails, and texts that only mention passes. Scan them with
--links."""

import base64
import binascii

from . import marks
from .messages import envelope, lines, mixed, multipart, reference

URL = "https://tickets.example/t/42/ticket.pkpass"
PLAIN = b"Content-Type: text/plain; charset=utf-8\n"
HTML = b"Content-Type: text/html; charset=utf-8\n"
QUOTED = b"Content-Transfer-Encoding: quoted-printable\n\n"
BASE64 = b"Content-Transfer-Encoding: base64\n\n"


def make(post, passes):
    texts(post)
    pages(post, passes)
    leads(post)
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
        "Add to Apple Wallet</a></body></html>\n", link(f"{URL}?a=1&b=2"))
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
        link(data[:256], "mime", size=len(data)))
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


def encodings(post):
    page = f'<p>Hello!</p><a class="button" href="{URL}">Add to Apple Wallet</a>\n'.encode()
    text = f"Your ticket:\n{URL}\n"
    slug = "html-quoted-printable"
    body = binascii.b2a_qp(page, quotetabs=False)
    soft = body.replace(b"tickets.exa", b"tickets.exa=\n")
    post.put(slug, envelope(slug, HTML + QUOTED) + soft, link(URL))
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
    put("page-of-a-known-host", '<a href="https://pub1.pskt.io/">PassKit</a>\n'
        '<a href="https://www.passslot.com/pricing">PassSlot</a>\n', HTML)
    put("text-about-passes", "Open ticket.pkpass, or send application/vnd.apple.pkpass.\n"
        "Search for it: https://search.example/?q=open+ticket.pkpass\n")
    put("image-in-page", '<img src="data:image/png;base64,iVBORw0KGgo=" alt="ticket.pkpass">\n',
        HTML)
    put("no-link", f"mailto:ana@sender.example?subject={URL.split('/')[-1]} tickets.example/a.pkpass\n")
