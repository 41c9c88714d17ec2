import Foundation
import PassFixtures
import PassVerification
import Testing

@Suite("Signed attributes are checked strictly")
struct SignedAttributesTests {
    @Test(
        "signed attributes that openssl would not write",
        arguments: [
            ("pass", Verdict.trusted, []),
            // RFC 5652, 5.3 requires sorted attributes, but four of a hundred real signatures have
            // others.
            ("attributes.reverse()", .trusted, []),
            // OpenSSL does not verify a signature with two signing times.
            ("attributes.append(time('220101000000Z'))", .tampered, ["signature-mismatch"]),
            (
                "attributes[t] = time('220101000000Z', '220601000000Z')", .tampered,
                ["signature-mismatch"]
            ),
            ("attributes[t] = time()", .tampered, ["signature-mismatch"]),
            ("attributes[t] = time('hello')", .untrusted, ["signing-time-unreadable"]),
            ("attributes[t] = time('20220601000000Z', tag=0x18)", .trusted, []),
            (
                "attributes[t] = time('220601000000Z', tag=0x0c)", .untrusted,
                ["signing-time-unreadable"]
            ),
            ("del attributes[t]", .untrusted, ["no-signing-time"]),
            ("attributes[t] = time('991231000000Z')", .untrusted, ["certificate-not-valid"]),
            // A time stamp, although the message itself says that it is data.
            (
                """
                data_type = bytes.fromhex('2a864886f70d010701')
                stamp_type = bytes.fromhex('2a864886f70d0109100104')
                attributes = [
                    (0x30, value(6, bytes.fromhex('2a864886f70d010903'))
                        + value(0x31, value(6, stamp_type))) if data_type in v[1] else v
                    for v in attributes]
                """, .untrusted, ["unexpected-content-type"]
            ),
        ] as [(String, Verdict, [String])])
    func attributes(edit: String, verdict: Verdict, reasons: [String]) throws {
        var pass = TestPass()
        pass.signature = { (try? TestAuthority.sign(again: $0, by: "leaf", edit)) ?? [] }
        let made = try pass.make()
        let verification = try PassVerifier.ofTests().verify(made.bytes)
        #expect(verification.reasonCodes == reasons)
        #expect(verification.verdict == verdict)
        let (signature, manifest) = (
            try #require(made.signature), try #require(made.manifest)
        )
        let agrees = try TestAuthority.opensslVerifies(signature, over: manifest)
        #expect(agrees == (verdict != .tampered))
    }

    /// Five minutes on both sides of the day are enough, since the test takes seconds.
    @Test(
        "a signing time may be up to a day ahead, since clocks and time zones differ",
        arguments: [
            (86_400 - 300, Verdict.trusted, []),
            (86_400 + 300, .untrusted, ["signing-time-in-future"]),
            (30 * 86_400, .untrusted, ["signing-time-in-future"]),
        ] as [(Int, Verdict, [String])])
    func ahead(seconds: Int, verdict: Verdict, reasons: [String]) throws {
        let edit = """
            import datetime as d
            ahead = d.datetime.now(d.timezone.utc) + d.timedelta(seconds=\(seconds))
            attributes[t] = time(ahead.strftime('%y%m%d%H%M%SZ'))
            """
        var pass = TestPass()
        pass.signers = ["by-root"]
        pass.certificates = []
        pass.signature = { (try? TestAuthority.sign(again: $0, by: "by-root", edit)) ?? [] }
        let verification = try PassVerifier.ofTests().verify(try pass.make().bytes)
        #expect(verification.reasonCodes == reasons)
        #expect(verification.verdict == verdict)
    }
}

extension TestAuthority {
    /// The signature, with its signed attributes edited in Python and signed again.
    static func sign(again signature: [UInt8], by signer: String, _ edit: String) throws -> [UInt8]
    {
        let program = """
            import sys, subprocess
            def values(b):
                out = []
                while b:
                    n, s = b[1], 2
                    if n & 0x80: n, s = int.from_bytes(b[2:2 + (n & 0x7f)], 'big'), 2 + (n & 0x7f)
                    out.append((b[0], b[s:s + n])); b = b[s + n:]
                return out
            def value(tag, b):
                n = len(b)
                size = bytes([n] if n < 128 else [0x81, n] if n < 256 else [0x82, n >> 8, n & 255])
                return bytes([tag]) + size + b
            def join(vs): return b''.join(value(*v) for v in vs)
            clock = bytes.fromhex('06092a864886f70d010905')
            def time(*texts, tag=0x17):
                return (0x30, clock + value(0x31, b''.join(value(tag, x.encode()) for x in texts)))
            info = values(values(sys.stdin.buffer.read())[0][1])
            data = values(values(info[1][1])[0][1])
            signer = values(values(data[-1][1])[0][1])
            a = next(i for i, v in enumerate(signer) if v[0] == 0xa0)
            attributes = values(signer[a][1])
            t = next(i for i, v in enumerate(attributes) if v[1].startswith(clock))
            \(edit)
            signed = value(0x31, join(attributes))
            key = ['openssl', 'dgst', '-sha256', '-sign', sys.argv[1]]
            signer[a] = (0xa0, join(attributes))
            signer[a + 2] = (0x04, subprocess.run(key, input=signed, capture_output=True).stdout)
            data[-1] = (0x31, value(0x30, join(signer)))
            info[1] = (0xa0, value(0x30, join(data)))
            sys.stdout.buffer.write(value(0x30, join(info)))
            """
        return try run(
            ["python3", "-c", program, certificate(signer).keyPath], input: signature)
    }
}
