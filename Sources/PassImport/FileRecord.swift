import MailSource

/// What is remembered of a file that was read whole: as long as all of it is the same, so is the file.
///
/// Not its name: a mail program renames a mail to mark it as read. And not its device, whose number
/// many systems give anew at each start; another file system at the same place has other numbers and
/// times.
struct FileRecord: Comparable {
    let inode: UInt64
    /// In bytes, times two; one more where its place said that it is a message.
    let size: UInt64
    let modified: UInt64
    /// The one time that nobody can set back. In a Maildir it tells nothing, as files are renamed and
    /// never changed there, and it is left out.
    let changed: UInt64

    init(_ file: SourceFile) {
        inode = file.stamp.inode
        size = UInt64(truncatingIfNeeded: file.size) << 1 | (file.isMessage ? 1 : 0)
        modified = UInt64(bitPattern: file.stamp.modified)
        changed = file.isDelivery ? 0 : UInt64(bitPattern: file.stamp.changed)
    }

    private init(_ words: ArraySlice<UInt64>) {
        let first = words.startIndex
        inode = words[first]
        size = words[first + 1]
        modified = words[first + 2]
        changed = words[first + 3]
    }

    var words: [UInt64] { [inode, size, modified, changed] }

    static func < (left: FileRecord, right: FileRecord) -> Bool {
        if left.inode != right.inode { return left.inode < right.inode }
        if left.size != right.size { return left.size < right.size }
        if left.modified != right.modified { return left.modified < right.modified }
        return left.changed < right.changed
    }

    /// The records that a note holds; those of a note that is not whole are left out.
    static func records(_ words: [UInt64]) -> [FileRecord] {
        stride(from: 0, to: words.count - words.count % 4, by: 4).map {
            FileRecord(words[$0..<$0 + 4])
        }
    }
}

extension FileRecord {
    /// That of a file that may have been written to since it was looked at: equal to none.
    var timeless: FileRecord { FileRecord([inode, size, 0, 0][...]) }
}
