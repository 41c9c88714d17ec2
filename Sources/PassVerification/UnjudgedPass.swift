import Archives
package import Bytes
package import PassModel

extension Pass {
    /// What a pass file says, whoever made it: for one that was judged before. Nil for what is no pass.
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
