import Foundation
import Testing

/// The mail samples in Samples.
enum MailSample {
    /// The bytes of a part.
    static func part(_ name: String, number: String = "2") throws -> [UInt8] {
        let message = try read("mail/\(name).eml")
        return try #require(try parts(of: message).parts.first { $0.number == number }).bytes
    }

    enum Pass: String, CaseIterable {
        case small = "generic-tram-T1"
        case tram = "generic-tram-small"

        func bytes() throws -> [UInt8] {
            try MailSample.read("passes/trusted/\(rawValue).pkpass")
        }
    }

    /// The folder of the samples and their generator.
    static var folder: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Samples").path
    }

    private static func read(_ path: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: folder).appendingPathComponent(path)))
    }
}
