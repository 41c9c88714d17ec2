import Bytes
import Foundation
import PassModel
import PassVerification
import Testing

@Suite("The contents of a pass can be read again without verification")
struct UnjudgedPassTests {
    private static let samples = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Samples/passes").standardizedFileURL

    @Test("they are the same", arguments: ["trusted", "unsigned", "tampered", "untrusted"])
    func same(folder: String) throws {
        let folder = UnjudgedPassTests.samples.appending(path: folder)
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "pkpass" }
        #expect(!files.isEmpty)
        for file in files {
            let octets = SpooledBytes(Array(try Data(contentsOf: file)))
            let judged = try #require(PassVerifier().verify(octets).pass)
            #expect(UnjudgedPass(octets)?.pass == judged, "\(file.lastPathComponent)")
        }
    }

    @Test("other files have none", arguments: [[], Array("PK\u{3}\u{4}".utf8), Array("{}".utf8)])
    func none(bytes: [UInt8]) {
        #expect(UnjudgedPass(SpooledBytes(bytes)) == nil)
    }
}
