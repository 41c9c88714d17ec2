"""Prints random web pages with relative links, and after each the links as Python resolves them.

The pages are parsed by html.parser, references are resolved by urllib.parse.urljoin. Usage:
generate_page_links.py SEED COUNT; for each page the lines `page URL SIZE`, the page, `title TEXT` if
there is one, and `link EVIDENCE URL` for each link, sorted.
"""

import random
import re
import sys
from html import escape
from html.parser import HTMLParser
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit

NAME = re.compile(r"[^/=]\.pkpass(es)?$", re.IGNORECASE)
PASS = "application/vnd.apple.pkpass"
PAGES = ["https://x.example/t/page.html", "https://x.example", "http://x.example:8080/a/b/?id=1",
         "https://x.example/a/b/c;d"]
BASES = ["/base/", "https://cdn.example/p/q", "../up/", "//cdn.example:8443/", "?b"]
REFERENCES = [
    "ticket.pkpass", "./t/a.PKPASS", "../b.pkpasses", "../../../c.pkpass?x=1&y=2", "?file=d.pkpass",
    "//y.example/e.pkpass", "/t/f.pkpass#front", "my ticket.pkpass", "donn\u00e9es.pkpass", "",
    "page.html", "pass/1", "#a.pkpass", "javascript:go('a.pkpass')", "mailto:a@x.example",
    "https://Y.example/g.pkpass", "http://y.example/h", "a.pkpass/b", "./i:j.pkpass",
    f"data:{PASS};base64,UEsDBA==", "data:text/plain,a.pkpass", "v1/passes/pass.a/1", "g;x=1/../k",
]
LABELS = ["Ticket", "Add to Apple Wallet", "Add to <b>Apple</b>&nbsp;Wallet", "Add to Google Wallet",
          "<img src='/img/Add_to_Apple_Wallet_RGB.svg'>", "<img alt=\"Add to Wallet\" src=b.png>",
          "<span class=apple-wallet-button></span>", "<!-- Apple Wallet -->", "My wallet"]


def evidence(url):
    found = set()
    parts = urlsplit(url)
    if NAME.search(unquote(parts.path)):
        found.add("extension")
    if re.search(r"/v1/passes/pass\.[^/]*/[^/]+$", parts.path):
        found.add("host")
    for parameter in parts.query.split("&"):
        if NAME.search(parameter.rpartition("=")[2]):
            found.add("extension")
    return found


class Reader(HTMLParser):
    def __init__(self, url):
        super().__init__(convert_charrefs=True)
        self.page = self.base = url
        self.has_base = False
        self.links = {}
        self.title = None
        self.in_title = False
        self.button = None

    def add(self, reference, found):
        reference = reference.strip()
        if reference.startswith("data:"):
            found = found | ({"mime"} if reference.startswith(f"data:{PASS}") else set())
            if found:
                self.links.setdefault(reference, set()).update(found)
            return
        url = urldefrag(urljoin(self.base, reference))[0]
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https"):
            return
        url = parts._replace(netloc=parts.netloc.lower(), path=parts.path or "/").geturl()
        url = quote(url, safe="%/:=&?~+!$,;'@()*")
        page = urlsplit(self.page)
        if url == page._replace(path=page.path or "/").geturl():
            return
        found = evidence(url) | found
        if found:
            self.links.setdefault(url, set()).update(found)

    def end_button(self):
        if self.button:
            reference, found, label = self.button
            letters = re.sub("[^a-z0-9]", "", label.lower())
            if "applewallet" in letters or "addtowallet" in letters and "google" not in letters:
                found = found | {"label"}
            self.add(reference, found)
        self.button = None

    def handle_starttag(self, tag, attributes):
        values = {}
        for name, value in attributes:
            values.setdefault(name, value or "")
        found = set()
        if NAME.search(values.get("download", "").strip()):
            found.add("extension")
        if values.get("type", "").strip().lower() == PASS:
            found.add("mime")
        label = " ".join(values.get(name, "") for name in ("alt", "class", "title"))
        if tag == "img":
            label += values.get("src", "").rpartition("/")[2]
        if tag == "a":
            self.end_button()
            self.button = [values.get("href", ""), found, label]
        elif tag == "base":
            if not self.has_base:
                self.base = urljoin(self.page, values["href"].strip())
                self.has_base = True
        elif tag == "title":
            self.in_title = True
        else:
            if self.button:
                self.button[2] += label
            for name in ("href", "src"):
                if name in values:
                    self.add(values[name], found)

    def handle_endtag(self, tag):
        if tag == "a":
            self.end_button()
        self.in_title = False

    def handle_data(self, data):
        if self.in_title and self.title is None:
            self.title = " ".join(data.split())[:120]
        if self.button and self.cdata_elem is None:
            self.button[2] += data


def attribute(random, name, value):
    value = escape(value)
    if random.random() < 0.3:
        value = random.choice(("", " ", "\n")) + value + random.choice(("", " ", "\n"))
    name = random.choice((name, name.upper()))
    plain = value and not re.search(r"[\s\"'=<>`]", value)
    quote_ = "" if plain and random.random() < 0.3 else random.choice("\"'")
    space = random.choice(("", " ")) if quote_ else ""
    return f"{name}{space}={space}{quote_}{value}{quote_}"


def anchor(random):
    attributes = [attribute(random, "href", random.choice(REFERENCES))]
    if random.random() < 0.2:
        attributes.append(attribute(random, "download", random.choice(("", "t.pkpass", "t.pdf"))))
    if random.random() < 0.1:
        attributes.append(attribute(random, "type", random.choice((PASS, "text/html"))))
    if random.random() < 0.1:
        attributes.append(attribute(random, "class", random.choice(("b", "add-to-apple-wallet"))))
    random.shuffle(attributes)
    if random.random() < 0.1:
        attributes.append(attribute(random, "href", "second.pkpass"))
    if random.random() < 0.1:
        attributes.append("disabled")
    end = random.choice(("</a>", "</A >", ""))
    return f"<{random.choice('aA')} {' '.join(attributes)} >{random.choice(LABELS)}{end}"


def other(random):
    reference = random.choice(REFERENCES)
    return random.choice((
        f"<link rel=alternate {attribute(random, 'href', reference)}>",
        f"<iframe {attribute(random, 'src', reference)}></iframe>",
        "<!-- <a href=hidden.pkpass> -->", "<script>x = '<a href=hidden.pkpass>';</script>",
        "<!doctype html>", "<?xml version='1.0'?>", "a < b", "</>", "<p title='>'>",
        "<style>a > b {}</style>", "<br/>", "\n",
    ))


def main():
    seed, count = map(int, sys.argv[1:])
    numbers = random.Random(seed)
    output = sys.stdout.buffer
    for _ in range(count):
        url = numbers.choice(PAGES)
        content = ""
        if numbers.random() < 0.5:
            title = numbers.choice((" Sign &amp;\n in", "T" * 200, ""))
            content += f"<title>{title}</title>"
        if numbers.random() < 0.3:
            content += f"<base {attribute(numbers, 'href', numbers.choice(BASES))}>"
        content += "".join(numbers.choice((anchor, anchor, other))(numbers)
                           for _ in range(numbers.randrange(0, 8)))
        reader = Reader(url)
        reader.feed(content)
        reader.close()
        reader.end_button()
        data = content.encode()
        output.write(f"page {url} {len(data)}\n".encode() + data + b"\n")
        if reader.title:
            output.write(f"title {reader.title}\n".encode())
        for link in sorted(reader.links):
            names = [name for name in ("extension", "mime", "host", "label")
                     if name in reader.links[link]]
            output.write(f"link {','.join(names)} {link}\n".encode())


if __name__ == "__main__":
    main()
