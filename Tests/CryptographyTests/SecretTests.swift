import Testing

@testable import Cryptography

@Suite("A secret holds exactly the bytes that were read")
struct SecretTests {
    private struct Failure: Error {}

    @Test("of every length", arguments: [0, 1, 4095, 4096, 4097, 100_000])
    func copies(count: Int) {
        let expected = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
        let secret = Secret(expected)
        #expect(secret.count == count)
        #expect(bytes(secret) == expected)
    }

    @Test("bytes that are not part of it are zeroed, and a zero follows")
    func rest() {
        let secret = unsafe Secret(capacity: 8) { space in
            unsafe space.copyBytes(from: Array("sesame\n\n".utf8))
            return 6
        }
        #expect(secret.count == 6)
        let memory = unsafe secret.withUnsafeBytes { bytes in
            unsafe Array(UnsafeRawBufferPointer(start: bytes.baseAddress, count: 9))
        }
        #expect(memory == Array("sesame\0\0\0".utf8))
    }

    @Test("the memory to fill is zeroed and has the requested size")
    func space() {
        let secret = unsafe Secret(capacity: 5000) { space in
            let isZero = unsafe space.count == 5000 && space.allSatisfy { $0 == 0 }
            return isZero ? 1 : 0
        }
        #expect(secret.count == 1)
    }

    @Test("a wrong count is brought into range", arguments: [(-1, 0), (9, 8), (Int.max, 8)])
    func counts(count: Int, expected: Int) {
        let secret = unsafe Secret(capacity: 8) { _ in count }
        #expect(secret.count == expected)
    }

    @Test("an error while it is read is passed on")
    func failure() {
        #expect(throws: Failure.self) {
            _ = try unsafe Secret(capacity: 8) { _ throws(Failure) in throw Failure() }
        }
    }
}
