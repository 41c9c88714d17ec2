import Foundation
import MailSource

/// A record of a file that was read completely: if the record still matches, the file is unchanged.
///
/// Excludes the name, since mail programs rename messages to mark them as read, and the device
/// number, which many systems assign anew at each boot; another file system at the same path has
/// other inodes and times.
struct FileRecord: Comparable {
    let inode: UInt64
    /// The size in bytes, times two, plus one if the file's location marks it as a message.
    let size: UInt64
    let modified: UInt64
    /// The change time, which users cannot set back. Zero in a Maildir, where files are renamed but
    /// never modified.
    let changed: UInt64

    init(_ file: SourceFile) {
        inode = file.stamp.inode
        size = UInt64(truncatingIfNeeded: file.size) << 1 | (file.isMessage ? 1 : 0)
        modified = UInt64(bitPattern: file.stamp.modified)
        changed = file.isDelivery ? 0 : UInt64(bitPattern: file.stamp.changed)
    }

    private init(inode: UInt64, size: UInt64, modified: UInt64, changed: UInt64) {
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
    }

    func append(to words: inout [UInt64]) {
        words.append(inode)
        words.append(size)
        words.append(modified)
        words.append(changed)
    }

    static func < (left: FileRecord, right: FileRecord) -> Bool {
        if left.inode != right.inode { return left.inode < right.inode }
        if left.size != right.size { return left.size < right.size }
        if left.modified != right.modified { return left.modified < right.modified }
        return left.changed < right.changed
    }

    /// The source note for the records.
    static func note(_ records: [FileRecord]) -> Data {
        var words: [UInt64] = []
        words.reserveCapacity(records.count * 4)
        for record in records.sorted() { record.append(to: &words) }
        return Data(words: words)
    }

    /// The records of a note; incomplete ones are dropped.
    static func records(_ words: [UInt64]) -> [FileRecord] {
        stride(from: 0, to: words.count - words.count % 4, by: 4).map { location in
            FileRecord(
                inode: words[location], size: words[location + 1], modified: words[location + 2],
                changed: words[location + 3])
        }
    }
}

extension FileRecord {
    /// The record of a file that may have been modified after it was read; never equal to the
    /// record of an existing file.
    var timeless: FileRecord { FileRecord(inode: inode, size: size, modified: 0, changed: 0) }
}
