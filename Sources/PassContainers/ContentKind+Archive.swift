package import Archives
package import MailSource

extension ContentKind {
    /// The format of an archive that is read sequentially.
    package var archiveFormat: ArchiveFormat? {
        switch self {
        case .tar: .tar
        case .warc: .warc
        case .file(let signature): ArchiveFormat(signature)
        default: nil
        }
    }
}
