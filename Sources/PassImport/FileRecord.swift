import Foundation
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

    /// The note that holds these records.
    static func note(_ records: [FileRecord]) -> Data {
        var words: [UInt64] = []
        words.reserveCapacity(records.count * 4)
        for record in records.sorted() { record.append(to: &words) }
        return Data(words: words)
    }

    /// The records that a note holds; those of a note that is not whole are left out.
    static func records(_ words: [UInt64]) -> [FileRecord] {
        stride(from: 0, to: words.count - words.count % 4, by: 4).map { location in
            FileRecord(
                inode: words[location], size: words[location + 1], modified: words[location + 2],
                changed: words[location + 3])
        }
    }
}

extension FileRecord {
    /// That of a file that may have been written to since it was looked at: equal to none.
    var timeless: FileRecord { FileRecord(inode: inode, size: size, modified: 0, changed: 0) }
}
