import Bytes
import Cryptography
import Foundation
import MailSource
import Platform

/// The record of a mailbox.
///
/// For an mbox, the record says how much of it was read, so that only appended messages are read. A
/// digest of bytes at the beginning and end of that part shows whether data was only appended: a
/// mail program that removes a message moves those after it.
struct MailboxRecord: Equatable {
    /// The file when it was read; without times if it may have been modified since.
    var file: FileRecord
    /// The number of bytes read. 0 for a mailbox that is always read completely.
    var length = 0
    /// The number of messages in that part.
    var messages = 0
    /// The offset of the last message. If it was incomplete, the next reading continues there.
    var lastMessage = 0
    /// The smallest offset beyond the end of the file at which a message claims to end
    /// (Content-Length). Once the file has grown to that size, messages may be delimited
    /// differently.
    var claim = Int.max
    /// The digest of the sampled bytes.
    var digest: [UInt64] = [0, 0]
    /// The messages that must be read again.
    var unfinished: [MessagePlace] = []

    /// The number of bytes sampled at the beginning and at the end.
    private static let telling = 4096
    /// The number of messages that are reread individually; if there are more, everything after
    /// them is reread.
    static let unfinishedLimit = 256

    init(_ file: FileRecord) { self.file = file }

    /// Nil if the words are not a valid record.
    init?(_ words: [UInt64]) {
        guard words.count >= 10, words.count.isMultiple(of: 2) else { return nil }
        guard let file = FileRecord.records(Array(words[..<4])).first else { return nil }
        let numbers = words[4...].map { Int(clamping: $0) }
        self.init(file)
        length = numbers[0]
        messages = numbers[1]
        lastMessage = numbers[2]
        claim = numbers[3]
        digest = Array(words[8..<10])
        for index in stride(from: 6, to: numbers.count, by: 2) {
            unfinished.append(MessagePlace(index: numbers[index], offset: numbers[index + 1]))
        }
        let locations = unfinished.map(\.offset)
        guard lastMessage <= length, messages <= length, locations == locations.sorted(),
            unfinished.allSatisfy({ $0.offset < length && $0.index < messages })
        else { return nil }
    }

    var words: [UInt64] {
        let numbers = [length, messages, lastMessage, claim].map(UInt64.init(clamping:))
        let rest = unfinished.flatMap { [$0.index, $0.offset] }.map(UInt64.init(clamping:))
        var words: [UInt64] = []
        file.append(to: &words)
        return words + numbers + digest + rest
    }

    /// A digest of bytes sampled from the first `length` ones, to detect changes.
    static func digest(of source: ByteSource, length: Int) throws(FileError) -> [UInt64] {
        let count = min(length, telling)
        let bytes =
            try source.bytes(at: 0, count: count)
            + (try source.bytes(at: length - count, count: count))
        let digits = Digest.sha256(bytes)
        return [digits.prefix(16), digits.dropFirst(16).prefix(16)].map {
            UInt64($0, radix: 16) ?? 0
        }
    }
}

/// A message in a mailbox.
struct MessagePlace: Sendable, Equatable {
    var index: Int
    let offset: Int
}

/// A part of an mbox that is read separately, beginning at the start of a message.
struct MailboxStretch: Sendable, Equatable {
    /// The number of messages before it.
    var index = 0
    var range: Range<Int>
    /// Whether it is the first part of the mailbox to be read in this run.
    var isFirst = true
    /// Set if the stretch only rereads this message.
    var again: MessagePlace?
}

extension MailboxRecord {
    /// The parts of the mailbox to read now; nil if it is no longer the recorded one.
    func stretches(of file: SourceFile, _ source: ByteSource?) throws(FileError)
        -> [MailboxStretch]?
    {
        var stretches = unfinished.map { location in
            MailboxStretch(
                index: location.index,
                range: (location.index == 0 ? 0 : location.offset)..<location.offset + 1,
                again: location)
        }
        if self.file != FileRecord(file) || length < file.size {
            guard let source, length > 0, self.file.inode == file.stamp.inode,
                file.size > length, file.size < claim,
                try MailboxRecord.digest(of: source, length: length) == digest,
                let tail = try tail(of: file, source)
            else { return nil }
            stretches.removeAll { $0.range.upperBound > tail.range.lowerBound }
            stretches.append(tail)
        }
        for index in stretches.indices { stretches[index].isFirst = index == 0 }
        return stretches
    }

    /// The part after the bytes already read, including the last message if it continues.
    private func tail(of file: SourceFile, _ source: ByteSource) throws(FileError)
        -> MailboxStretch?
    {
        if try separates(source, at: length) {
            return MailboxStretch(index: messages, range: length..<file.size)
        }
        if lastMessage > 0, messages > 0, try separates(source, at: lastMessage) {
            return MailboxStretch(index: messages - 1, range: lastMessage..<file.size)
        }
        return nil
    }

    private func separates(_ source: ByteSource, at location: Int) throws(FileError) -> Bool {
        let count = min(FromLine.PreviousLine.examined, location)
        let before = try source.bytes(at: location - count, count: count)
        guard before.last == UInt8(ascii: "\n") else { return false }
        let seen = try source.bytes(at: location, count: MailboxRecord.telling)
        return FromLine.judge(seen.span, at: 0, isAtEnd: true)
            .separates(after: FromLine.PreviousLine(before))
    }
}
