internal import Foundation
internal import Glibc
internal import MailSource

/// What somebody wants opened: a file by its path or its `file:` URL, or the standard input.
struct OpenTarget {
    /// Nil for the standard input.
    let path: Path?

    init(_ argument: String, in shell: Shell) throws(Failure) {
        if argument == "-" {
            path = nil
            return
        }
        let given = shell.path(argument)
        switch scheme(of: argument) {
        case nil: path = given
        case "file": path = try OpenTarget.path(inURL: given.bytes, argument)
        case "http", "https":
            throw .unreadable(
                argument, reason: "links are not fetched yet: download the file, and open that")
        case .some: throw .unreadable(argument, reason: "only files can be opened")
        }
    }

    var source: OpenedPasses.Source { OpenedPasses.Source(path: path, name: name) }

    /// For people and records: from the root, so that it holds in another folder too.
    var name: String { absolute?.description ?? "-" }

    /// Nil for the standard input.
    var absolute: Path? {
        guard let path, path.bytes.first != UInt8(ascii: "/") else { return path }
        return Path(FileManager.default.currentDirectoryPath).appending(path.bytes)
    }

    /// RFC 8089: `file:/path`, `file:///path`, `file://localhost/path`. What is not encoded stands
    /// for itself, also `?` and `#`: files have no queries.
    private static func path(inURL url: [UInt8], _ argument: String) throws(Failure) -> Path {
        var rest = url.dropFirst("file:".utf8.count)
        if rest.starts(with: Array("//".utf8)) {
            rest = rest.dropFirst(2)
            let host = rest.prefix { $0 != UInt8(ascii: "/") }
            rest = rest.dropFirst(host.count)
            guard isHere(String(decoding: host, as: UTF8.self)) else {
                throw .unreadable(argument, reason: "this file is on another computer")
            }
        }
        guard rest.first == UInt8(ascii: "/"), let path = decoded(rest) else {
            throw .unreadable(argument, reason: "this is no URL of a file")
        }
        return Path(path)
    }

    /// Some file managers name the computer that they run on.
    private static func isHere(_ host: String) -> Bool {
        let host = host.lowercased()
        return host.isEmpty || host == "localhost"
            || host == ProcessInfo.processInfo.hostName.lowercased()
    }
}

/// `file` of `file:///ticket.pkpass`. A path with a colon is taken for a URL only where it looks
/// like one: `file:`, or with `//` after the colon.
private func scheme(of argument: String) -> String? {
    let word = argument.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    let rest = argument.dropFirst(word.count)
    guard word.first?.isLetter == true, rest.first == ":" else { return nil }
    let scheme = word.lowercased()
    return scheme == "file" || rest.hasPrefix("://") ? scheme : nil
}

/// RFC 3986, 2.1; nil for what is no such encoding, and for a NUL, which no path holds.
private func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var path: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            path.append(byte)
            continue
        }
        let digits = [rest.popFirst(), rest.popFirst()].compactMap { $0.flatMap(hexadecimalValue) }
        guard digits.count == 2, digits != [0, 0] else { return nil }
        path.append(digits[0] << 4 | digits[1])
    }
    return path
}

private func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    Character(UnicodeScalar(digit)).hexDigitValue.map { UInt8($0) }
}
