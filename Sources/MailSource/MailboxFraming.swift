import Bytes

/// How a mailbox other than mbox separates messages.
package enum MailboxFraming: Sendable, Hashable {
    case mmdf, babyl, batchSMTP, dbox, mbx

    init?(_ prefix: Span<UInt8>, from start: Int) {
        if MMDF.begins(prefix, at: start) {
            self = .mmdf
        } else if Babyl.begins(prefix, at: start) {
            self = .babyl
        } else if BatchSMTP.begins(prefix, at: start) {
            self = .batchSMTP
        } else if Dbox.begins(prefix, at: start) {
            self = .dbox
        } else if MBX.begins(prefix, at: start) {
            self = .mbx
        } else {
            return nil
        }
    }

    /// The classifier of its lines.
    var lines: any FramedLines {
        switch self {
        case .mmdf: MMDF()
        case .babyl: Babyl()
        case .batchSMTP: BatchSMTP()
        case .dbox: Dbox()
        case .mbx: MBX()
        }
    }
}
