package import Bytes
import PassContainers

extension DownloadedFile {
    /// What it is, for a person who expected a pass.
    package func type() throws(FileError) -> FileType {
        let octets = try octets()
        if octets.isEmpty { return .empty }
        return FileTypes().mediaType(of: octets).map { .media($0) } ?? .unknown
    }
}
