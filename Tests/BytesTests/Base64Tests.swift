import Bytes
import Testing

@Suite("Base64 is decoded as Python's base64 decodes it")
struct Base64Tests {
    /// Written by `base64.b64encode`.
    static let rows: [(encoded: String, hexadecimal: String)] = [
        ("", ""),
        ("nw==", "9f"),
        ("ZEE=", "6441"),
        ("wOW9", "c0e5bd"),
        ("vPvIWw==", "bcfbc85b"),
        ("N86Ry7A=", "37ce91cbb0"),
        ("6mtE8W3X", "ea6b44f16dd7"),
        ("Kf5pvYzrpg==", "29fe69bd8ceba6"),
        ("oH0d7CWxsIc=", "a07d1dec25b1b087"),
        ("7+JsB/8NIdd3", "efe26c07ff0d21d777"),
        ("dzilxnTTf/HBPw==", "7738a5c674d37ff1c13f"),
        ("VTIjpjhBRg1qoeY=", "553223a63841460d6aa1e6"),
        (
            "jWgnKPYQ+xx/2S1fougUeABxUt6oZR8/zll5YWjpM4uH/hoaRc/tklkj1D8D",
            "8d682728f610fb1c7fd92d5fa2e81478007152dea8651f3fce59796168e9338b87fe1a1a45cfed925923d43f03"
        ),
        (
            "INsuu6KaezdslnxoHSiMR7GCnC4hnJXqncwR3kWVBsTxKbJjXtLbKHaLDcNX0xHMSB5qEupChiOe",
            "20db2ebba29a7b376c967c681d288c47b1829c2e219c95ea9dcc11de459506c4f129b2635ed2db28768b0dc357d311cc481e6a12ea4286239e"
        ),
        (
            "S14Rnn7A4HFmXG8geInaITBRdAC5GOv4qmEU37IzXAH77p41qzwKxhnGKTe/48r1N/N/+1mRdSpW3w==",
            "4b5e119e7ec0e071665c6f207889da2130517400b918ebf8aa6114dfb2335c01fbee9e35ab3c0ac619c62937bfe3caf537f37ffb5991752a56df"
        ),
        (
            "DLqeKl3nD0q6dEtQ8msj9ihp6jKWjAqKjlRJ4ERMhq2h2i+gK25sNG3WgS6XzePwNFbz9xfpzbA7qmYyJsJw95aOEPcyQczkV+8aYvBtfUwcoIUFivF2XJFTN2qAGHwqkxuQ7w==",
            "0cba9e2a5de70f4aba744b50f26b23f62869ea32968c0a8a8e5449e0444c86ada1da2fa02b6e6c346dd6812e97cde3f03456f3f717e9cdb03baa663226c270f7968e10f73241cce457ef1a62f06d7d4c1ca085058af1765c9153376a80187c2a931b90ef"
        ),
    ]

    /// The same with invalid characters, which `base64.b64decode` ignores.
    static let rowsWithJunk: [(encoded: String, hexadecimal: String)] = [
        ("Z-LhMJU.M=", "64b84c2543"),
        ("P9\nHXUIZMTS/fID!F79UX4e.A=\r\n=\u{e9}", "3fd1d750864c4d2fdf20317bf545f878"),
        (
            "njFf\r\nnBwG1V\u{e9}wN.wwfr\nKCb wJX\tCW\tB*1cD\u{e9}upJGB\tDe\u{e9}Y7N6z-",
            "9e315f9c1c06d55c0dc307eb2826f0257096075703ba9246043798ecdeb3"
        ),
        (
            "KMPi*g-y5l\nMsjq-UFCMxQ8N3i4buYBY.4H9c0+\u{e9}UnEI3GO Mk3 EY*/L o rhfxrA!T.D\t1u3F9GxI1\u{e9}9llukc/ak\tI",
            "28c3e2832e6532c8ea50508cc50f0dde2e1bb98058e07f5cd3e527108dc638c937118fcba2b85fc6b0130f5bb717d1b1235f6596e91cfda908"
        ),
    ]

    @Test(arguments: rows + rowsWithJunk)
    func decoded(_ row: (encoded: String, hexadecimal: String)) {
        #expect(decode(row.encoded) == row.hexadecimal)
        let unpadded = row.encoded.filter { $0 != "=" }
        #expect(decode(unpadded) == row.hexadecimal)
    }

    @Test(arguments: rows + rowsWithJunk)
    func inPieces(_ row: (encoded: String, hexadecimal: String)) {
        let source = Array(row.encoded.utf8)
        for size in 1...max(source.count, 1) {
            var decoder = Base64()
            var output: [UInt8] = []
            for start in stride(from: 0, to: source.count, by: size) {
                let piece = start..<min(start + size, source.count)
                decoder.decode(source.span, piece, into: &output)
            }
            decoder.finish(into: &output)
            #expect(hexadecimal(output) == row.hexadecimal, "in pieces of \(size)")
        }
    }

    @Test(arguments: [
        ("YQ==YWI=", "61", 3), ("YWI=\n", "6162", 4), ("YQ=\n=", "61", 3), ("=YQ==", "61", 4),
        ("Y=Q==", "61", 4), ("====", "", 4), ("A", "", 1),
    ])
    func stopsBehindPadding(_ row: (encoded: String, hexadecimal: String, end: Int)) {
        let source = Array(row.encoded.utf8)
        var decoder = Base64()
        var output: [UInt8] = []
        let end = decoder.decode(source.span, 0..<source.count, into: &output)
        decoder.finish(into: &output)
        #expect(hexadecimal(output) == row.hexadecimal)
        #expect(end == row.end)
    }

    private func decode(_ text: String) -> String {
        let source = Array(text.utf8)
        return hexadecimal(Base64.decode(source.span, 0..<source.count))
    }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}
