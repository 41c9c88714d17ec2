import Bytes
import Foundation
import Glibc
import MailSource
import PassStore

/// Records which sources earlier runs and this run have read, so that the next run reads only new
/// data.
///
/// Stored in the library as notes: one for each folder (`/home/ada/Mail/`, with 32 bytes per file;
/// one for a Maildir with its `cur` and `new`), and one for each mailbox. Only files that were read
/// completely are recorded, once their passes are in the library. Not recorded are files with
/// problems, with fragments of incomplete messages, or with attachments beside them; nor files that
/// the user names, except mailboxes: a user who names a pass wants a report about it.
///
/// A note never becomes false: it says that a file with this inode, size and times was read.
/// Therefore runs may write notes concurrently. A note that cannot be read or written is ignored;
/// the only cost is time.
struct ScanCache {
    /// The number of unchanged sources.
    private(set) var unchanged = 0
    /// Whether there are records to compare the files of the current input with.
    private(set) var isToCompare = false
    /// The number of bytes skipped because they are unchanged.
    private(set) var bytesPassedOver = 0

    private let library: PassLibrary
    private let manner: Data
    /// Whether records are used; if not, everything is reread and recorded again.
    private let isAsked: Bool
    private let age: FileAge
    private let smallestMailbox: Int
    /// Whether mailboxes smaller than the limit have their own records.
    private var hasSmallMailboxes = false
    /// The number of files that may have been modified after they were read; they are reread.
    private(set) var unsettled = 0
    private var folders: [FolderCache] = []
    private var folderNames: [Data] = []
    private var folderIndices: [Data: Int] = [:]
    private var mailboxes: [Data: MailboxCache] = [:]
    /// The mailbox being read.
    private var mailbox: Data?
    /// The folder of the current file: its path in the walk, with a slash.
    private var path: [UInt8] = []
    private var folder = 0
    /// Whether the walk has seen all files.
    private var isWalkWhole = true
    private var lastKeeping = ContinuousClock.now
    private let pause: Duration

    /// Nil for a run without a library, or without records.
    init?(_ options: ImportOptions) {
        guard let library = options.library, let settling = options.settling else { return nil }
        self.library = library
        manner = ScanCacheKey(options).bytes
        isAsked = !options.readsAll && options.links == nil
        age = FileAge(settling: settling)
        smallestMailbox = options.smallestMailbox
        pause = options.notingPause
    }

    /// Begins an input.
    mutating func enter(_ input: Input) {
        let notes: [KeptSourceNote]?
        switch input {
        case .path(let path):
            notes = try? library.sourceNotes(within: SourceName(path).bytes, manner: manner)
        case .folder(let path):
            notes = try? library.sourceNotes(
                within: SourceName(path).bytes, manner: manner, isDeep: false)
        case .standardInput, .download: return
        }
        isToCompare = isAsked && notes?.isEmpty == false
        for note in notes ?? [] {
            if note.source.last == UInt8(ascii: "/") {
                let index = folderIndex(note.source)
                guard !folders[index].notes.contains(note.id) else { continue }
                folders[index].take(note.id, note.content)
            } else {
                guard mailboxes[note.source]?.notes.contains(note.id) != true else { continue }
                var mailbox = mailboxes[note.source] ?? MailboxCache()
                mailbox.take(note.id, note.content)
                hasSmallMailboxes = hasSmallMailboxes || mailbox.wasSmaller(than: smallestMailbox)
                mailboxes[note.source] = mailbox
            }
        }
    }

    mutating func meetProblem() { isWalkWhole = false }

    /// Whether the file was read before and is unchanged.
    mutating func meets(_ file: SourceFile) -> Bool {
        var isMet = false
        if !mailboxes.isEmpty, !file.isMessage, isMailboxOfItsOwn(file) {
            isMet = mailboxes[SourceName(file.path).bytes]?.meets(file) ?? false
        }
        if !isMet, !file.isNamed {
            enterFolder(of: file)
            isMet = folders[folder].meets(FileRecord(file)) && !file.mayHaveFilesBeside
        }
        guard isMet, isAsked else { return false }
        unchanged += 1
        bytesPassedOver += file.size
        return true
    }

    /// Whether the file, if it is a mailbox, has its own record. A small mailbox that already has
    /// one keeps it.
    func isMailboxOfItsOwn(_ file: SourceFile) -> Bool {
        if file.isNamed || file.size >= smallestMailbox { return true }
        return hasSmallMailboxes && mailboxes[SourceName(file.path).bytes] != nil
    }

    /// Plans the reading of an mbox.
    mutating func begin(mbox file: SourceFile) -> [MailboxStretch] {
        let isAsked = isAsked
        let name = SourceName(file.path).bytes
        let stretches = mailboxes[name, default: MailboxCache()].begin(file, isAsked: isAsked)
        bytesPassedOver += file.size - stretches.reduce(0) { $0 + $1.range.count }
        return stretches
    }
}

extension ScanCache {
    /// Records the result of a piece of work, once its passes are in the library. `isFirst` is true
    /// for the first of several results.
    mutating func take(_ result: WorkResult, of work: Work, isFirst: Bool) {
        switch work {
        case .mbox(let file, let range, let stretch, _):
            let name = SourceName(file.path).bytes
            let isBeginning = stretch.isFirst && range.lowerBound == stretch.range.lowerBound
            if mailbox != name || isFirst && isBeginning {
                endMailbox()
            }
            mailbox = name
            mailboxes[name]?.take(result, of: stretch)
        case .files, .standardInput, .download:
            endMailbox()
            for read in result.read {
                if age.isSettled(read.file.stamp) { add(read) } else { unsettled += 1 }
            }
        }
        guard ContinuousClock.now - lastKeeping >= pause else { return }
        keep()
        lastKeeping = .now
    }
}

extension ScanCache {
    private mutating func add(_ read: ReadFile) {
        if read.isMailbox, isMailboxOfItsOwn(read.file) {
            mailboxes[SourceName(read.file.path).bytes, default: MailboxCache()].add(read.file)
        } else if !read.file.isNamed {
            enterFolder(of: read.file)
            folders[folder].add(FileRecord(read.file))
        }
    }

    private mutating func endMailbox() {
        let age = age
        if let name = mailbox.take() { mailboxes[name]?.end(age) }
    }

    /// Stores the records added since the last time.
    private mutating func keep() {
        for index in folders.indices {
            guard let content = folders[index].takeUnkept() else { continue }
            if let note = keep(content, of: folderNames[index], insteadOf: []) {
                folders[index].noteKept(note)
            }
        }
        for name in Array(mailboxes.keys) {
            guard let (content, instead) = mailboxes[name]?.takeConclusion() else { continue }
            let note = keep(content, of: name, insteadOf: instead)
            mailboxes[name]?.noteKept(note)
        }
    }

    /// Stores the remaining records at the end of a complete run, and removes those of deleted
    /// files.
    mutating func finish() {
        endMailbox()
        var changes: [(name: Data, content: Data?, instead: [Int64])] = []
        for (folder, name) in zip(folders, folderNames) {
            if folder.isVisited {
                guard let content = folder.conclusion() else { continue }
                changes.append((name, content.isEmpty ? nil : content, folder.notes))
            } else if isWalkWhole {
                changes.append((name, nil, folder.notes))
            }
        }
        for name in Array(mailboxes.keys) {
            if let (content, instead) = mailboxes[name]?.takeConclusion() {
                changes.append((name, content, instead))
            } else if isWalkWhole, let mailbox = mailboxes[name], !mailbox.isVisited {
                changes.append((name, nil, mailbox.notes))
            }
        }
        let notes = changes.compactMap { change in
            change.content.map { SourceNote(source: change.name, manner: manner, content: $0) }
        }
        let old = changes.flatMap(\.instead)
        guard !notes.isEmpty || !old.isEmpty else { return }
        _ = try? library.keep(notes, insteadOf: old)
    }

    private func keep(_ content: Data?, of name: Data, insteadOf old: [Int64]) -> Int64? {
        let note = content.map { SourceNote(source: name, manner: manner, content: $0) }
        guard note != nil || !old.isEmpty else { return nil }
        return try? library.keep(note.map { [$0] } ?? [], insteadOf: old).first
    }

    /// Sets the current folder to that of a file.
    private mutating func enterFolder(of file: SourceFile) {
        let bytes = file.path.bytes
        let name = (bytes.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
        guard name != path.count || !bytes.starts(with: path) || name == 0 else { return }
        path = Array(bytes[..<name])
        folder = folderIndex(SourceName(folderOf: file).bytes)
        folders[folder].visit()
    }

    private mutating func folderIndex(_ name: Data) -> Int {
        if let index = folderIndices[name] { return index }
        folderIndices[name] = folders.count
        folders.append(FolderCache())
        folderNames.append(name)
        return folders.count - 1
    }
}
