package import Bytes
import MIME

extension MacFile {
    /// Decodes any Mac file format; nil if the octets are in none of them, or damaged. `prefix`
    /// holds the first bytes; `limit` applies to the data fork, in bytes.
    package init?(
        _ octets: SpooledBytes, _ signature: FileSignature?, _ prefix: Span<UInt8>, limit: Int
    ) {
        do throws(MacFileError) {
            if signature == .appleSingle {
                try self.init(appleSingle: octets)
            } else if prefix.count > 1, prefix[0] == 0, prefix[1] != 0 {
                try self.init(macBinary: octets)
            } else if MacFile.announcesBinHex(prefix) {
                try self.init(binHex: octets, limit: limit)
            } else {
                return nil
            }
        } catch {
            return nil
        }
    }

    /// Whether one of the first lines announces BinHex.
    private static func announcesBinHex(_ prefix: Span<UInt8>) -> Bool {
        var position = 0
        while position < prefix.count {
            if BinHexMarker.begins(prefix, at: position) { return true }
            while position < prefix.count, prefix[position] != 0x0A, prefix[position] != 0x0D {
                position += 1
            }
            position += 1
        }
        return false
    }
}
