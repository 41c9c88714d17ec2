import Bytes
import Foundation
import MailSource
import PassDetection
import Testing

@testable import PassImport

@Suite("An mbox read in ranges gives the same result as one read as a whole")
struct MboxRangeMergerTests {
    private static let separator = "From a@b Mon Jan  1 00:00:00 2024\n"
    static let mailboxes = [
        "\(separator)a\n\n\(separator)b\n\(separator)c",
        "\n\n\(separator)a\nFrom \nb\nFrom x\nSubject: y\n\nFrom now on\n",
        // A length that includes separators, and one that does not end at a separator.
        "\(separator)Content-Length: 73\n\n\(separator)a\n\(separator)b\n\n\(separator)c\n",
        "\(separator)Content-Length: 72\n\n\(separator)a\n\(separator)b\nFrom \nc\n",
        "\(separator)Content-Length: 30\n\n\(separator)a\n\(separator)b\n",
        // A length within the text that another length includes; the inner one would include more.
        "\(separator)Content-Length: 56\n\n\(separator)Content-Length: 77\n\n\n\(separator)a\n\(separator)b\n",
        "Subject: lost\n\na\n\(separator)b\n", "", "\n\n\n", "no mail",
        "From \nFrom \nFrom \n",
    ]

    @Test("split at every offset, in two", arguments: mailboxes.indices)
    func two(index: Int) throws {
        let mailbox = SpooledBytes(Array(MboxRangeMergerTests.mailboxes[index].utf8))
        let whole = try read(mailbox, [])
        for place in 0..<mailbox.count where place > 0 {
            #expect(try read(mailbox, [place]) == whole, "split at \(place)")
        }
    }

    @Test("split at every two offsets, in three", arguments: mailboxes.indices)
    func three(index: Int) throws {
        let mailbox = SpooledBytes(Array(MboxRangeMergerTests.mailboxes[index].utf8))
        let whole = try read(mailbox, [])
        for first in 1..<max(mailbox.count, 1) {
            for second in stride(from: first + 1, to: mailbox.count, by: 3) {
                #expect(
                    try read(mailbox, [first, second]) == whole, "split at \(first), \(second)")
            }
        }
    }

    /// The number and offset of each message, and its text.
    private func read(_ mailbox: SpooledBytes, _ places: [Int]) throws -> [String] {
        let edges = [0] + places + [mailbox.count]
        var walk = SourceWalk([Path("/dev/null/../../etc/passwd"), Path(#filePath)])
        var named: SourceFile?
        while let step = walk.next() { if case .file(let file) = step { named = file } }
        let file = try #require(named)
        let perform = { (work: Work) -> WorkResult in
            guard case .mbox(_, let range, _, _) = work else { return WorkResult() }
            return (try? MboxRangeMergerTests.read(mailbox, range)) ?? WorkResult()
        }
        var seam = MboxRangeMerger()
        var lines: [String] = []
        for (start, end) in zip(edges, edges.dropFirst()) {
            let stretch = MailboxStretch(range: 0..<mailbox.count)
            let work = Work.mbox(file, start..<end, of: stretch, after: nil)
            for event in seam.join(perform(work), of: work, again: perform).events {
                guard case .problem(let problem) = event, let message = problem.message else {
                    continue
                }
                lines.append("\(message.index) at \(message.offset): \(problem.part ?? "")")
            }
        }
        return lines
    }

    /// Reads a range; each message becomes an event.
    private static func read(_ mailbox: SpooledBytes, _ range: Range<Int>) throws -> WorkResult {
        var result = WorkResult()
        var offset = 0
        var text: [UInt8] = []
        var reader = MailReader()
        result.ends = try reader.readMbox(ByteSource(mailbox), range: range) { event, bytes, _ in
            switch event {
            case .began(let place):
                offset = place
                text = []
            case .lines(let range, _):
                for index in range { text.append(bytes[index]) }
            case .ended:
                let reference = MessageReference(
                    index: result.messages, offset: offset, messageID: "", from: "", date: "",
                    subject: "")
                result.messages += 1
                result.events.append(
                    .problem(
                        Problem(
                            source: "", message: reference,
                            part: String(decoding: text, as: UTF8.self), .attachmentMissing)))
            }
        }
        return result
    }
}
