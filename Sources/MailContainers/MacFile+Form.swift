package import Bytes
package import MailSource

extension MacFile {
    /// Decodes a Mac file of this kind; nil if the octets are in none of the formats, or damaged.
    /// `limit` applies to the data fork, in bytes.
    package init?(_ octets: SpooledBytes, _ kind: ContentKind, limit: Int) {
        do throws(MacFileError) {
            switch kind {
            case .file(.appleSingle): try self.init(appleSingle: octets)
            case .macBinary: try self.init(macBinary: octets)
            case .binHex: try self.init(binHex: octets, limit: limit)
            default: return nil
            }
        } catch {
            return nil
        }
    }
}
