import Bytes
import MIME
import MailContainers
import Testing

@Suite("Attachments are extracted from a winmail.dat")
struct TNEFTests {
    /// Streams written from the specification by a Python program. The program tnef unpacks them.
    @Test(arguments: samples)
    func sample(_ sample: (name: String, expected: [Expected])) throws {
        var found: [Expected] = []
        var waiting = [SpooledBytes(try MailSample.part(sample.name))]
        while let octets = waiting.popLast() {
            let message = try TNEFMessage(octets)
            #expect(message.problems.isEmpty)
            for attachment in message.attachments {
                found.append(try Expected(attachment))
                if attachment.header.mediaTypes == ["application/ms-tnef"] {
                    waiting.append(attachment.body)
                }
            }
        }
        #expect(found == sample.expected)
    }

    static let samples: [(name: String, expected: [Expected])] = [
        (
            "tnef",
            [Expected(["ticket.pkpass", "TICKET~1.PKP"], "application/vnd.apple.pkpass", .small)]
        ),
        ("tnef-as-octet-stream", [Expected(["ticket.pkpass"], nil, .small)]),
        ("tnef-without-properties", [Expected(["ticket.pkpass"], nil, .small)]),
        ("tnef-wrong-checksums", [Expected(["ticket.pkpass"], nil, .small)]),
        (
            "tnef-data-in-properties",
            [Expected(["ticket.pkpass", "TICKET~1.PKP"], nil, .small)]
        ),
        ("tnef-name-cyrillic", [Expected(["билет.pkpass", "TICKET~1.PKP"], nil, .small)]),
        ("tnef-name-cyrillic-in-code-page", [Expected(["билет.pkpass"], nil, .small)]),
        ("tnef-name-japanese", [Expected(["予約表.pkpass", "TICKET~1.PKP"], nil, .small)]),
        ("tnef-name-japanese-in-code-page", [Expected(["予約表.pkpass"], nil, .small)]),
        (
            "tnef-two-passes-and-picture",
            [
                Expected(["outbound.pkpass"], nil, .small), Expected(["photo.png"], nil, nil),
                Expected(["return.pkpass"], nil, .tram),
            ]
        ),
        (
            "tnef-message",
            [
                Expected(["Fwd: your ticket 1/2"], "application/ms-tnef", nil),
                Expected(["ticket.pkpass"], nil, .small),
            ]
        ),
        (
            "tnef-message-without-name",
            [
                Expected([], "application/ms-tnef", nil),
                Expected(["ticket.pkpass"], nil, .small),
            ]
        ),
        (
            "tnef-message-in-message",
            [
                Expected(["outer"], "application/ms-tnef", nil),
                Expected(
                    ["ticket.pkpass", "TICKET~1.PKP"], "application/vnd.apple.pkpass", .small),
                Expected(["Fwd: your ticket 1/2"], "application/ms-tnef", nil),
                Expected(["ticket.pkpass"], nil, .small),
            ]
        ),
        ("none-tnef-document", [Expected(["letter.docx"], nil, nil)]),
        ("none-tnef-text-only", []),
    ]

    @Test func truncatedStreamGivesWhatIsWhole() throws {
        let message = try TNEFMessage(SpooledBytes(try MailSample.part("tnef-truncated")))
        let names = ["ticket.pkpass", "TICKET~1.PKP"]
        #expect(
            try message.attachments.map(Expected.init)
                == [Expected(names, "application/vnd.apple.pkpass", .small)])
        #expect(message.problems.map(\.code) == ["truncated"])
        #expect(message.problems.first == .attachmentTruncated(name: "return.pkpass"))
    }

    @Test func everyBeginningOfAStreamGivesWhatIsWhole() throws {
        let stream = try MailSample.part("tnef-two-passes-and-picture")
        let whole = try TNEFMessage(SpooledBytes(stream)).attachments.map { try $0.body.array() }
        let edges = edges(stream)
        #expect(edges.last == stream.count)
        for count in 6...stream.count {
            let message = try TNEFMessage(SpooledBytes(Array(stream[..<count])))
            // A stream that ends after a title contains no data yet.
            let bodies = try message.attachments.map { try $0.body.array() }
                .filter { !$0.isEmpty }
            let isPrefix = bodies == Array(whole.prefix(bodies.count))
            #expect(isPrefix, "\(count) bytes")
            // The last two bytes are a checksum, which is not needed.
            let isAtEdge = edges.contains { count <= $0 && count >= $0 - 2 }
            #expect(message.problems.isEmpty == isAtEdge, "\(count) bytes")
        }
    }

    @Test func fileIsReadAsMemoryIs() throws {
        for (name, _) in TNEFTests.samples {
            let stream = try MailSample.part(name)
            var writer = OctetsWriter(SpoolPolicy(memory: 0, directories: ["/tmp"]))
            try writer.append(stream)
            let inFile = try TNEFMessage(try writer.finish()).attachments.map(Expected.init)
            let inMemory = try TNEFMessage(SpooledBytes(stream)).attachments.map(Expected.init)
            #expect(inFile == inMemory)
        }
    }

    @Test(arguments: ["", "x", "PK\u{3}\u{4}", "\u{78}"])
    func otherOctetsAreRefused(text: String) {
        #expect(throws: TNEFError.notTNEF) { _ = try TNEFMessage(SpooledBytes(Array(text.utf8))) }
    }
}

/// The offsets at which attributes end.
private func edges(_ stream: [UInt8]) -> [Int] {
    var edges = [6]
    while let edge = edges.last, edge + 9 <= stream.count {
        let length = stream[edge + 5..<edge + 9].reversed().reduce(0) { $0 << 8 | Int($1) }
        edges.append(edge + 9 + length + 2)
    }
    return edges
}

/// The expected attachment. Only passes are compared in full.
struct Expected: Hashable, Sendable {
    let names: [String]
    let mediaTypes: [String]
    let pass: MailSample.Pass?

    init(_ names: [String], _ mediaType: String?, _ pass: MailSample.Pass?) {
        self.names = names
        mediaTypes = mediaType.map { [$0] } ?? []
        self.pass = pass
    }

    init(_ attachment: TNEFMessage.Attachment) throws {
        names = attachment.header.names
        mediaTypes = attachment.header.mediaTypes
        let body = try attachment.body.array()
        pass = try MailSample.Pass.allCases.first { try $0.bytes() == body }
    }
}
