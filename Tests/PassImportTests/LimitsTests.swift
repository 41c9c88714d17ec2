import Archives
import Compression
import Foundation
import MIME
import PassContainers
import PassLinks
import Testing

@testable import PassImport

/// Limits, an input that exceeds them once they are lowered, and the code of the record.
private struct Row: Sendable, CustomStringConvertible {
    let limits: [String]
    let file: String
    let code: String
    let lower: @Sendable (inout ImportOptions) -> Void

    init(
        _ limits: String, _ file: String, _ code: String,
        _ lower: @escaping @Sendable (inout ImportOptions) -> Void
    ) {
        self.limits = limits.split(separator: " ").map(String.init)
        self.file = file
        self.code = code
        self.lower = lower
    }

    var description: String { limits.joined(separator: " ") + ", " + file }
}

private let rows = [
    Row("containers.members", "nine.zip.eml", "limit-members") { $0.containers.members = 3 },
    Row("containers.members", "nine.jsonl.eml", "limit-members") { $0.containers.members = 3 },
    Row("containers.members", "nine.webarchive.eml", "limit-members") {
        $0.containers.members = 3
    },
    Row("containers.members", "nine.ics.eml", "limit-members") { $0.containers.members = 3 },
    Row("containers.entries", "nine.zip.eml", "limit-entries") { $0.containers.entries = 3 },
    Row("containers.total containers.ratio", "bomb.zip", "limit-inflated") {
        ($0.containers.total, $0.containers.ratio) = (3, 1)
    },
    Row("containers.verifiedRatio", "nine.zip", "limit-inflated") {
        ($0.containers.total, $0.containers.ratio, $0.containers.verifiedRatio) = (3, 1, 0)
    },
    Row("containers.depth", "deep.zip", "limit-depth") { $0.containers.depth = 3 },
    Row("containers.sourceEntries", "nine.zip", "limit-archive") {
        $0.containers.sourceEntries = 3
    },
    Row("containers.sourceDirectory", "nine.zip", "limit-archive") {
        $0.containers.sourceDirectory = 3
    },
    Row("containers.unpackedPasses", "folder.tar", "limit-inflated") {
        $0.containers.unpackedPasses = 3000
    },
    Row("zip.archive", "nine.zip", "limit-archive") { $0.containers.archive.archive = 3 },
    Row("zip.entries", "zips.zip", "limit-archive") { $0.containers.archive.entries = 3 },
    Row("zip.directory", "zips.zip", "limit-archive") { $0.containers.archive.directory = 3 },
    Row("zip.ratio zip.ratioFloor", "bomb.zip", "unreadable") {
        ($0.containers.archive.ratio, $0.containers.archive.ratioFloor) = (3, 3)
    },
    Row("zip.trailing", "trailing.zip", "damaged-archive") { $0.containers.archive.trailing = 3 },
    Row("message.seconds message.secondsPerMiB", "passes.eml", "limit-time") {
        ($0.message.seconds, $0.message.secondsPerMiB) = (0, 0)
    },
    Row("message.bytes message.ratio", "passes.eml", "limit-work") {
        ($0.message.bytes, $0.message.ratio) = (3, 0)
    },
    Row("message.reports", "passes.eml", "limit-reports") { $0.message.reports = 3 },
    Row("message.listed", "malformed.eml", "more-malformed") { $0.message.listed = 3 },
    Row("message.pieces", "pieces.eml", "limit-pieces") { $0.message.pieces = 3 },
    Row("message.decompressionMemory", "box.xz.eml", "damaged-compression") {
        $0.message.decompressionMemory = 3
    },
    Row("message.messages", "box.mbox.eml", "limit-messages") { $0.message.messages = 3 },
    Row("message.entries", "nine.zip.eml", "limit-archive") { $0.message.entries = 3 },
    Row("mime.depth", "nested.eml", "limit-depth") { $0.mime.depth = 3 },
    Row("mime.parts", "passes.eml", "limit-parts") { $0.mime.parts = 3 },
    Row("mime.headerBlock", "passes.eml", "limit-header") { $0.mime.headerBlock = 30 },
    Row("mime.repeatedFields", "fields.eml", "limit-header") { $0.mime.repeatedFields = 3 },
    Row("mime.parameters", "parameters.eml", "limit-header") { $0.mime.parameters = 3 },
    Row("mime.partBody", "passes.eml", "limit-part-size") { $0.mime.partBody = 3 },
    Row("compression.memory", "box.xz", "damaged-compression") { $0.compression.memory = 3 },
    Row("compression.ratio compression.ratioFloor", "box.gz", "damaged-compression") {
        ($0.compression.ratio, $0.compression.ratioFloor) = (3, 3)
    },
    Row("compression.total", "box.gz", "damaged-compression") { $0.compression.total = 3000 },
    Row("archives.attributes", "long.tar", "damaged-archive") { $0.archives.attributes = 3 },
    Row("archives.memory", "7z.eml", "limit-archive") { $0.archives.memory = 3 },
    Row("archives.entries", "7z.eml", "limit-archive") { $0.archives.entries = 0 },
    Row("archives.directory", "7z.eml", "limit-archive") { $0.archives.directory = 3 },
    Row("archives.ratio archives.ratioFloor", "7z.eml", "limit-archive") {
        ($0.archives.ratio, $0.archives.ratioFloor) = (0, 3)
    },
    Row("archives.total", "7z.eml", "limit-archive") { $0.archives.total = 3 },
    Row("links.links", "links.eml", "limit-links") { $0.links?.links = 3 },
    Row("links.url", "links.eml", "limit-link-size") { $0.links?.url = 30 },
    Row("links.data", "links.eml", "limit-link-size") {
        $0.links?.data = 3
    },
]

/// Limits without a row, because they end no work here.
private let others = [
    // Applies to standard input only.
    "containers.standardInput",
    // PDF files that nobody named.
    "containers.document",
    // Set by the budget of the message or file.
    "zip.entry", "zip.total",
    // Counted by the verifier, which refuses the pass.
    "zip.hidden",
    // The stored beginning of a URL, and URLs in fetched pages.
    "links.dataHead", "links.bases",
]

@Suite("Every limit that ends work makes a record that names it")
struct LimitsTests {
    @Test("each limit, lowered, for which the folder is made once")
    func lowered() async throws {
        let tree = try LimitsTests.tree()
        defer { tree.remove() }
        var options = try MailTree.options()
        options.links = LinkLimits()
        let all = try await tree.run(options).lines
        for row in rows {
            #expect(
                !all.contains { $0.hasPrefix("\(row.file) ") && $0.hasSuffix(" \(row.code)") },
                "\(row)")
            var lowered = options
            row.lower(&lowered)
            let lines = try await tree.run(lowered, [row.file]).lines
            #expect(lines.contains { $0.hasSuffix(" \(row.code)") }, "\(row): \(lines)")
        }
    }

    @Test("no limit is without a row")
    func complete() {
        let options = ImportOptions()
        let structs: [(String, Any)] = [
            ("containers", options.containers), ("zip", options.containers.archive),
            ("message", options.message), ("mime", options.mime),
            ("compression", options.compression), ("archives", options.archives),
            ("links", LinkLimits()),
        ]
        let names = structs.flatMap { name, limits in
            Mirror(reflecting: limits).children.compactMap { $0.label }.map { "\(name).\($0)" }
        }
        let covered = rows.flatMap(\.limits) + others + ["containers.archive"]
        #expect(Set(names) == Set(covered))
    }

    @Test("a file outside of mail may contain any number of members")
    func files() async throws {
        let tree = try LimitsTests.tree()
        defer { tree.remove() }
        var options = try MailTree.options()
        options.containers.members = 3
        options.containers.entries = 3
        options.message.reports = 3
        for file in ["nine.zip", "nine.jsonl", "nine.jsonl.gz", "nine.webarchive", "nine.ics"] {
            let lines = try await tree.run(options, [file]).lines
            #expect(
                lines.count == 9 && lines.allSatisfy { $0.hasSuffix("trusted") }, "\(lines)")
        }
    }

    /// A folder with inputs of nine passes or mails each.
    private static func tree() throws -> MailTree {
        let tree = try MailTree()
        try tree.write(try MailTree.sample("trusted/generic-gym"), to: "p")
        try tree.write(
            try Data(
                contentsOf: MailTree.package
                    .appendingPathComponent("Samples/mail/archive-7z.eml")), to: "7z.eml")
        try tree.write(script, to: "make.py")
        try tree.shell("python3 make.py; rm make.py p")
        return tree
    }

    private static let script = #"""
        import base64, gzip, io, json, lzma, plistlib, tarfile, zipfile

        p = open("p", "rb").read()
        text = base64.b64encode(p).decode()

        def put(name, content):
            open(name, "wb").write(content if isinstance(content, bytes) else content.encode())

        def z(members):
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
                for name, data in members.items(): file.writestr(name, data)
            return out.getvalue()

        def mail(parts, type="multipart/mixed"):
            body = "".join(f"--b\n{part}\n" for part in parts)
            return f"From: a@example.com\nContent-Type: {type}; boundary=b\n\n{body}--b--\n"

        def attached(content, name, type="application/octet-stream"):
            return (f'Content-Type: {type}; name="{name}"\nContent-Transfer-Encoding: base64\n\n'
                    + base64.encodebytes(content).decode())

        nine = {
            "nine.zip": z({f"{i}.pkpass": p for i in range(9)}),
            "nine.jsonl": "".join(
                json.dumps({"name": f"{i}.pkpass", "data": text}) + "\n" for i in range(9)).encode(),
            "nine.webarchive": plistlib.dumps(
                [{"WebResourceURL": f"http://a/{i}.pkpass", "WebResourceData": p + bytes([i])}
                 for i in range(9)], fmt=plistlib.FMT_BINARY),
            "nine.ics": ("BEGIN:VCALENDAR\n" + "".join(
                f"ATTACH;ENCODING=BASE64;FILENAME={i}.pkpass:{text}\n" for i in range(9))
                + "END:VCALENDAR\n").encode(),
        }
        for name, content in nine.items():
            put(name, content)
            put(name + ".eml", mail([attached(content, name)]))
        put("nine.jsonl.gz", gzip.compress(nine["nine.jsonl"]))
        put("trailing.zip", nine["nine.zip"] + bytes(70000))
        put("zips.zip", z({f"{i}.zip": nine["nine.zip"] for i in range(3)}))
        put("bomb.zip", z({f"{i}.pkpass": b"x" * 100000 for i in range(9)}))
        deep = nine["nine.zip"]
        for i in range(3): deep = z({f"{i}.zip": deep})
        put("deep.zip", deep)
        put("passes.eml", mail([attached(p, f"{i}.pkpass") for i in range(9)]))
        put("malformed.eml", mail([attached(b"x" * 100, f"{i}.pkpass") for i in range(9)]))
        put("pieces.eml", mail(
            [f"Content-Type: message/partial; id={i}; number=1; total=2\n\nx\n" for i in range(9)]))
        box = "".join(f"From a@b Tue May  7 10:00:00 2024\nSubject: {i}\n\nx\n\n" for i in range(9))
        put("box.mbox.eml", mail([attached(box.encode(), "box.mbox")]))
        put("box.xz.eml", mail([attached(lzma.compress(box.encode()), "box.mbox.xz")]))
        put("box.xz", lzma.compress(box.encode()))
        put("box.gz", gzip.compress((box * 99).encode()))
        nested = "Subject: x\n\nx\n"
        for i in range(9): nested = f"Subject: {i}\nContent-Type: message/rfc822\n\n" + nested
        put("nested.eml", nested)
        put("fields.eml", "Subject: x\n" + "Content-Type: text/plain\n" * 20 + "\nx\n")
        put("parameters.eml", "Subject: x\nContent-Type: text/plain"
            + "".join(f"; a{i}=b" for i in range(9)) + "\n\nx\n")
        with tarfile.open("long.tar", "w", format=tarfile.GNU_FORMAT) as file:
            info = tarfile.TarInfo("a" * 120 + ".pkpass")
            info.size = len(p)
            file.addfile(info, io.BytesIO(p))
        with tarfile.open("folder.tar", "w") as file:
            with zipfile.ZipFile(io.BytesIO(p)) as z:
                for name in sorted(z.namelist(), key=lambda name: name != "pass.json"):
                    info = tarfile.TarInfo("t.pkpass/" + name)
                    info.size = len(z.read(name))
                    file.addfile(info, io.BytesIO(z.read(name)))
        put("links.eml", "Subject: x\nContent-Type: text/html\n\n" + "".join(
            f'<a href="https://tickets.example/passes/of/a/long/path/{i}.pkpass">x</a>\n'
            f'<a href="data:application/vnd.apple.pkpass;base64,{text}">x</a>\n'
            for i in range(9)))
        """#
}
