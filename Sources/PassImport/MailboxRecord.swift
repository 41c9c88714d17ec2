import Bytes
import Cryptography
import Foundation
import MailSource
import Platform

/// The record of a mailbox.
///
/// For an mbox, the record says how much of it was read, so that only appended messages are
/// searched. A digest of that part shows whether data was only appended: mail programs also remove
/// messages, and change others in place.
struct MailboxRecord: Equatable {
    /// The file when it was read; without times if it may have been modified since.
    var file: FileRecord
    /// The number of bytes read. 0 for a mailbox that is always read completely.
    var length = 0
    /// The number of messages in that part.
    var messages = 0
    /// Where the next reading continues if a message was incomplete: the last message, or the first
    /// one without an end.
    var last = MessagePlace(index: 0, offset: 0)
    /// Whether that message has no end, even if a separator follows (VIOLATIONS.md, B21).
    var isUnclosed = false
    /// The smallest offset beyond the end of the file at which a message claims to end
    /// (Content-Length). Once the file has grown to that size, messages may be delimited
    /// differently.
    var claim = Int.max
    /// The digest of the bytes read.
    var digest: [UInt64] = [0, 0]
    /// The messages that must be read again.
    var unfinished: [MessagePlace] = []

    /// The number of messages that are reread individually; if there are more, everything after
    /// them is reread.
    static let unfinishedLimit = 256

    init(_ file: FileRecord) { self.file = file }

    /// Nil if the words are not a valid record.
    init?(_ words: [UInt64]) {
        guard words.count >= 12, words.count.isMultiple(of: 2) else { return nil }
        guard let file = FileRecord.records(Array(words[..<4])).first else { return nil }
        let numbers = words[4...].map { Int(clamping: $0) }
        self.init(file)
        length = numbers[0]
        messages = numbers[1]
        claim = numbers[2]
        last = MessagePlace(index: numbers[3], offset: numbers[4])
        isUnclosed = numbers[5] != 0
        digest = Array(words[10..<12])
        for index in stride(from: 8, to: numbers.count, by: 2) {
            unfinished.append(MessagePlace(index: numbers[index], offset: numbers[index + 1]))
        }
        let locations = unfinished.map(\.offset)
        guard last.offset <= length, last.index <= messages, messages <= length,
            locations == locations.sorted(),
            unfinished.allSatisfy({ $0.offset < length && $0.index < messages })
        else { return nil }
    }

    var words: [UInt64] {
        let numbers = [length, messages, claim, last.index, last.offset, isUnclosed ? 1 : 0]
            .map(UInt64.init(clamping:))
        let rest = unfinished.flatMap { [$0.index, $0.offset] }.map(UInt64.init(clamping:))
        var words: [UInt64] = []
        file.append(to: &words)
        return words + numbers + digest + rest
    }

    /// The digests of the first bytes of a mailbox for each of these lengths, which ascend, in one
    /// pass. Of a hole in a sparse file, only the end counts.
    static func digests(of source: ByteSource, lengths: [Int]) throws(FileError) -> [[UInt64]] {
        var hash = Hash(.sha256)
        var offset = 0
        var digests: [[UInt64]] = []
        for length in lengths {
            while offset < length {
                let data = min(source.data(from: offset), length)
                if data > offset {
                    hash.add(Array(Data(words: [UInt64(clamping: data)])).span)
                    offset = data
                } else {
                    let bytes = try source.bytes(at: offset, count: min(length - offset, 1 << 20))
                    if bytes.isEmpty { break }
                    hash.add(bytes.span)
                    offset += bytes.count
                }
            }
            let words = Data(hash.current()).words
            digests.append(Array(words.prefix(2)))
        }
        return digests
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
    ///
    /// - Parameter digest: That of the bytes that were read then.
    func stretches(of file: SourceFile, _ source: ByteSource, digest: [UInt64]?) throws(FileError)
        -> [MailboxStretch]?
    {
        var stretches = unfinished.map { location in
            MailboxStretch(
                index: location.index,
                range: (location.index == 0 ? 0 : location.offset)..<location.offset + 1,
                again: location)
        }
        if self.file != FileRecord(file) || length < file.size {
            guard length > 0, self.file.inode == file.stamp.inode,
                file.size > length, file.size < claim, digest == self.digest,
                let tail = try tail(of: file, source)
            else { return nil }
            stretches.removeAll { $0.range.upperBound > tail.range.lowerBound }
            stretches.append(tail)
        }
        for index in stretches.indices { stretches[index].isFirst = index == 0 }
        return stretches
    }

    /// The part after the bytes already read, from the last message on if it continues.
    private func tail(of file: SourceFile, _ source: ByteSource) throws(FileError)
        -> MailboxStretch?
    {
        if !isUnclosed, try separates(source, at: length) {
            return MailboxStretch(index: messages, range: length..<file.size)
        }
        if last.offset > 0, try separates(source, at: last.offset) {
            return MailboxStretch(index: last.index, range: last.offset..<file.size)
        }
        return nil
    }

    private func separates(_ source: ByteSource, at location: Int) throws(FileError) -> Bool {
        let count = min(FromLine.PreviousLine.examined, location)
        let before = try source.bytes(at: location - count, count: count)
        guard before.last == UInt8(ascii: "\n") else { return false }
        let seen = try source.bytes(at: location, count: 4096)
        return FromLine.judge(seen.span, at: 0, isAtEnd: true)
            .separates(after: FromLine.PreviousLine(before))
    }
}
