import Foundation
import Testing

@Suite("Every part of random messages made by Python's email package is found")
struct GeneratedMessagesTests {
    private static let python = "/usr/bin/python3"

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: python), "python3 is missing"),
        arguments: [1, 2, 3])
    func partsAreFound(seed: Int) throws {
        let messages = try GeneratedMessage.make(python: Self.python, seed: seed, count: 100)
        #expect(messages.count == 100)
        for (index, message) in messages.enumerated() {
            for size in [256 << 10, 1024 + seed * 97] {
                let differences = try message.differences(bufferSize: size)
                #expect(differences.isEmpty, "message \(index) with a buffer of \(size) bytes")
            }
        }
    }
}

/// A message, and what Python put into it.
private struct GeneratedMessage {
    let bytes: [UInt8]
    var parts: [(number: String, name: String, bytes: [UInt8])] = []

    static func make(python: String, seed: Int, count: Int) throws -> [GeneratedMessage] {
        let script = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().appendingPathComponent("generate_messages.py")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [script.path, "\(seed)", "\(count)"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        return try read(bytes)
    }

    private static func read(_ bytes: [UInt8]) throws -> [GeneratedMessage] {
        var messages: [GeneratedMessage] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0A) {
            let words = String(decoding: rest[..<end], as: UTF8.self)
                .split(separator: " ", omittingEmptySubsequences: false)
            let size = try #require(Int(words[1]))
            let content = Array(rest[(end + 1)...].prefix(size))
            rest = rest[(end + size + 2)...]
            if words[0] == "message" {
                messages.append(GeneratedMessage(bytes: content))
            } else if let last = messages.indices.last {
                let name = try #require(String(words[3]).removingPercentEncoding)
                messages[last].parts.append((String(words[2]), name, content))
            }
        }
        return messages
    }

    func differences(bufferSize: Int) throws -> [String] {
        let found = try MIMETests.parts(of: bytes, bufferSize: bufferSize)
        var differences = found.problems.map { "\($0)" }
        if found.parts.map(\.number) != parts.map(\.number) {
            differences.append("\(found.parts.map(\.number)), not \(parts.map(\.number))")
        }
        for (part, expected) in zip(found.parts, parts) {
            if !expected.name.isEmpty, !part.names.contains(expected.name) {
                differences.append("\(part.number): \(part.names), not \(expected.name)")
            }
            if part.bytes != expected.bytes {
                let start = zip(part.bytes, expected.bytes).prefix { $0 == $1 }.count
                differences.append(
                    "\(part): differs at \(start), \(expected.bytes.count) bytes expected")
            }
        }
        return differences
    }
}
