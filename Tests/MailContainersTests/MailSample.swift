import Bytes
import Foundation
import MIME
import PassFixtures
import Testing

/// The mail samples in Samples.
enum MailSample {
    /// The decoded body of a part.
    static func part(_ name: String, number: String = "2") throws -> [UInt8] {
        let message = try read("mail/\(name).eml")
        var parser = MessageParser { _ in true }
        var marks = LineMarks()
        marks.mark(message.span, startsLine: true)
        parser.begin(isInMbox: false)
        parser.feed(message.span, 0..<message.count, marks: marks, startsLine: true)
        parser.finish()
        let part = try #require(parser.takeParts().first { $0.number == number })
        let decoding = try #require(part.decodings.first)
        return try BodyDecoder.decode(part.body, decoding, spool: SpoolPolicy()).array()
    }

    enum Pass: String, CaseIterable {
        case small = "generic-tram-T1"
        case tram = "generic-tram-small"

        func bytes() throws -> [UInt8] {
            try MailSample.read("passes/trusted/\(rawValue).pkpass")
        }
    }

    private static func read(_ path: String) throws -> [UInt8] {
        try Array(Data(contentsOf: Sample.folder.appendingPathComponent(path)))
    }
}
