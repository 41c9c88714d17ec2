package import Bytes
import PassContainers

extension DownloadedFile {
    /// What it is, for a person who expected a pass: mostly a media type, as libmagic names it.
    package func kind() throws(FileError) -> String {
        let octets = try octets()
        if octets.isEmpty { return "an empty file" }
        return FileTypes().mediaType(of: octets) ?? "nothing that is known"
    }
}
