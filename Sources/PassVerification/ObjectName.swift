import Bytes
import CCrypto

/// What an object identifier stands for.
struct ObjectName {
    /// The number that OpenSSL has for it; `NID_undef` when it has none.
    let number: CInt
    /// Its name in words, or in digits.
    let text: String

    /// Nil for bytes that are not the contents of an object identifier.
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

/// The text of an object identifier: its name, or its digits.
func objectText(_ object: OpaquePointer?, inDigits: Bool) -> String {
    var text = [CChar](repeating: 0, count: 128)
    let count = unsafe OBJ_obj2txt(&text, CInt(text.count), object, inDigits ? 1 : 0)
    return String(
        streamSafe: text.prefix(max(0, min(Int(count), text.count - 1))).map(
            UInt8.init(bitPattern:)))
}
