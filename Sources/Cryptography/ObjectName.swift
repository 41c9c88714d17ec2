import Bytes
import CCrypto

/// The name of an object identifier.
struct ObjectName {
    /// OpenSSL's number (NID); `NID_undef` if unknown.
    let number: CInt
    /// The name, or the dotted number.
    let text: String

    /// Nil if the bytes are not the contents of an object identifier.
    init?(_ contents: [UInt8]) {
        let der = [BERReader.Tag.objectIdentifier, UInt8(clamping: contents.count)] + contents
        let parsed = unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_ASN1_OBJECT(nil, &next, bytes.count)
        }
        ERR_clear_error()
        guard let object = unsafe parsed else { return nil }
        defer { unsafe ASN1_OBJECT_free(object) }
        number = unsafe OBJ_obj2nid(object)
        text = unsafe objectText(object, inDigits: false)
    }
}

/// The name of an object identifier, or its dotted number.
func objectText(_ object: OpaquePointer?, inDigits: Bool) -> String {
    var text = [CChar](repeating: 0, count: 128)
    let count = unsafe OBJ_obj2txt(&text, CInt(text.count), object, inDigits ? 1 : 0)
    return String(
        streamSafe: text.prefix(max(0, min(Int(count), text.count - 1))).map(
            UInt8.init(bitPattern:)))
}
