import Foundation
import MIME
import PassFixtures
import Testing

/// Each form occurs once in the samples. Line ends and buffer sizes do not change the parts that
/// are found.
@Suite(
    "The same parts are found with other line ends and any buffer size",
    .enabled(if: !SampleMail.all.isEmpty, "the samples are missing"))
struct SampleFormsTests {
    @Test(arguments: SampleMail.all)
    func lineEnds(sample: SampleMail) throws {
        let found = try sample.parts(sample.bytes())
        let converted = try sample.parts(withCarriageReturns(withLineFeeds(sample.bytes())))
        #expect(converted.problems == found.problems)
        #expect(converted.parts.map(\.number) == found.parts.map(\.number))
        for (part, expected) in zip(converted.parts, found.parts) {
            #expect(part.names == expected.names)
            #expect(part.mediaTypes == expected.mediaTypes)
            // In bodies without an encoding, the line ends change too.
            #expect(withLineFeeds(part.bytes) == withLineFeeds(expected.bytes), "\(part.number)")
        }
    }

    /// A line of base64 has up to 78 bytes, and these buffers end at each of them. Smaller buffers
    /// would split lines that the parser must get in full.
    @Test(arguments: SampleMail.all.filter { !$0.testDescription.hasPrefix("header-bare-cr-") })
    func pieces(sample: SampleMail) throws {
        let bytes = try sample.bytes()
        for message in [bytes, withCarriageReturns(withLineFeeds(bytes))] {
            let whole = try sample.parts(message)
            for size in 64..<80 {
                let split = try sample.parts(message, bufferSize: size)
                guard split != whole else { continue }
                Issue.record("a buffer of \(size) bytes finds \(split), a large one \(whole)")
                return
            }
        }
    }
}

/// A mail sample small enough to be read many times.
struct SampleMail: Sendable, CustomTestStringConvertible {
    let file: URL

    var testDescription: String { file.deletingPathExtension().lastPathComponent }

    static let all: [SampleMail] = {
        let folder = Sample.folder.appendingPathComponent("mail")
        let files = try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.fileSizeKey])
        return (files ?? []).filter {
            let size = try? $0.resourceValues(forKeys: [.fileSizeKey]).fileSize
            return $0.pathExtension == "eml" && size ?? 0 <= 16 << 10
        }.sorted { $0.path < $1.path }.map(SampleMail.init)
    }()

    func bytes() throws -> [UInt8] {
        try Array(Data(contentsOf: file))
    }

    func parts(_ message: [UInt8], bufferSize: Int = 256 << 10) throws -> FoundParts {
        try MIMETests.parts(of: message, bufferSize: bufferSize, texts: .withFiles) { header in
            (header.names + header.mediaTypes).contains { $0.lowercased().contains("pkpass") }
        }
    }
}

private func withLineFeeds(_ bytes: [UInt8]) -> [UInt8] {
    bytes.indices.filter {
        bytes[$0] != 0x0D || $0 + 1 == bytes.count || bytes[$0 + 1] != 0x0A
    }.map { bytes[$0] }
}
