import Archives
import Bytes
import MIME
import PassContainers

/// Something that was found and not looked into yet.
struct Closed {
    var place: Place
    let form: Form
    /// How many things were opened to get at it.
    let depth: Int

    enum Form {
        case part(CollectedPart)
        case file(Octets)
        case member(Contents.Member)
        case mailbox(NestedMailbox)
        case tar(TarReader)
        /// What claims to be a pass and was opened as something else, when so many passes had been
        /// reported: if none came of it, it is a malformed one.
        case claim(Octets, reported: Int)
    }

    /// The same, when one more thing around it was opened.
    var opened: Closed { Closed(place: place, form: form, depth: depth + 1) }
}
