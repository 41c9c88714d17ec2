package import Bytes
import PassContainers

extension DownloadedFile {
    /// A description of the file for a user who expected a pass, usually the media type by
    /// libmagic.
    package func kind() throws(FileError) -> String {
        let octets = try octets()
        if octets.isEmpty { return "an empty file" }
        return FileTypes().mediaType(of: octets) ?? "nothing that is known"
    }
}
