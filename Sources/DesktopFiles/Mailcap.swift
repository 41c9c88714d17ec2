/// The mailcap lines (RFC 1524) for the program, and their addition to and removal from a user's
/// mailcap.
package enum Mailcap {
    package static let begin =
        "# passconduit: these lines were added by `passconduit setup --mailcap`\n"
    static let end = "# passconduit: end\n"

    /// The lines, between two comments; nil if the path cannot be written in a mailcap.
    package static func lines(forProgramAt path: String?) -> String? {
        var lines = String(decoding: PackageResources.mailcap, as: UTF8.self)
        if let path {
            guard let word = shellWord(path) else { return nil }
            lines = lines.replacing("; passconduit ", with: "; \(word) ")
        }
        return begin + lines + end
    }

    /// The text to append to a mailcap, so that the lines begin on a new line.
    package static func addition(of lines: String, to contents: [UInt8]) -> String {
        guard let last = contents.last else { return lines }
        let newline = UInt8(ascii: "\n")
        let lastLine = last == newline ? contents.dropLast() : contents[...]
        // A backslash at the end of a line continues it.
        let carriesOn = lastLine.last == UInt8(ascii: "\\")
        return (last == newline ? "" : "\n") + (carriesOn ? "\n" : "") + lines
    }

    /// The mailcap without the added text; nil if that is missing or was changed.
    package static func contents(_ contents: [UInt8], without addition: String) -> [UInt8]? {
        let added = Array(addition.utf8)
        if contents.suffix(added.count).elementsEqual(added) {
            return Array(contents.dropLast(added.count))
        }
        // Text appended later needs the newline before it.
        let lines = Array(addition.utf8.drop { $0 == UInt8(ascii: "\n") })
        guard !lines.isEmpty, let range = contents.firstRange(of: lines) else { return nil }
        return Array(contents[..<range.lowerBound] + contents[range.upperBound...])
    }
}

/// A path as a shell word; semicolons, backslashes and percent signs have a meaning in a mailcap.
private func shellWord(_ path: String) -> String? {
    guard !path.contains(where: { "';\\%\n".contains($0) }) else { return nil }
    let isPlain = path.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "/._-+".utf8.contains(byte)
        }
    }
    return isPlain ? path : "'\(path)'"
}
