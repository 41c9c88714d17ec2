import Bytes
import Foundation
import MIME
import MailSource
import Platform

/// The record of a mailbox, and the changes by this run.
struct MailboxCache {
    /// The notes with the record from earlier runs.
    private(set) var notes: [Int64] = []
    /// The record from earlier runs. If it still matches, reading continues from it.
    private var known: MailboxRecord?
    private(set) var isVisited = false
    /// The reading in progress.
    private var reading: Progress?
    /// The change to be stored.
    private var conclusion: Conclusion = .none

    private struct Progress {
        let file: SourceFile
        var record: MailboxRecord
        var isFailed = false
        /// The offset of the last message.
        var lastMessage: Int?
        /// What the messages leave to those that will be appended.
        var unclosed: OpenEntities?
        /// Whether a message continues an earlier one: it cannot be reread without that one.
        var hasContinued = false
    }

    private enum Conclusion {
        case none
        case forget
        case keep(MailboxRecord)
    }

    mutating func take(_ note: Int64, _ content: Data?) {
        notes.append(note)
        if let record = content.flatMap({ MailboxRecord($0.words) }) { known = record }
    }

    /// Whether the file was smaller when it was last read.
    func wasSmaller(than size: Int) -> Bool {
        known.map { $0.file.size >> 1 < UInt64(clamping: size) } ?? false
    }

    /// Visits the file; returns whether it is a mailbox that was read completely and is unchanged.
    mutating func meets(_ file: SourceFile) -> Bool {
        isVisited = true
        guard let known, known.file == FileRecord(file), known.unfinished.isEmpty else {
            return false
        }
        return known.length == 0 || known.length == file.size
    }

    /// Plans the reading of an mbox.
    mutating func begin(_ file: SourceFile, isAsked: Bool) -> [MailboxStretch] {
        isVisited = true
        let whole = MailboxStretch(range: 0..<file.size)
        // If the user names a mailbox twice, results of the two readings cannot be told apart.
        guard reading == nil else {
            reading?.isFailed = true
            return [whole]
        }
        guard let open = try? file.open() else { return [whole] }
        defer { open.descriptor.close() }
        var record = MailboxRecord(FileRecord(file))
        record.length = file.size
        var stretches: [MailboxStretch]?
        do throws(FileError) {
            // Of a mailbox that has grown, also the digest of the part that was read then.
            let former = known.map { [$0.length].filter { 0 < $0 && $0 < file.size } } ?? []
            let isUnchanged = known?.file == record.file && known?.length == file.size
            let digests =
                isUnchanged
                ? known.map { [$0.digest] } ?? []
                : try MailboxRecord.digests(of: open.bytes, lengths: former + [file.size])
            record.digest = digests.last ?? []
            if isAsked, let known {
                stretches = try known.stretches(of: file, open.bytes, digest: digests.first)
            }
        } catch {
            return [whole]
        }
        if let known, let last = stretches?.last {
            record.claim = known.claim
            record.messages = last.again == nil ? last.index : known.messages
            if last.again != nil {
                (record.last, record.isUnclosed) = (known.last, known.isUnclosed)
            }
        }
        reading = Progress(file: file, record: record)
        return stretches ?? [whole]
    }

    /// Adds the result of a stretch, in order.
    mutating func take(_ result: WorkResult, of stretch: MailboxStretch) {
        guard reading != nil else { return }
        if result.isCutOff || result.events.contains(where: \.isOfSource) {
            reading?.isFailed = true
        }
        reading?.record.unfinished += result.unfinished
        if result.hasContinued { reading?.hasContinued = true }
        if let again = stretch.again {
            if result.ends?.first != again.offset { reading?.isFailed = true }
        } else {
            reading?.record.messages += result.messages
            if let last = result.lastMessage { reading?.lastMessage = last }
            if let unclosed = result.unclosed { reading?.unclosed = unclosed }
        }
        if let claim = result.ends?.claim, let known = reading?.record.claim {
            reading?.record.claim = min(known, claim)
        }
    }

    /// Ends the reading of the mailbox.
    mutating func end(_ age: FileAge) {
        guard let reading = reading.take() else { return }
        conclusion = .forget
        guard !reading.isFailed, let open = try? reading.file.open() else { return }
        defer { open.descriptor.close() }
        let (file, digest) = (reading.file, reading.record.digest)
        // Data appended in the meantime is read next time. After any other change, it is unclear
        // which data was read.
        guard let stamp = FileStamp(of: open.descriptor), stamp.inode == file.stamp.inode,
            stamp == file.stamp
                || stamp.size >= file.size
                    && MailboxCache.digest(of: open.bytes, length: file.size) == digest
        else { return }
        var record = reading.record
        if let unclosed = reading.unclosed, !unclosed.isEmpty {
            let index = max(record.messages - 1 - unclosed.laterMessages, 0)
            record.last = MessagePlace(index: index, offset: unclosed.messageOffset)
            record.isUnclosed = true
        } else if let offset = reading.lastMessage {
            record.last = MessagePlace(index: max(record.messages - 1, 0), offset: offset)
        }
        if reading.hasContinued, !record.unfinished.isEmpty { return }
        if stamp != file.stamp || !age.isSettled(stamp) { record.file = record.file.timeless }
        if record.unfinished.count > MailboxRecord.unfinishedLimit {
            let next = record.unfinished[MailboxRecord.unfinishedLimit]
            record.unfinished.removeSubrange(MailboxRecord.unfinishedLimit...)
            (record.length, record.messages) = (next.offset, next.index)
            (record.last, record.isUnclosed) = (MessagePlace(index: 0, offset: 0), false)
            guard let digest = MailboxCache.digest(of: open.bytes, length: record.length) else {
                return
            }
            record.digest = digest
        }
        conclusion = record == known && notes.count == 1 ? .none : .keep(record)
    }

    private static func digest(of source: ByteSource, length: Int) -> [UInt64]? {
        try? MailboxRecord.digests(of: source, lengths: [length]).last
    }

    /// Records a mailbox in a format that is always read completely.
    mutating func add(_ file: SourceFile) {
        conclusion = .keep(MailboxRecord(FileRecord(file)))
    }

    /// The content to store, and the notes it replaces; nil if the notes are up to date.
    mutating func takeConclusion() -> (content: Data?, instead: [Int64])? {
        defer { conclusion = .none }
        switch conclusion {
        case .none: return nil
        case .forget: return (nil, notes)
        case .keep(let record): return (Data(words: record.words), notes)
        }
    }

    mutating func noteKept(_ note: Int64?) { notes = note.map { [$0] } ?? [] }
}

extension Event {
    /// Whether it concerns the source as a whole, not one of its messages.
    fileprivate var isOfSource: Bool {
        if case .problem(let problem) = self { return problem.message == nil }
        return false
    }
}
