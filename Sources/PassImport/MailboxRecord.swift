import Bytes
import Foundation
import MailSource
import PassVerification

/// What is remembered of a mailbox.
///
/// Of an mbox it says how far it was read, so that only what was appended has to be read. Whether
/// something was, and nothing else was done to it, its bytes tell: those at its beginning and those
/// before the end of what was read. A mail program that takes a message out moves those behind it.
struct MailboxRecord: Equatable {
    /// The file, as it was; with no times where it may have been written to since.
    var file: FileRecord
    /// Up to where it was read, in bytes. 0 for a mailbox that is read whole or not at all.
    var length = 0
    /// How many messages that is.
    var messages = 0
    /// Where the last of them begins. If it was still being written, the next reading goes on there.
    var lastMessage = 0
    /// The nearest place behind the end of the file where a message claims to end. When the file has
    /// grown so far, the messages may turn out to be others.
    var claim = Int.max
    /// Of the bytes that tell.
    var digest: [UInt64] = [0, 0]
    /// The messages that have to be read again.
    var unfinished: [MessagePlace] = []

    /// How many of the first bytes, and of the last ones, tell.
    private static let telling = 4096
    /// How many messages are read again one by one. What is behind the next one, is read again.
    static let unfinishedLimit = 256

    init(_ file: FileRecord) { self.file = file }

    /// Nil for words that no record gives.
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

    /// A digest of the bytes that tell whether the first `length` ones are still the same.
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

/// Which message of a mailbox, and where it begins.
struct MessagePlace: Sendable, Equatable {
    var index: Int
    let offset: Int
}

/// A part of an mbox that is read by itself: it begins where a message is known to begin.
struct MailboxStretch: Sendable, Equatable {
    /// How many messages are before it.
    var index = 0
    var range: Range<Int>
    /// Whether it is the first that is read of the mailbox.
    var isFirst = true
    /// The one message that is to be read again, if that is all.
    var again: MessagePlace?
}

extension MailboxRecord {
    /// What is to be read of the mailbox now; nil where it is not what was remembered.
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

    /// What follows what was read; with the last message where that goes on.
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
        let seen = try source.bytes(at: location - 1, count: MailboxRecord.telling)
        guard seen.first == UInt8(ascii: "\n") else { return false }
        return FromLine.judge(seen.span, at: 1, isAtEnd: true) == .separator
    }
}
