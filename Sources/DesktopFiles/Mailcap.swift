/// The lines of a mailcap (RFC 1524) that name the program, and their way into a person's own and out
/// of it again.
package enum Mailcap {
    package static let begin =
        "# passconduit: these lines were added by `passconduit setup --mailcap`\n"
    static let end = "# passconduit: end\n"

    /// The lines, between two comments; nil for a path of the program that a mailcap has no way to say.
    package static func lines(forProgramAt path: String?) -> String? {
        var lines = String(decoding: PackageResources.mailcap, as: UTF8.self)
        if let path {
            guard let word = shellWord(path) else { return nil }
            lines = lines.replacing("; passconduit ", with: "; \(word) ")
        }
        return begin + lines + end
    }

    /// What is to be added at the end of a mailcap, so that the lines begin as lines of their own.
    package static func addition(of lines: String, to contents: [UInt8]) -> String {
        guard let last = contents.last else { return lines }
        let newline = UInt8(ascii: "\n")
        let lastLine = last == newline ? contents.dropLast() : contents[...]
        // A backslash at the end of a line carries it on into the next.
        let carriesOn = lastLine.last == UInt8(ascii: "\\")
        return (last == newline ? "" : "\n") + (carriesOn ? "\n" : "") + lines
    }

    /// A mailcap without what was added to it; nil when that is not in it, or was changed.
    package static func contents(_ contents: [UInt8], without addition: String) -> [UInt8]? {
        let added = Array(addition.utf8)
        if contents.suffix(added.count).elementsEqual(added) {
            return Array(contents.dropLast(added.count))
        }
        // What was added behind it since needs the newline before it.
        let lines = Array(addition.utf8.drop { $0 == UInt8(ascii: "\n") })
        guard !lines.isEmpty, let range = contents.firstRange(of: lines) else { return nil }
        return Array(contents[..<range.lowerBound] + contents[range.upperBound...])
    }
}

/// A path as a word of the shell; semicolons, backslashes and percent signs mean something in a mailcap.
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
