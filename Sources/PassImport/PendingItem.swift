import Archives
import Bytes
import MIME
import MailSource
import PassContainers
import PassDetection

/// An item that was found but not examined yet.
struct PendingItem {
    var location: PartLocation
    let kind: Kind
    /// The nesting depth.
    let depth: Int
    /// The message in an archive that contains the item; nil outside of one.
    var message: InnerMessage?

    /// A message in an archive outside of any other message. Each has its own limits.
    struct InnerMessage {
        /// Counted in the archive.
        let number: Int
        /// The number of bytes read of it.
        let size: Int
    }

    enum Kind {
        case part(CollectedPart)
        case file(SpooledBytes)
        /// The members of a container not opened yet.
        case members(Contents.Members)
        case mailbox(NestedMailbox)
        /// With the folders in it that may hold unpacked passes; nil if none is looked for.
        case archive(ArchiveReader, HeldFolders?)
        /// The end of a damaged ZIP archive, for the reason given, after the reader found its
        /// members.
        case archiveEnd(SpooledBytes, ArchiveReader, ZipError)
        /// Archives after one another.
        case archives(ArraySlice<SpooledBytes>)
        /// An item that is declared to be a pass and was opened as a container, with the number of
        /// passes reported before. If it contains no passes, it is a malformed pass.
        case claim(SpooledBytes, reported: Int)
        /// A pass that is not intact, or a stray pass.json, in an archive with members that may be
        /// passes. It is reported if there are none.
        case pass(FoundPass, reported: Int)
    }

    var isClaim: Bool { reportedBefore != nil }

    /// For a claim: the number of passes reported before it was opened.
    var reportedBefore: Int? {
        switch kind {
        case .claim(_, let reported), .pass(_, let reported): reported
        default: nil
        }
    }

    var isNamedAsMail: Bool { location.header.contentHint.contains(.isMail) }

    /// The same, one level deeper.
    var opened: PendingItem { inner(kind, at: location) }

    /// An item found in it.
    func inner(_ kind: Kind, at location: PartLocation) -> PendingItem {
        PendingItem(location: location, kind: kind, depth: depth + 1, message: message)
    }
}
