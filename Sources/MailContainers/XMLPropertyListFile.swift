package import Bytes
package import MIME
package import MailSource
package import Platform

/// The files in a property list in XML, such as the resources of a web archive. They are told by
/// their contents: the elements with their names may be anywhere.
///
///     <key>WebResourceData</key>
///     <data>
///     UEsDBBQAAAAIAA...
///     </data>
package struct XMLPropertyListFile {
    /// Whether all files were returned.
    package var isOver: Bool { offset >= octets.count && next == found.count }

    private let octets: SpooledBytes
    private let isWanted: (PartHeader, ContentKind) -> Bool
    private var offset = 0
    /// The number of bytes of the tag that were read.
    private var matched = 0
    /// The offset at which the current data began.
    private var start: Int?
    /// The data found in the last piece, and the index of the next one to return.
    private var found: [Range<Int>] = []
    private var next = 0

    private static let pieceSize = 64 << 10
    private static let tag = Array("<data>".utf8)

    /// - Parameter isWanted: Whether a file with this header and kind is returned.
    package init(
        _ octets: SpooledBytes, isWanted: @escaping (PartHeader, ContentKind) -> Bool
    ) {
        self.octets = octets
        self.isWanted = isWanted
    }

    /// Reads on; nil if this step found no file.
    package mutating func takeNext() throws(FileError) -> EncodedFile? {
        if next == found.count { try readPiece() }
        while next < found.count {
            let file = EncodedFile(PartHeader(names: []), octets.slice(found[next]), .base64)
            next += 1
            if isWanted(file.header, try file.kind()) { return file }
        }
        return nil
    }

    private mutating func readPiece() throws(FileError) {
        (found, next) = ([], 0)
        offset = octets.offset(pastHoleAt: offset)
        let piece = try octets.array(offset..<offset + XMLPropertyListFile.pieceSize)
        read(piece.span)
        offset = piece.isEmpty ? octets.count : offset + piece.count
        // The end may be missing.
        if offset >= octets.count, let start = start.take() { found.append(start..<octets.count) }
    }

    private mutating func read(_ piece: Span<UInt8>) {
        var index = 0
        while index < piece.count {
            if matched == 0 || start != nil {
                let place = piece.firstIndex(of: UInt8(ascii: "<"), in: index..<piece.count)
                guard let place else { return }
                if let start = start.take() { found.append(start..<offset + place) }
                matched = 1
                index = place + 1
            } else if piece[index] == XMLPropertyListFile.tag[matched] {
                matched += 1
                index += 1
                guard matched == XMLPropertyListFile.tag.count else { continue }
                start = offset + index
                matched = 0
            } else {
                matched = 0
            }
        }
    }
}
