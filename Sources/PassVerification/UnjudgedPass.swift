import Archives
package import Bytes
package import PassModel

/// A pass file that was verified before, read without verifying it again.
package struct UnjudgedPass {
    package let pass: Pass
    /// Read on demand.
    package let images: PassImages

    /// Nil if it is not a pass.
    package init?(_ octets: SpooledBytes, limits: VerificationLimits = VerificationLimits()) {
        do {
            let archive = try ZipArchive(octets, limits: limits.zip)
            let files = try PassFiles(of: archive, limits: limits, onlyTexts: true)
            guard let json = files.pass else { return nil }
            pass = try Pass(json, files)
            images = PassImages(
                of: archive, localizations: pass.localizations, limits: limits)
        } catch {
            return nil
        }
    }
}
