"""Prints random web pages, and after each the links to passes that Python finds in it.

The pages are parsed by html.parser; a regular expression finds URLs in the text and in attribute
values. Usage: generate_links.py SEED COUNT; for each page the lines `page SIZE`, the page, and
`link URL` for each link.
"""

import random
import re
import sys
from html import escape
from html.parser import HTMLParser
from urllib.parse import parse_qsl, unquote, urlsplit

URL = re.compile(r"https?://[^\s<>\"'`]+", re.IGNORECASE)
NAME = re.compile(r"[^/]\.pkpass(es)?$", re.IGNORECASE)
WORDS = {"q", "search", "title", "subject"}


def leads_to_pass(url, depth=4):
    """Whether a URL leads to a pass, or redirects to one."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    path = unquote(parts.path)
    if NAME.search(path) or re.search(r"/v1/passes/pass\.[^/]*/[^/]+$", path):
        return True
    if parts.hostname == "d.pslot.io" and re.fullmatch(r"/(p/[\w~-]+|[\w~-]{5,})/?", path):
        return True
    for name, value in parse_qsl(parts.query):
        if depth and re.match("https?://", value) and leads_to_pass(value, depth - 1):
            return True
        if name not in WORDS and NAME.search(value):
            return True
    return False


class Reader(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.urls = []
        self.text = ""

    def handle_starttag(self, tag, attributes):
        self.end_text()
        for _, value in attributes:
            value = (value or "").strip(" \t\r\n")
            url = re.sub(r"[\t\r\n]", "", value).replace(" ", "%20")
            if value.startswith("//"):
                self.urls.append((url, "https:" + url))
            elif re.match(r"(?i)https?://", value):
                self.urls.append((url, url))
            else:
                self.find(value)

    def handle_endtag(self, tag):
        self.end_text()

    def handle_data(self, data):
        self.text += data

    def handle_comment(self, data):
        self.end_text()
        self.find(data)

    def end_text(self):
        self.find(self.text)
        self.text = ""

    def find(self, text):
        for match in URL.finditer(text):
            url = match[0].rstrip(".,;:!?*")
            while url.endswith(")") and url.count(")") > url.count("("):
                url = url[:-1].rstrip(".,;:!?*")
            self.urls.append((url, url))


def page(random):
    return "".join(random.choice((tag, text, comment))(random)
                   for _ in range(random.randrange(1, 12)))


def url(random):
    host = random.choice(("x.example", "TICKETS.example:8443", "d.pslot.io", "[::1]", "a.b.example"))
    path = "".join("/" + random.choice((
        "t", "a.pkpass", "b.PKPasses", "a%2Epkpass", "page.pkpass.html", "v1", "passes",
        "pass.com.example", "cQY2f", "p", "1234567", "pkpass", ".pkpass", "my(1)", "x~y", "z%20z"))
        for _ in range(random.randrange(0, 5)))
    if random.random() < 0.2:
        path += "/v1/passes/pass.com.example/0001"
    query = "&".join(random.choice(("a=1", "q=a.pkpass", "file=a.pkpass", "u=" + inner(random), "x"))
                     for _ in range(random.randrange(0, 3)))
    return (random.choice(("https://", "http://", "HTTPS://")) + host + path
            + ("?" + query if query else "") + random.choice(("", "", "#top", "#a.pkpass")))


def inner(random):
    return random.choice(("https%3A%2F%2Fx.example%2Fa.pkpass", "https%3A%2F%2Fx.example%2Fa",
                          "https%3A%2F%2Fd.pslot.io%2FcQY2f", "https://x.example/b.pkpass"))


def written(random, text):
    """The text with the characters that must be references, and some others, as references."""
    text = escape(text)
    for _ in range(random.randrange(0, 3)):
        letter = random.choice("/:.=?-")
        number = random.choice((f"&#{ord(letter)};", f"&#x{ord(letter):X};", f"&#x{ord(letter):x};"))
        text = text.replace(letter, number, 1) if "&#" not in text else text
    return text


def tag(random):
    value = url(random)
    if random.random() < 0.2:
        value = value[value.index(":") + 1:]
    if random.random() < 0.2:
        place = random.randrange(min(10, len(value) - 1), len(value))
        value = value[:place] + random.choice(("\n", "\t", "\r\n")) + value[place:]
    if random.random() < 0.2:
        value = f"location=({value})"
    value = random.choice(("", "", " ", "\n")) + value + random.choice(("", "", " "))
    quote = random.choice("\"'")
    space = random.choice(("", "", " "))
    name = random.choice(("href", "SRC", "data-url", "content"))
    other = random.choice(("", " class=x", " title=\"a.pkpass.html\"", " disabled"))
    return (f"<a{other} {name}{space}={space}{quote}{written(random, value)}{quote}>"
            + random.choice(("", "Ticket", "pkpass")) + random.choice(("</a>", "</A>\n", "")))


def text(random):
    before = random.choice(("See ", "(", "<", "\n", "here:\n", "\u00a0", "* "))
    after = {"(": ")", "<": ">"}.get(before, "") + random.choice((" .", ".", ", and\n", "\n", "!"))
    return f"<p>{written(random, before + url(random) + after)}</p>"


def comment(random):
    return f"<!-- {url(random)} -->"


def main():
    seed, count = map(int, sys.argv[1:])
    numbers = random.Random(seed)
    output = sys.stdout.buffer
    for _ in range(count):
        content = page(numbers)
        reader = Reader()
        reader.feed(content)
        reader.close()
        reader.end_text()
        data = content.encode()
        output.write(b"page %d\n" % len(data) + data + b"\n")
        seen = []
        for url_, full in reader.urls:
            if url_ not in seen and leads_to_pass(full):
                seen.append(url_)
                output.write(f"link {url_}\n".encode())


if __name__ == "__main__":
    main()
