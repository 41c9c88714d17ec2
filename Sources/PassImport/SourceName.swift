import Foundation
import Glibc
import MailSource

/// The name of a source in the library: its absolute path, with a trailing slash for a folder.
struct SourceName {
    let bytes: Data

    init(_ path: Path) {
        bytes = Data(SourceName.absolute(path.bytes))
    }

    /// The name of a file's folder; `cur` and `new` of a Maildir share one, since messages move
    /// between them.
    init(folderOf file: SourceFile) {
        var components = SourceName.absolute(file.path.bytes).split(separator: SourceName.slash)
        components = components.dropLast()
        let isOfMaildir = ["cur", "new"].contains { name in
            components.last?.elementsEqual(name.utf8) == true
        }
        if file.isDelivery, isOfMaildir { components = components.dropLast() }
        bytes = Data([SourceName.slash] + components.flatMap { $0 + [SourceName.slash] })
    }

    private static let slash = UInt8(ascii: "/")

    /// `..` is kept, since it may follow a link.
    private static func absolute(_ path: [UInt8]) -> [UInt8] {
        var all = path
        if path.first != slash {
            all = Array(FileManager.default.currentDirectoryPath.utf8) + [slash] + path
        }
        let components = all.split(separator: slash).filter { !$0.elementsEqual([0x2E]) }
        return components.flatMap { [slash] + $0 }
    }
}
