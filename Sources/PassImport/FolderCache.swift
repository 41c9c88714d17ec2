import Foundation
import PassStore

/// What is remembered of the files of a folder.
struct FolderCache {
    /// What was known before this run, in order.
    private var known: [FileRecord] = []
    /// Which of that this run met.
    private var isMet: [Bool] = []
    /// What this run read.
    private(set) var added: [FileRecord] = []
    /// How many of `added` are kept already.
    private var kept = 0
    /// The notes that hold all this.
    private(set) var notes: [Int64] = []
    /// Whether the notes would have to be written anew even if nothing was added.
    private var isScattered = false
    /// Whether this run came here.
    private(set) var isVisited = false

    /// Takes over a note; nil for one that is of no use any more.
    mutating func take(_ note: Int64, _ content: Data?) {
        isScattered = isScattered || !notes.isEmpty || content == nil
        notes.append(note)
        guard let content else { return }
        let records = FileRecord.records(content.words)
        known = known.isEmpty ? records : (known + records).sorted()
        isMet = Array(repeating: false, count: known.count)
    }

    mutating func visit() { isVisited = true }

    /// Whether the file was read before. A note whose records are not in order finds fewer of them.
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

    /// What was added and is not kept yet.
    mutating func takeUnkept() -> Data? {
        guard kept < added.count else { return nil }
        defer { kept = added.count }
        return FileRecord.note(Array(added[kept...]))
    }

    mutating func noteKept(_ note: Int64) {
        notes.append(note)
        isScattered = true
    }

    /// What to keep instead of the notes, now that the folder was gone through: what is there, and
    /// not what is gone. Nil where the notes say just that.
    func conclusion() -> Data? {
        guard isScattered || kept < added.count || isMet.contains(false) else { return nil }
        return FileRecord.note(known.indices.filter { isMet[$0] }.map { known[$0] } + added)
    }
}
