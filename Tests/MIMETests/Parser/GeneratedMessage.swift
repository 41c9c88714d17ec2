import Foundation
import Testing

/// A message, and the parts that Python put into it.
struct GeneratedMessage {
    let bytes: [UInt8]
    var parts: [(number: String, name: String, bytes: [UInt8])] = []

    /// `isForGMime` leaves out messages that GMime misreads.
    static func make(seed: Int, count: Int, isForGMime: Bool = false) throws -> [GeneratedMessage] {
        let arguments = ["\(seed)", "\(count)"] + (isForGMime ? ["plain"] : [])
        return try read(Python.run("generate_messages.py", arguments))
    }

    /// Messages in the form that the scripts print.
    static func stream(_ messages: [GeneratedMessage]) -> [UInt8] {
        messages.flatMap { Array("message \($0.bytes.count)\n".utf8) + $0.bytes + [0x0A] }
    }

    static func read(_ bytes: [UInt8]) throws -> [GeneratedMessage] {
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
