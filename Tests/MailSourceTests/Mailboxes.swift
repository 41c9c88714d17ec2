import Bytes
import Foundation

@testable import MailSource

/// The offsets and bytes of the messages that a reader found in a mailbox.
struct ReadMail: Equatable, CustomStringConvertible {
    var offsets: [Int] = []
    var messages: [[UInt8]] = []
    /// The start and end of the messages in the source, or in the range.
    var ends = MboxRangeEnds()
    /// Whether the events came in order.
    var isInOrder = true

    private var isOpen = false

    var texts: [String] { messages.map { String(decoding: $0, as: UTF8.self) } }
    var description: String { "\(offsets) \(texts)" }

    init() {}

    init(_ source: ByteSource, range: Range<Int>? = nil, bufferSize: Int = 256 << 10) throws {
        var mail = ReadMail()
        var reader = MailReader(bufferSize: bufferSize)
        let ends = try reader.readMbox(source, range: range) { event, bytes, _ in
            mail.take(event, bytes)
        }
        mail.ends = ends
        self = mail
    }

    init(_ text: String, range: Range<Int>? = nil, bufferSize: Int = 256 << 10) throws {
        try self.init(
            ByteSource(SpooledBytes(Array(text.utf8))), range: range, bufferSize: bufferSize)
    }

    /// Reads a source as the kind that its first bytes indicate.
    init(kindOf source: ByteSource, bufferSize: Int = 256 << 10) throws {
        var mail = ReadMail()
        var reader = MailReader(bufferSize: bufferSize)
        let head = try ContentHead(of: source)
        try reader.read(source, as: MailFormat(head.bytes.span) ?? .message) { event, bytes, _ in
            mail.take(event, bytes)
        }
        self = mail
    }

    init(kindOf text: String, bufferSize: Int = 256 << 10) throws {
        try self.init(kindOf: ByteSource(SpooledBytes(Array(text.utf8))), bufferSize: bufferSize)
    }

    mutating func take(_ event: MailEvent, _ bytes: Span<UInt8>) {
        switch event {
        case .began(let offset):
            if isOpen { isInOrder = false }
            isOpen = true
            offsets.append(offset)
            messages.append([])
        case .lines(let range, let startsLine):
            guard isOpen, !range.isEmpty else {
                isInOrder = false
                return
            }
            let last = messages[messages.count - 1].last
            if startsLine != (last == nil || last == 0x0A) { isInOrder = false }
            for index in range { messages[messages.count - 1].append(bytes[index]) }
        case .ended:
            if !isOpen { isInOrder = false }
            isOpen = false
        }
    }
}

/// Makes mailboxes with known messages. The same seed gives the same mailboxes.
struct MailboxMaker {
    private(set) var text = ""
    private(set) var offsets: [Int] = []
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func below(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 33) % bound
    }

    mutating func pick(_ choices: [String]) -> String { choices[below(choices.count)] }

    private static let separators = [
        "From alice@example.com Mon Jan  1 00:00:00 2024", "From - Fri Mar 07 12:34:56 2025",
        "From 178@xxx Mon Jan 01 00:00:00 +0000 2024", "From ", "From alice", "From ???@??? wrong",
    ]
    private static let lines = [
        "hello", "", "From now on we meet.", ">From alice Mon Jan  1 00:00:00 2024", "--boundary",
        "From here on:", "nothing: here", String(repeating: "A", count: 76), "a\rb",
        "begin 644 x", "From", "F", "\u{0}\u{1}",
    ]
    /// Lines that are separators, unless a length includes them in a message.
    private static let traps = ["From a Mon Jan  1 00:00:00 2024", "From ", "From x\nSubject: y"]

    mutating func addMessages(_ count: Int, lineEnd: String, lengths: Bool) {
        for _ in 0..<count {
            offsets.append(text.utf8.count)
            text += pick(MailboxMaker.separators) + lineEnd
            var body = ""
            let claims = lengths && below(3) > 0
            for _ in 0..<below(12) {
                let line = claims && below(4) == 0 ? MailboxMaker.traps : MailboxMaker.lines
                body += pick(line).replacingOccurrences(of: "\n", with: lineEnd) + lineEnd
            }
            // `From alice` needs a header after it, so the last line of text must not look like a
            // header.
            text += "Subject: x\(lineEnd)"
            if claims { text += "Content-Length: \(body.utf8.count)\(lineEnd)" }
            text += lineEnd + body + pick(["", lineEnd, lineEnd + lineEnd])
        }
    }
}

/// A private folder for one test.
struct Folder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-source-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
}

/// The output of a Python program.
func python(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", program] + arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
}
