import Glibc

/// Converts text between character sets with the tables of the C library's iconv, which are files.
@safe package struct CharsetConverter: ~Copyable {
    private let handle: iconv_t

    /// Why there is no converter.
    package enum Failure: Error {
        /// The C library does not know the set.
        case unknownSet
        /// The table cannot be loaded.
        case noTable
    }

    /// - Parameters: Names of sets in the C library, in any case.
    package init(from source: String, to target: String) throws(Failure) {
        // iconv reads options after a slash; untrusted names must not set any. A name without letters
        // and digits is the set of the locale.
        for name in [source, target] {
            guard name.utf8.count <= 64,
                name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }),
                name.utf8.contains(where: { $0.isASCIILetter || $0.isASCIIDigit })
            else { throw .unknownSet }
        }
        let handle = unsafe iconv_open(target, source)
        guard let handle = unsafe handle, Int(bitPattern: handle) != -1 else {
            throw errno == EINVAL ? .unknownSet : .noTable
        }
        unsafe self.handle = unsafe handle
    }

    deinit { _ = unsafe iconv_close(handle) }

    /// The text in the other set.
    ///
    /// - Parameter replacement: Replaces each byte that cannot be converted.
    /// - Returns: Nil for bytes that cannot be converted, if there is no replacement.
    package func convert(_ bytes: [UInt8], replacement: [UInt8]?) -> [UInt8]? {
        var source = bytes.map { CChar(bitPattern: $0) }
        var output: [UInt8] = []
        let isConverted = unsafe source.withUnsafeMutableBufferPointer { input in
            unsafe convert(input.baseAddress, input.count, replacement, into: &output)
        }
        guard isConverted else { return nil }
        // Ends in the initial shift state, for sets such as ISO-2022-JP.
        _ = unsafe step(nil, nil, into: &output)
        return output
    }

    private func convert(
        _ start: UnsafeMutablePointer<CChar>?, _ count: Int, _ replacement: [UInt8]?,
        into output: inout [UInt8]
    ) -> Bool {
        var from = unsafe start
        var left = count
        while left > 0 {
            let (result, code) = unsafe step(&from, &left, into: &output)
            // Counts characters that were replaced by similar ones.
            if result == 0 { return true }
            if result == -1, code == E2BIG { continue }
            guard let replacement else { return false }
            if result != -1 { return true }
            output += replacement
            if code != EILSEQ { return true }
            unsafe from = from?.advanced(by: 1)
            left -= 1
        }
        return true
    }

    /// Fills a buffer once.
    private func step(
        _ from: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
        _ left: UnsafeMutablePointer<Int>?, into output: inout [UInt8]
    ) -> (result: Int, code: CInt) {
        var chunk = [CChar](repeating: 0, count: 1024)
        return unsafe chunk.withUnsafeMutableBufferPointer { room in
            var to = room.baseAddress
            var space = room.count
            let result = unsafe Int(
                truncatingIfNeeded: iconv(handle, from, left, &to, &space))
            let code = errno
            for index in 0..<room.count - space {
                output.append(UInt8(bitPattern: unsafe room[index]))
            }
            return (result, code)
        }
    }
}
