/// Bytes that begin like a ZIP archive and contain all line ends and a byte that is not text, with
/// their encodings by Python's base64, quopri and binascii.
enum Payload {
    static let bytes: [UInt8] =
        Array("PK\u{3}\u{4}\u{14}\0 payload\r\nFrom three\nlines = 100 % ".utf8)
        + [0xFF, 0xFE, 0x2E, 0x0A, 0x21]
    static let base64 = "UEsDBBQAIHBheWxvYWQNCkZyb20gdGhyZWUKbGluZXMgPSAxMDAgJSD//i4KIQ=="
    static let quotedPrintable =
        "PK=03=04=14=00 payload=0D=0AFrom three=0Alines =3D 100 % =FF=FE.=0A!"
    static let uuencoded = "begin 644 ticket.pkpass\n" + uuencodedLines + "`\nend\n"
    static let uuencodedLines =
        "M4$L#!!0 (\'!A>6QO860-\"D9R;VT@=&AR964*;&EN97,@/2 Q,# @)2#__BX*\n!(0  \n"
    static let yEncoded: [UInt8] =
        Array("=ybegin line=128 size=46 name=ticket.pkpass\nzu-.>*J".utf8)
        + [
            0x9A, 0x8B, 0xA3, 0x96, 0x99, 0x8B, 0x8E, 0x37, 0x34, 0x70, 0x9C, 0x99, 0x97, 0x4A,
            0x9E,
            0x92, 0x9C, 0x8F, 0x8F, 0x34, 0x96, 0x93, 0x98, 0x8F, 0x9D, 0x4A, 0x67, 0x4A, 0x5B,
            0x5A,
            0x5A, 0x4A, 0x4F, 0x4A, 0x29, 0x28, 0x58, 0x34, 0x4B,
        ] + Array("\n=yend size=46\n".utf8)
}
