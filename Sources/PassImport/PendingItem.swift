import Archives
import Bytes
import MIME
import PassContainers

/// Something that was found and not looked into yet.
struct PendingItem {
    var location: PartLocation
    let kind: Kind
    /// How many things were opened to get at it.
    let depth: Int
    /// Which message of an archive it lies in.
    var message = InnerMessage()

    /// A message in an archive that is no message itself. Each has limits of its own.
    struct InnerMessage {
        /// Counted from 1 in the archive; 0 for what lies in none.
        var number = 0
        /// How much of it was read, in bytes.
        var size = 0
    }

    enum Kind {
        case part(CollectedPart)
        case file(SpooledBytes)
        /// The members of a container that are still to be opened.
        case members(ArraySlice<Contents.Member>)
        case mailbox(NestedMailbox)
        case tar(TarReader)
        /// What claims to be a pass and was opened as something else, when so many passes had been
        /// reported: if none came of it, it is a malformed one.
        case claim(SpooledBytes, reported: Int)
    }

    var isClaim: Bool {
        if case .claim = kind { true } else { false }
    }

    /// The same, when one more thing around it was opened.
    var opened: PendingItem { inner(kind, at: location) }

    /// Something that was found in it.
    func inner(_ kind: Kind, at location: PartLocation) -> PendingItem {
        PendingItem(location: location, kind: kind, depth: depth + 1, message: message)
    }
}
