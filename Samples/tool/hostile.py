"""Hostile passes and mails. Each is small; the tests make the large ones."""

import struct

from . import documents, marks
from .archive import STORED, SYMBOLIC_LINK, Archive, Entry, directory, local_header, pack
from .messages import TEXT, Post, envelope, found, lines, mixed, multipart, part
from .passes import irregular, issued, members, record
from .tree import identity

MIB = 1 << 20
TICKET = b'Content-Type: application/vnd.apple.pkpass; name="ticket.pkpass"\n'
ALL = "extension mime content"


def make(tree, authority, passes):
    sealed = members(issued(authority, documents.tram("H1")))
    archives(tree, sealed)
    documents_that_are_deep(tree, authority, sealed)
    mails(Post(tree, "hostile"), passes)
    marks.make(tree, Post(tree, "hostile"))


def archives(tree, sealed):
    entries = [Entry(name, content) for name, content in sealed.items()]

    def put(name, content, *reasons, verdict="malformed"):
        line = {"part": "", "name": f"{name}.pkpass", **identity(content)}
        if verdict:
            line["verdict"] = verdict
        if reasons:
            line["reasons"] = list(reasons)
        tree.add(f"hostile/{name}.pkpass", content, [line])

    def with_entry(name, entry, *reasons, **more):
        put(name, Archive([*entries, entry]).bytes(), *reasons, **more)

    bomb = bytes(40 * MIB)
    with_entry("zip-bomb", Entry("strip.png", bomb), "archive-ratio-too-high")
    with_entry("zip-bomb-that-claims-to-be-small", Entry("strip.png", bomb, claimed_size=100))
    put("zip-bomb-overlapping", overlapping(sealed, 40))
    put("zip-too-many-entries", pack(dict.fromkeys(map(str, range(1001)), b""), method=STORED),
        "archive-too-many-entries")

    mark = b"passconduit was here\n"
    for name, path in {
            "zip-parent-folder": "../../passconduit-was-here",
            "zip-parent-folder-within": "en.lproj/../../../passconduit-was-here",
            "zip-absolute-path": "/tmp/passconduit-was-here",
            "zip-backslashes": "..\\..\\passconduit-was-here",
            "zip-drive-letter": "C:\\passconduit-was-here"}.items():
        with_entry(name, Entry(path, mark), "archive-unsafe-name")
    # Libraries that end names at a NUL see one name, others see another.
    with_entry("zip-nul-in-name", Entry(b"icon.png\0.txt", mark))
    with_entry("zip-symbolic-link",
               Entry("logo.png", b"/etc/passwd", STORED, attributes=SYMBOLIC_LINK),
               "archive-symbolic-link")
    put("zip-file-behind-symbolic-link", Archive([
        *entries, Entry("link", b"/tmp", STORED, attributes=SYMBOLIC_LINK),
        Entry("link/passconduit-was-here", mark)]).bytes(), "archive-symbolic-link")
    with_entry("zip-duplicate-entry", Entry("pass.json", b"{}"), "archive-duplicate-name")
    with_entry("zip-other-name-in-directory", Entry("a.png", mark, claimed_name=b"b.png"),
               "archive-name-differs")
    # The directory is as signed; a reader of the local entries finds no icon.
    put("zip-other-name-before-entry", Archive([
        Entry("a.png", entry.content, claimed_name=b"icon.png") if entry.name == "icon.png"
        else entry for entry in entries]).bytes(), "archive-name-differs")
    with_entry("zip-encrypted-entry", Entry("logo.png", mark, flags=1), "archive-encrypted")

    whole = pack(sealed)
    put("zip-truncated", whole[:len(whole) // 2])
    put("zip-truncated-directory", whole[:-40])
    count = whole.rindex(b"PK\5\6") + 8
    put("zip-directory-claims-too-much",
        whole[:count] + struct.pack("<HHI", 0xFFFE, 0xFFFE, 0x7FFFFFFF) + whole[count + 8:])
    damaged = bytearray(whole)
    damaged[45] ^= 0xFF
    put("zip-damaged-entry", bytes(damaged))


def overlapping(sealed, count):
    """Entries that all hold the same megabyte, each quoting the header of the next.

    David Fifield, A better zip bomb (2019): a stored block of DEFLATE holds the header.
    """
    chain = [Entry(f"{count}.png", bytes(MIB))]
    for number in range(count - 1, 0, -1):
        following = chain[0]
        header = local_header(following)
        block = struct.pack("<BHH", 0, len(header), len(header) ^ 0xFFFF) + header
        chain.insert(0, Entry(
            f"{number}.png", header + following.content, raw=block + following.packed))
    out, places = bytearray(), []
    entries = [Entry(name, content) for name, content in sealed.items()]
    for entry in entries:
        places.append(len(out))
        out += local_header(entry) + entry.packed
    place = len(out)
    out += local_header(chain[0]) + chain[0].packed
    for entry in chain:
        places.append(place)
        place += len(local_header(entry)) + 5
    return bytes(out) + directory(entries + chain, places, len(out))


def documents_that_are_deep(tree, authority, sealed):
    text = sealed["pass.json"]
    for name, content in {
            "json-deep-and-unclosed": b'{"a":' * 100_000,
            "json-deep-lists": b"[" * 100_000 + b"]" * 100_000}.items():
        archive = pack({**sealed, "pass.json": content})
        tree.add(f"hostile/{name}.pkpass", archive,
                 [record(f"{name}.pkpass", archive, "malformed", ["pass-json-unreadable"])])
    # A pass with deep nesting in an ignored key: refused or not, it is one record.
    made = {**documents.tram("H1"), "pass.json": text[:-1] + b', "userInfo": '
            + b"[" * 50_000 + b"]" * 50_000 + b"}"}
    archive = pack(irregular(authority, made))
    line = record("json-deep-user-info.pkpass", archive, "trusted")
    del line["verdict"]
    tree.add("hostile/json-deep-user-info.pkpass", archive, [line])


def mails(post, passes):
    small = passes.small
    ticket = part(TICKET, small)
    octets = b"Content-Type: application/octet-stream\n"

    def put(slug, message, *records):
        post.put(slug, message, *records)

    def here(number="2", name="ticket.pkpass", evidence=ALL):
        return found(number, small, name, evidence)

    name = b"t" * 1990 + b"i.pkpass"
    sections = [b"\n filename*%d=%c" % (i, c) for i, c in enumerate(name)]
    for slug, order in (("mail-2000-continuations", 1), ("mail-2000-continuations-reversed", -1)):
        put(slug, mixed(slug, part(
            octets + b"Content-Disposition: attachment;" + b";".join(sections[::order]) + b"\n",
            small)), here(name=None, evidence=None))
    slug = "mail-header-folded-2000-times"
    put(slug, mixed(slug, b"X-Long: a" + b"\n  folded on and on" * 2000 + b"\n" + ticket), here())
    slug = "mail-5000-header-fields"
    put(slug, mixed(slug, b"".join(b"X-%d: y\n" % i for i in range(5000)) + ticket), here())
    slug = "mail-open-parentheses"
    put(slug, mixed(slug, b"Content-Disposition: attachment " + b"(" * 20_000 + b"\n" + ticket),
        here())
    slug = "mail-unclosed-quotes"
    put(slug, mixed(slug, b"Content-Disposition: attachment" + b'; a="' * 5000 + b"\n" + ticket),
        here())
    slug = "mail-encoded-words"
    put(slug, mixed(slug, b'Content-Disposition: attachment; filename="'
                    + b"=?utf-8?q?a?= " * 2000 + b"=?utf-8?q?" * 500 + b'"\n' + ticket),
        here(name=None))
    slug = "mail-terminal-escapes-in-name"
    put(slug, mixed(slug, part(
        octets + b"Content-Disposition: attachment;\n"
        b" filename*=UTF-8''tram%1B%5B31m%E2%80%AEticket%07.pkpass\n", small)),
        here(name="tram\x1b[31m\u202eticket\x07.pkpass", evidence="extension content"))

    slug = "mail-5000-empty-parts"
    put(slug, envelope(slug, b'Content-Type: multipart/mixed; boundary="s"\n\n')
        + multipart(*[b"\n"] * 5000, ticket, boundary=b"s"), here("5001"))
    slug = "mail-boundaries-that-never-occur"
    put(slug, mixed(slug, b"".join(
        b'Content-Type: multipart/mixed; boundary="never%d"\n' % i for i in range(15))
        + b"\nnothing\n" + b"--neve\n--never\n--never99\n" * 1000, ticket),
        found("3", small, "ticket.pkpass", ALL))
    slug = "mail-boundaries-prefixes-of-one-another"
    content = ticket
    for depth in range(60, 0, -1):
        content = (b'Content-Type: multipart/mixed; boundary="' + b"a" * depth + b'"\n\n'
                   + multipart(content, boundary=b"a" * depth))
    put(slug, envelope(slug) + content, here(".".join(["1"] * 60)))

    # Deeper than any real mail: parts below the limit are not searched, and this is reported.
    slug = "mail-nested-1000"
    content = ticket
    for depth in range(1000, 0, -1):
        name = b"%d" % depth
        content = (b"Content-Type: multipart/mixed; boundary=b" + name + b"\n\n--b" + name + b"\n"
                   + content)
    post.problem(slug, envelope(slug) + content, {"record": "problem", "code": "limit-depth"})
    slug = "mail-rfc822-nested-1500"
    content = envelope("inner", ticket)
    for _ in range(1500):
        content = b"Content-Type: message/rfc822\n\n" + content
    post.problem(slug, envelope(slug) + content, {"record": "problem", "code": "limit-depth"})
    slug = "mail-base64-without-end"
    put(slug, mixed(slug, TICKET + b"Content-Transfer-Encoding: base64\n\n" + lines(small)
                    + b"A" * 60_000 + b"\n"),
        found("2", None, "ticket.pkpass", ALL))
    slug = "mail-text-only-delimiters"
    put(slug, envelope(slug, b'Content-Type: multipart/mixed; boundary="s"\n\n')
        + multipart(TEXT, boundary=b"s", close=False) + b"--s--\n" * 5000)
