import CCrypto

extension Secret {
    /// The certificates of a file that may also contain a key, of which nothing is copied.
    ///
    /// - Returns: The blocks of certificates in PEM, or one certificate in DER; empty without one.
    package borrowing func certificates() -> [UInt8] {
        unsafe withUnsafeBytes { bytes in
            guard unsafe bytes.first == BERReader.Tag.sequence else {
                return unsafe certificateBlocks(in: bytes)
            }
            var next = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
            guard let certificate = unsafe d2i_X509(nil, &next, bytes.count) else {
                ERR_clear_error()
                return []
            }
            unsafe X509_free(certificate)
            return unsafe Array(bytes)
        }
    }
}

private let dashes = Array("-----".utf8)
private let beginning = Array(Certificate.pemBeginning.utf8)
private let ending = Array(Certificate.pemEnding.utf8)

/// The blocks from their first to their last dash. A block that another one interrupts is left out.
private func certificateBlocks(in bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var blocks: [UInt8] = []
    var place = 0
    while let start = unsafe index(of: beginning, in: bytes, from: place) {
        place = start + beginning.count
        guard let end = unsafe index(of: dashes, in: bytes, from: place) else { break }
        guard unsafe index(of: ending, in: bytes, from: end) == end else { continue }
        place = end + ending.count
        unsafe blocks += bytes[start..<place]
        blocks.append(UInt8(ascii: "\n"))
    }
    return blocks
}

private func index(
    of text: [UInt8], in bytes: UnsafeRawBufferPointer, from start: Int
) -> Int? {
    guard start <= bytes.count - text.count else { return nil }
    return (start...bytes.count - text.count).first { place in
        text.indices.allSatisfy { unsafe bytes[place + $0] == text[$0] }
    }
}
