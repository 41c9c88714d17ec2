"""Passes with every verdict, and mail with some of them."""

import base64, hashlib, json, os, plistlib, time, zipfile

TYPE, TEAM = "pass.example.test", "TEAM123456"


def contents(**changes):
    field = lambda key, label, value: dict(key=key, label=label, value=value)
    content = dict(formatVersion=1, passTypeIdentifier=TYPE, serialNumber="0001",
        teamIdentifier=TEAM, organizationName="Example Air", description="Flight to Porto",
        relevantDate="2030-05-01T10:00:00Z", boardingPass=dict(
            transitType="PKTransitTypeAir",
            headerFields=[field("gate", "Gate", "23")],
            primaryFields=[field("from", "Lisbon", "LIS"), field("to", "Porto", "OPO")],
            auxiliaryFields=[field("seat", "Seat", "12A")],
            backFields=[field("terms", "Terms", "Be there early.\nBring the dog.")]),
        barcodes=[dict(format="PKBarcodeFormatQR", message="M1LOVELACE/ADA",
            messageEncoding="iso-8859-1", altText="ABC123")])
    content.update(changes)
    return json.dumps(content).encode()


def message(index, attachment=None):
    head = ("From ada@example.org Wed May  1 10:0%d:00 2024\n"
        "From: Ada <ada@example.org>\nMessage-ID: <%d@example.org>\n"
        "Date: Wed, 1 May 2024 10:0%d:00 +0000\nSubject: Trip %d\nMIME-Version: 1.0\n"
        % (index, index, index, index))
    if attachment is None:
        return (head + "\nHello.\n\n").encode()
    name, octets = attachment
    return (head + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHere it is.\n--b\n"
        "Content-Type: application/vnd.apple.pkpass; name=" + name + "\n"
        "Content-Transfer-Encoding: base64\n\n"
        + base64.encodebytes(octets).decode() + "--b--\n\n").encode()


def make(folder, sign, archive, manifest):
    """Writes the files into a new folder; returns the size and SHA-256 of each."""
    os.mkdir(folder)
    facts = {}
    now = time.time()

    def note(name, octets):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(octets)
        facts[name] = dict(sha256=hashlib.sha256(octets).hexdigest(), size=len(octets))
        return octets

    def packed(files, level=None):
        return archive(files, zipfile.ZIP_DEFLATED, level)

    def make(name, signer=None, change=None, strings=None, seconds=0, **changes):
        files = {"pass.json": contents(**changes), "icon.png": b"no picture"}
        if strings:
            files["de.lproj/pass.strings"] = strings.encode()
            files["en.lproj/pass.strings"] = b'"Gate" = "Gate";\n'
        if signer:
            files["manifest.json"] = manifest(files).encode()
            files["signature"] = sign(files["manifest.json"], signer, now + seconds)
        if change:
            files["icon.png"] = change
        return note(name, packed(files))

    trusted = make("trusted.pkpass", "one", strings='"Gate" = "Flugsteig";\n')
    make("newer.pkpass", "one", seconds=1, description="Flight to Porto, delayed")
    make("moved.pkpass", "one", seconds=5, boardingPass=dict(
        transitType="PKTransitTypeAir",
        headerFields=[dict(key="gate", label="Gate", value="7",
            changeMessage="Gate changed to %@")],
        primaryFields=[dict(key="from", label="Lisbon", value="LIS"),
            dict(key="to", label="Porto", value="OPO")],
        auxiliaryFields=[dict(key="seat", label="Seat", value="3C")]))
    make("untrusted.pkpass", "two")
    make("tampered.pkpass", "one", change=b"another picture")
    unsigned = make("unsigned.pkpass", serialNumber="0002")
    make("steering.pkpass", serialNumber="0003",
        organizationName="\x1b[31mred\u202e\x9b", description="two\nlines")
    pose = "  Verdict   trusted: as its issuer signed it"
    make("posing.pkpass", serialNumber="0004", organizationName=pose, logoText="\n" + pose,
        description="x" * 96 + pose + "y" * 76 + pose + "\u2705" * 60 + pose)
    make("marked.pkpass", serialNumber="0005",
        organizationName="<b>trusted</b> &amp; \\074i\\076\n")
    note("html.pkpass", b"<!DOCTYPE html><html><body>Not found</body></html>\n")
    note("empty.pkpass", b"")
    note("five.pkpass", b"PK\x03\x04\n")
    note("climbing.pkpass", packed({"pass.json": contents(), "../climbed.txt": b"out"}))
    note("bomb.pkpass", packed({"pass.json": contents(), "icon.png": bytes(300 << 20)}, level=1))
    note("bundle.pkpasses", packed({"a.pkpass": trusted, "b.pkpass": unsigned}))

    mails = [message(0), message(1, ("unsigned.pkpass", unsigned)),
        message(2, ("trusted.pkpass", trusted))]
    note("mail.mbox", b"".join(mails))
    facts["second message"] = dict(sha256="", size=len(mails[0]))
    note("no-passes.mbox", mails[0] + mails[0])
    note("truncated.mbox", b"".join(mails)[:len(b"".join(mails)) - 2000])
    os.mkdir(os.path.join(folder, "nothing"))
    with open(os.path.join(folder, "types.plist"), "wb") as file:
        plistlib.dump(dict(UTExportedTypeDeclarations=[dict(UTTypeIdentifier="org.example.pass",
            UTTypeConformsTo=["com.apple.pkpass"],
            UTTypeTagSpecification={"public.filename-extension": ["voucher"]})]), file)
    note("html.voucher", b"<!DOCTYPE html><html><body>Not found</body></html>\n")
    return facts
