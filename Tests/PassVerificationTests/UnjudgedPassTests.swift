import Bytes
import Foundation
import PassModel
import PassVerification
import Testing

@Suite("What a pass says can be read again without judging it again")
struct UnjudgedPassTests {
    private static let samples = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Samples/passes").standardizedFileURL

    @Test("it is the same", arguments: ["trusted", "unsigned", "tampered", "untrusted"])
    func same(folder: String) throws {
        let folder = UnjudgedPassTests.samples.appending(path: folder)
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "pkpass" }
        #expect(!files.isEmpty)
        for file in files {
            let octets = SpooledBytes(Array(try Data(contentsOf: file)))
            let judged = try #require(PassVerifier().verify(octets).pass)
            #expect(Pass(unjudged: octets) == judged, "\(file.lastPathComponent)")
        }
    }

    @Test("what is no pass is none", arguments: [[], Array("PK\u{3}\u{4}".utf8), Array("{}".utf8)])
    func none(bytes: [UInt8]) {
        #expect(Pass(unjudged: SpooledBytes(bytes)) == nil)
    }
}
