import Archives
package import Bytes
package import PassModel

extension Pass {
    /// Reads a pass file without verification, if it was verified before. Nil if it is not a pass.
    package init?(unjudged octets: SpooledBytes, limits: VerificationLimits = VerificationLimits())
    {
        do {
            let archive = try ZipArchive(octets, limits: limits.zip)
            let files = try PassFiles(of: archive, limits: limits, onlyTexts: true)
            guard let json = files.pass else { return nil }
            try self.init(json: json, strings: files.strings, images: files.images)
        } catch {
            return nil
        }
    }
}
