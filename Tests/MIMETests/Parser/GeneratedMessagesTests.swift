import Foundation
import Testing

@Suite("Every part of random messages made by Python's email package is found")
struct GeneratedMessagesTests {
    @Test(.enabled(if: Python.isHere, "python3 is missing"), arguments: [1, 2, 3])
    func partsAreFound(seed: Int) throws {
        let messages = try GeneratedMessage.make(seed: seed, count: 100)
        #expect(messages.count == 100)
        for (index, message) in messages.enumerated() {
            for size in [256 << 10, 1024 + seed * 97] {
                let differences = try message.differences(bufferSize: size)
                #expect(differences.isEmpty, "message \(index) with a buffer of \(size) bytes")
            }
        }
    }
}

@Suite("GMime finds the same parts in random messages")
struct GMimeTests {
    @Test(
        .enabled(
            if: Python.isHere && Python.imports("gi; gi.require_version('GMime', '3.0')"),
            "gir1.2-gmime-3.0 or python3-gi is missing"),
        arguments: [4, 5])
    func partsAreTheSame(seed: Int) throws {
        let messages = try GeneratedMessage.make(seed: seed, count: 100, isForGMime: true)
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-\(UUID().uuidString)")
        try Data(GeneratedMessage.stream(messages)).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let found = try GeneratedMessage.read(Python.run("gmime_parts.py", [file.path]))
        try #require(found.count == messages.count)
        for (index, message) in messages.enumerated() {
            var message = message
            message.parts = found[index].parts
            let differences = try message.differences(bufferSize: 256 << 10)
            #expect(differences.isEmpty, "message \(index)")
        }
    }
}
