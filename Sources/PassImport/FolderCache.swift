import Foundation
import PassStore

/// The records of the files in a folder.
struct FolderCache {
    /// The records from earlier runs, sorted.
    private var known: [FileRecord] = []
    /// Which of those files were found in this run.
    private var isMet: [Bool] = []
    /// The records of files read in this run.
    private(set) var added: [FileRecord] = []
    /// The number of `added` records already stored.
    private var kept = 0
    /// The notes that contain the records.
    private(set) var notes: [Int64] = []
    /// Whether the notes must be rewritten even if nothing was added.
    private var isScattered = false
    /// Whether this run visited the folder.
    private(set) var isVisited = false

    /// Adds a note; `nil` marks an obsolete one.
    mutating func take(_ note: Int64, _ content: Data?) {
        isScattered = isScattered || !notes.isEmpty || content == nil
        notes.append(note)
        guard let content else { return }
        let records = FileRecord.records(content.words)
        known = known.isEmpty ? records : (known + records).sorted()
        isMet = Array(repeating: false, count: known.count)
    }

    mutating func visit() { isVisited = true }

    /// Whether the file was read before; looks only at records that are sorted.
    mutating func meets(_ record: FileRecord) -> Bool {
        var low = 0
        var high = known.count
        while low < high {
            let middle = (low + high) / 2
            if known[middle] < record { low = middle + 1 } else { high = middle }
        }
        guard low < known.count, known[low] == record else { return false }
        isMet[low] = true
        return true
    }

    mutating func add(_ record: FileRecord) { added.append(record) }

    /// The added records that are not stored yet.
    mutating func takeUnkept() -> Data? {
        guard kept < added.count else { return nil }
        defer { kept = added.count }
        return FileRecord.note(Array(added[kept...]))
    }

    mutating func noteKept(_ note: Int64) {
        notes.append(note)
        isScattered = true
    }

    /// The replacement for the notes after the folder was read completely, without deleted files;
    /// nil if the notes are up to date.
    func conclusion() -> Data? {
        guard isScattered || kept < added.count || isMet.contains(false) else { return nil }
        return FileRecord.note(known.indices.filter { isMet[$0] }.map { known[$0] } + added)
    }
}
