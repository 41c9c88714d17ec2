import Bytes
import PassContainers
package import Platform

extension DownloadedFile {
    /// The type of the file, to explain why it is not a pass.
    package func type() throws(FileError) -> FileType {
        let octets = try octets()
        if octets.isEmpty { return .empty }
        return FileTypes().mediaType(of: octets).map { .media($0) } ?? .unknown
    }
}
