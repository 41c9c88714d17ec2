import Bytes

/// The kind of a directory, determined by its location and entries.
enum FolderKind {
    case plain
    /// Has `cur` and `new`.
    case maildir
    /// `cur` or `new` of a Maildir, or a directory below.
    case deliveries
    case mh
    case appleMail
    /// The `Attachments` folder beside these messages.
    case attachments(of: Path)
    /// The attachments of an existing message.
    case attachmentsOfMessage
    /// The attachments of one part of that message.
    case attachmentsOfPart

    private static let filesOfMH = [
        ".mh_sequences", ".sylpheed_mark", ".sylpheed_cache", ".claws_mark", ".claws_cache",
    ]

    init(_ names: DirectoryNames) {
        if names.contains("cur"), names.contains("new") {
            self = .maildir
        } else if FolderKind.filesOfMH.contains(where: names.contains) {
            self = .mh
        } else if names.contains("Messages"), names.contains("Attachments") {
            self = .appleMail
        } else {
            self = .plain
        }
    }

    /// Whether it is one of Apple Mail's attachment folders.
    var isOfAppleMail: Bool {
        switch self {
        case .attachments, .attachmentsOfMessage, .attachmentsOfPart: true
        case .plain, .maildir, .deliveries, .mh, .appleMail: false
        }
    }

    /// Whether an entry is skipped: a Maildir's `tmp` holds incomplete deliveries.
    func hides(_ name: [UInt8]) -> Bool {
        if case .maildir = self { return name.elementsEqual("tmp".utf8) }
        return false
    }

    /// Whether a file with this name is one message, even if its first lines do not look like one.
    func saysMessage(_ name: [UInt8]) -> Bool {
        switch self {
        case .deliveries: true
        case .mh: name.allSatisfy(\.isASCIIDigit)
        default: false
        }
    }

    /// Whether the files in it were delivered into a Maildir.
    var holdsDeliveries: Bool {
        if case .deliveries = self { return true }
        return false
    }

    /// Whether the files in it belong to an existing message.
    var saysAttachment: Bool {
        if case .attachmentsOfPart = self { return true }
        return false
    }

    /// The kind of a subdirectory with this name; nil if it depends on its contents.
    func kind(of name: [UInt8], in path: Path) -> FolderKind? {
        switch self {
        case .maildir where name.elementsEqual("cur".utf8) || name.elementsEqual("new".utf8):
            return .deliveries
        case .deliveries:
            return .deliveries
        case .appleMail where name.elementsEqual("Attachments".utf8):
            return .attachments(of: path.appending(Array("Messages".utf8)))
        case .attachments(let messages):
            guard name.allSatisfy(\.isASCIIDigit),
                EmlxName.isMessage(name, isPartial: true, in: messages)
                    || EmlxName.isMessage(name, isPartial: false, in: messages)
            else { return nil }
            return .attachmentsOfMessage
        case .attachmentsOfMessage:
            return PartNumber(name) == nil ? nil : .attachmentsOfPart
        default:
            return nil
        }
    }
}
