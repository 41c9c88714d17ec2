"""Passes of all styles and all verdicts."""

import hashlib
import io
import json
import zipfile
from types import SimpleNamespace

from . import documents
from .archive import STORED, Archive, Entry, pack
from .documents import TEAM, TRAM
from .tree import identity

MORNING = "2024-05-07 09:00:00"
BOTH = ["extension", "content"]


def manifest(files, *, upper=False, **more):
    hashes = {name: hashlib.sha1(content).hexdigest() for name, content in files.items()}
    if upper:
        hashes = {name: hash.upper() for name, hash in hashes.items()}
    return json.dumps({**hashes, **more}, indent=1).encode() + b"\n"


def issued(authority, files, *, at=MORNING, certificate=None):
    """The pass that `passconduit sign` makes of the files, with the certificate that they name."""
    if certificate is None:
        document = json.loads(files["pass.json"])
        certificate = authority.issuer_of(
            document["passTypeIdentifier"], document["teamIdentifier"])
    return authority.issue(files, certificate, at)


def members(content):
    """The files of a pass, by name."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def irregular(authority, files, *, at=MORNING, listed=None, certificate=None, **signing):
    """The files with a manifest and a signature by openssl, as `passconduit sign` does not make
    them."""
    listed = listed or manifest(files)
    certificate = certificate or authority.issuer_of(TRAM, TEAM)
    signature = authority.sign(listed, certificate, at, **signing)
    return {**files, "manifest.json": listed, "signature": signature}


def record(name, content, verdict, reasons=(), notes=(), evidence=tuple(BOTH), **more):
    line = {"part": "", "name": name, "evidence": list(evidence), **identity(content),
            "verdict": verdict}
    if reasons:
        line["reasons"] = list(reasons)
    if notes:
        line["notes"] = list(notes)
    return {**line, **more}


def own(content, notes=("leading-bytes", "trailing-bytes")):
    """The bytes of a pass without those before its first header and after its last record."""
    if "leading-bytes" in notes:
        content = content[content.index(b"PK\3\4"):]
    if "trailing-bytes" in notes:
        content = content[:content.rindex(b"PK\5\6") + 22]
    return content


# The notes of the samples for which Wallet refuses a pass.
WALLET_REFUSES = {"json-comment", "missing-icon", "missing-key", "top-folder"}


class Shelf:
    """Puts passes into one folder of the tree, each with the expected record beside it."""

    def __init__(self, tree, folder):
        self.tree = tree
        self.folder = folder

    def put(self, name, content, verdict, reasons=(), notes=(), evidence=tuple(BOTH)):
        name += "" if "." in name else ".pkpass"
        expected = record(name, own(content, notes), verdict, reasons, notes, evidence)
        if verdict == "trusted":
            expected["walletRefuses"] = [note for note in notes if note in WALLET_REFUSES]
        self.tree.add(f"{self.folder}/{name}", content, [expected])
        return content


def make(tree, authority):
    """Makes all passes; returns those used in mails and mailboxes."""
    found = trusted(tree, authority)
    tolerated(tree, authority)
    untrusted(tree, authority)
    tampered(tree, authority)
    unsigned(tree)
    malformed(tree, authority)
    containers(tree, found)
    return found


def small(authority, remainder=1, serial="T1"):
    """A pass below 4 KB whose size leaves this remainder when divided by three.

    The remainder determines its padding in base64.
    """
    for attempt in range(50):
        more = {"userInfo": {"attempt": attempt}} if attempt else {}
        content = issued(authority, documents.tram(serial, **more))
        if len(content) % 3 == remainder:
            return content
    raise AssertionError("no pass has the remainder")


def trusted(tree, authority):
    shelf = Shelf(tree, "passes/trusted")
    found = SimpleNamespace()

    def put(name, files, notes=(), **signing):
        return shelf.put(name, issued(authority, files, **signing), "trusted", (), notes)

    def put_irregular(name, files, **signing):
        shelf.put(name, pack(irregular(authority, files, **signing)), "trusted")

    def put_plain(name, *rows):
        """A pass whose bytes contain lines that a mailbox would quote."""
        comment = b"/*\n" + b"\n".join(rows) + b"\n*/\n"
        files = {**documents.tram("From"), "en.lproj/pass.strings": comment + b'"Zone" = "Zone";\n'}
        content = pack(members(issued(authority, files)), method=STORED)
        return shelf.put(name, content, "trusted")

    found.gate4 = put("boarding-pass-air-gate-4", documents.flight("4"), at="2024-05-30 08:00:00")
    found.gate7 = put("boarding-pass-air-gate-7", documents.flight("7"), at="2024-06-01 11:40:00")
    found.train = put("boarding-pass-train", documents.train(), at="2024-07-01 10:00:00")
    found.film = put("event-ticket-cinema", documents.film(), at="2024-05-10 19:03:20")
    found.cafe = put("store-card-cafe", documents.cafe(), at="2023-11-20 07:30:00")
    found.coupon = put("coupon-shop", documents.coupon(), at="2024-04-02 12:00:00")
    found.gym = put("generic-gym", documents.gym(), at="2021-03-01 06:00:00")
    found.tram = shelf.put("generic-tram-small", small(authority, serial="T0"), "trusted")
    found.small = shelf.put("generic-tram-T1", small(authority), "trusted")
    found.whole = shelf.put(
        "generic-tram-T1-no-padding", small(authority, remainder=0), "trusted")
    found.from_lines = put_plain("with-from-lines", b"From the depot.")
    found.quoted_from_lines = put_plain(
        "with-quoted-from-lines", b"From the depot.", b">From the stop.", b">>From the end.")
    found.separator_lines = put_plain(
        "with-separator-lines", b"From ana@sender.example Tue May  7 10:00:00 2024",
        b"From: nobody")
    put("certificate-expired-since", documents.tram("T-expired"), ["certificate-expired-since"],
        at="2022-06-01 12:00:00",
        certificate=authority.issuer_of(TRAM, TEAM, start="2022-01-01 00:00:00", days=365))
    for digest in ("sha1", "sha256", "sha512"):
        put_irregular(f"digest-{digest}", documents.tram(f"T-{digest}"), digest=digest)
    put_irregular("signed-by-root-without-intermediate", documents.tram("T-root"),
        certificate=authority.issuer_of(TRAM, TEAM, issuer=authority.root))
    return found


def kept(root):
    """The existing passes that mails and mailboxes use."""
    def read(name):
        return (root / "passes" / name).read_bytes()

    files = {
        "gate4": "boarding-pass-air-gate-4", "gate7": "boarding-pass-air-gate-7",
        "train": "boarding-pass-train", "film": "event-ticket-cinema", "cafe": "store-card-cafe",
        "coupon": "coupon-shop", "gym": "generic-gym", "tram": "generic-tram-small",
        "small": "generic-tram-T1", "whole": "generic-tram-T1-no-padding",
        "from_lines": "with-from-lines", "quoted_from_lines": "with-quoted-from-lines",
        "separator_lines": "with-separator-lines"}
    found = SimpleNamespace(
        **{name: read(f"trusted/{file}.pkpass") for name, file in files.items()})
    for name, file in {"bundle": "journey.pkpasses", "zip": "download.zip"}.items():
        setattr(found, name, read(f"containers/{file}"))
        setattr(found, f"{name}_members", {
            path: content for path, content in members(read(f"containers/{file}")).items()
            if path.endswith(".pkpass")})
    found.office = read("containers/letter.docx")
    return found


def tolerated(tree, authority):
    shelf = Shelf(tree, "passes/tolerated")
    def files(serial, change=None):
        made = documents.tram(serial)
        if change:
            made["pass.json"] = change(made["pass.json"])
        return made

    def put(name, made, notes=(), **signing):
        shelf.put(name, pack(irregular(authority, made, **signing)), "trusted", (), notes)

    def put_repacked(name, serial, notes, archive):
        made = members(issued(authority, files(serial)))
        shelf.put(name, archive(made), "trusted", (), notes)

    put("json-trailing-comma", files("O1", lambda t: t[:-1] + b",\n}\n"), ["json-trailing-comma"])
    put("json-byte-order-mark", files("O2", lambda t: b"\xef\xbb\xbf" + t), ["json-bom"])
    put("json-utf16", files("O3", lambda t: t.decode().encode("utf-16")), ["json-utf16"])
    put("json-comment", files("O4", lambda t: b"// made by hand\n" + t), ["json-comment"])
    put("json-control-character",
        files("O5", lambda t: t.replace(b"Tram ticket", b"Tram\tticket\x01")),
        ["json-control-character"])
    put("json-integer-serial-number",
        files("O6", lambda t: t.replace(b'"O6"', b"1234567890123")),
        ["serial-number-not-string"])
    put("json-voided-as-text", files("O7", lambda t: t[:-1] + b', "voided": "true"}'),
        ["boolean-as-string"])
    put("json-number-as-text",
        files("O8", lambda t: t[:-1] + b', "maxDistance": "100"}'), ["number-as-string"])
    put("json-no-description",
        files("O9", lambda t: t.replace(b'"description": "Tram ticket", ', b"")), ["missing-key"])

    upper = files("M1")
    put("manifest-upper-case", upper, ["manifest-upper-case"], listed=manifest(upper, upper=True))
    itself = files("M2")
    put("manifest-lists-itself", itself, ["manifest-lists-itself"],
        listed=manifest(itself, **{"manifest.json": "0" * 40}))
    put("no-icon", {"pass.json": files("M3")["pass.json"]}, ["missing-icon"])
    wrong_case = files("M4")
    wrong_case["Icon.png"] = wrong_case.pop("icon.png")
    put("image-wrong-case", wrong_case, ["image-name-case", "missing-icon"])
    finder = {**files("M5"), "__MACOSX/._icon.png": b"\0\5\x16\7", ".DS_Store": b"\0\0\0\1Bud1"}
    put("finder-files-listed", finder)

    def foldered(made):
        return pack({f"Ticket/{name}": content for name, content in made.items()})

    put_repacked("zip-top-folder", "Z1", ["top-folder"], foldered)
    put_repacked("zip-bytes-before", "Z2", ["leading-bytes"],
        lambda made: Archive([Entry(*i) for i in made.items()], before=b"#!/bin/sh\n").bytes())
    put_repacked("zip-bytes-after", "Z3", ["trailing-bytes"],
        lambda made: pack(made) + b"\xb2\xc6\xab" * 40)
    put_repacked("zip-stored", "Z4", (), lambda made: pack(made, method=STORED))
    put_repacked("zip-data-descriptors", "Z5", (), lambda made: pack(made, descriptor=True))
    put_repacked("zip-version-45", "Z6", (), lambda made: pack(made, version=45))
    put_repacked("zip-directory-entries", "Z7", (), lambda made: Archive(
        [Entry("en.lproj/", b"", STORED, attributes=0o40755 << 16)]
        + [Entry(*item) for item in made.items()]).bytes())
    put_repacked("zip-comment", "Z8", (), lambda made: Archive(
        [Entry(*item) for item in made.items()], comment=b"packed by a gateway").bytes())

    put("signature-ber-indefinite-length", files("S1"), (), options=("-binary", "-stream"))
    put_repacked("signature-bytes-after", "S2", (), lambda made: pack(
        {**made, "signature": made["signature"] + b"\0\0\0\0\n"}))
    put("signature-attached", files("S3"), ["signature-attached"],
        options=("-binary", "-nodetach"))

    strings = '"Zone" = "Área";\n'
    for name, encoding in (("utf16-little-endian", "utf-16-le"), ("utf16-big-endian", "utf-16-be")):
        put(f"strings-{name}-without-mark",
            {**files(f"L-{encoding}"), "pt-BR.lproj/pass.strings": strings.encode(encoding)})
    put("strings-unescaped-quotes",
        {**files("L3"), "en.lproj/pass.strings": b'"Zone" = "The "inner" zone";\n'})


def untrusted(tree, authority):
    shelf = Shelf(tree, "passes/untrusted")

    def put(name, reasons, at=MORNING, options=("-binary",), **leaf):
        pass_type, team = leaf.pop("pass_type", TRAM), leaf.pop("team", TEAM)
        certificate = authority.issuer_of(pass_type, team, **leaf)
        made = irregular(authority, documents.tram(f"U-{name}"), at=at, options=options,
                         certificate=certificate)
        shelf.put(name, pack(made), "untrusted", reasons)

    put("other-authority", ["no-path-to-anchor"], issuer=authority.stranger)
    put("other-pass-type", ["pass-type-mismatch"], pass_type="pass.example.other")
    put("other-team", ["team-mismatch"], team="SAMPLE0002")
    put("no-signing-time", ["no-signing-time"], options=("-binary", "-noattr"))
    put("certificate-expired-when-signed", ["certificate-not-valid"],
        start="2021-01-01 00:00:00", days=365)
    put("certificate-not-yet-valid-when-signed", ["certificate-not-valid"],
        start="2024-06-01 00:00:00", days=365)
    put("no-pass-type-extension", ["pass-type-extension-missing"], extension=False)
    put("wrong-certificate-purpose", ["wrong-certificate-purpose"], purpose="emailProtection")


def tampered(tree, authority):
    shelf = Shelf(tree, "passes/tampered")

    def put(name, reasons, change, files=None):
        sealed = members(issued(authority, files or documents.tram(f"X-{name}")))
        change(sealed)
        shelf.put(name, pack(sealed), "tampered", reasons)

    def put_irregular(name, reasons, **signing):
        made = irregular(authority, documents.tram(f"X-{name}"), **signing)
        shelf.put(name, pack(made), "tampered", reasons)

    def change_seat(sealed):
        sealed["pass.json"] = sealed["pass.json"].replace(b'"value": 12', b'"value": 13')

    put("file-changed", ["file-differs"], change_seat, documents.film())
    put("listed-file-missing", ["file-missing"], lambda sealed: sealed.pop("icon.png"))
    put("extra-file", ["file-not-listed"],
        lambda sealed: sealed.update({"en.lproj/pass.strings": b'"Zone" = "Every zone";\n'}))
    put("signature-of-other-manifest", ["signature-mismatch"],
        lambda sealed: sealed.update({"manifest.json": sealed["manifest.json"] + b"\n"}))
    put_irregular("signature-over-line-ends", ["signature-line-ends"], options=())
    put_irregular("hash-wrong-in-manifest", ["file-differs"], listed=manifest(
        {**documents.tram("X-hash-wrong-in-manifest"), "icon.png": b"another"}))


def unsigned(tree):
    shelf = Shelf(tree, "passes/unsigned")
    gym = documents.gym()
    shelf.put("manifest-without-signature", pack({**gym, "manifest.json": manifest(gym)}),
              "unsigned", ["no-signature"])
    shelf.put("pass-json-only", pack({"pass.json": documents.tram("N2")["pass.json"]}),
              "unsigned", ["no-signature"])


def malformed(tree, authority):
    shelf = Shelf(tree, "passes/malformed")
    name_only = ["extension"]
    sealed = members(issued(authority, documents.tram("B1")))

    def put(name, content, reasons=(), evidence=tuple(BOTH)):
        shelf.put(name, content, "malformed", reasons, (), evidence)

    put("empty", b"", ["not-an-archive"], name_only)
    put("five-bytes", b"hello", ["not-an-archive"], name_only)
    put("web-page", b"<!DOCTYPE html>\n<html><head><title>Sign in</title></head>"
        b"<body>Please sign in to get your pass.</body></html>\n", ["not-an-archive"], name_only)
    put("no-pass-json", pack({"readme.txt": b"nothing here\n"}), ["pass-json-missing"], name_only)
    put("pass-json-broken", pack({**sealed, "pass.json": b'{"formatVersion": 1, "serial'}),
        ["pass-json-unreadable"])
    put("pass-json-is-a-list", pack({**sealed, "pass.json": b"[1, 2, 3]\n"}),
        ["pass-json-unreadable"])
    for key, name in (("serialNumber", "no-serial-number"), ("passTypeIdentifier", "no-pass-type")):
        made = documents.tram("B2")
        document = json.loads(made["pass.json"])
        del document[key]
        made["pass.json"] = documents.write(document)
        put(name, pack(irregular(authority, made)), ["pass-identity-missing"])
    put("manifest-broken", pack({**sealed, "manifest.json": b"{"}), ["manifest-unreadable"])
    put("manifest-missing", pack({n: c for n, c in sealed.items() if n != "manifest.json"}),
        ["manifest-missing"])
    put("signature-empty", pack({**sealed, "signature": b""}), ["signature-unreadable"])
    put("signature-is-text", pack({**sealed, "signature": b"signed, Ana\n"}),
        ["signature-unreadable"])


def containers(tree, found):
    """Archives that hold passes, and archives without passes."""
    def member(path, content):
        return {"part": f"!{path}", "name": path.split("/")[-1], **identity(content),
                "verdict": "trusted"}

    def put(name, members, others=()):
        files = {**dict(others), **members}
        tree.add(f"passes/containers/{name}", pack(files, method=STORED),
                 [member(path, content) for path, content in members.items()])
        return pack(files, method=STORED)

    found.bundle_members = {
        "outbound.pkpass": found.gate4, "return.pkpass": found.train, "cinema.pkpass": found.film}
    found.bundle = put("journey.pkpasses", found.bundle_members)
    found.zip_members = {"tickets/tram.pkpass": found.tram, "tickets/2024/gym.pkpass": found.gym}
    found.zip = put("download.zip", found.zip_members, {"readme.txt": b"Your tickets\n"}.items())
    found.office = pack({
        "[Content_Types].xml": b'<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats'
        b'.org/package/2006/content-types"/>',
        "word/document.xml": b"<w:document/>"})
    none = {
        "letter.docx": found.office,
        "program.jar": pack({"META-INF/MANIFEST.MF": b"Manifest-Version: 1.0\n\n",
                             "Main.class": b"\xca\xfe\xba\xbe\0\0\0A"}),
        "photos.zip": pack({"a/pass.jpg": b"\xff\xd8\xff\xe0", "a/passes.json": b"{}"}),
        "empty.zip": pack({})}
    for name, content in none.items():
        tree.add(f"passes/containers/{name}", content, [])
