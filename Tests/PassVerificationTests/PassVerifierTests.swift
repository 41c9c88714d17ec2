import Foundation
import PassFixtures
import PassModel
import PassVerification
import Testing

@Suite("A verdict depends on trust anchors, limits and a time")
struct PassVerifierTests {
    @Test("another authority's certificate has no path to Apple's anchors")
    func anchors() throws {
        let made = try TestPass().make()
        let verification = PassVerifier().verify(made.bytes)
        #expect(verification.reasonCodes == ["no-path-to-anchor"])
        #expect(verification.signer?.anchor == nil)
    }

    @Test("it returns the signer, the signing time and the identifiers")
    func signer() throws {
        let verification = try PassVerifier.ofTests().verify(try TestPass().make().bytes)
        let signer = try #require(verification.signer)
        #expect(signer.commonName == "Pass Type ID: \(TestAuthority.passType)")
        #expect(signer.passTypeIdentifier == TestAuthority.passType)
        #expect(signer.teamIdentifier == TestAuthority.team)
        #expect(signer.anchor?.name == "Sample Root")
        #expect(signer.anchor?.origin == .own)
        #expect(signer.digest == "SHA256")
        #expect(verification.signedAt == (try Date("2022-06-01T12:00:00Z", strategy: .iso8601)))
        #expect(verification.noteCodes == ["certificate-expired-since"])
        #expect(verification.checks.allSatisfy { $0.outcome == .passed })
        #expect(verification.verified?.pass.serialNumber == "1")
    }

    @Test(
        "a given time is used instead of the signing time",
        arguments: [
            ("2021-06-01T00:00:00Z", Verdict.trusted), ("2020-06-01T00:00:00Z", .untrusted),
            ("2023-06-01T00:00:00Z", .untrusted),
            // RFC 5280, 4.1.2.5: the validity includes both limits.
            ("2020-12-31T23:59:59Z", .untrusted), ("2021-01-01T00:00:00Z", .trusted),
            ("2023-01-01T00:00:00Z", .trusted), ("2023-01-01T00:00:01Z", .untrusted),
        ])
    func time(moment: String, verdict: Verdict) throws {
        let time = try Date(moment, strategy: .iso8601)
        let made = try TestPass().make()
        let verification = try PassVerifier.ofTests(at: time).verify(made.bytes)
        #expect(verification.verdict == verdict)
        #expect(verification.noteCodes == ["judged-at"])
    }

    @Test(
        "every file is counted, even a single one",
        arguments: [
            ("", 5, 3), ("e = [('pass.json', b'{}')]", 1, nil),
            ("e = [('pass.json', b'{}'), ('manifest.json', b'{\"a\": \"b\"}')]", 2, 1),
        ])
    func counts(edit: String, files: Int, listed: Int?) throws {
        var pass = TestPass()
        pass.edit = edit
        let checks = try PassVerifier.ofTests().verify(try pass.make().bytes).checks
        #expect(checks.contains(Check(.archive, .passed(.archive(files: files)))))
        guard let listed else { return }
        #expect(checks.contains(Check(.manifest, .passed(.manifest(files: listed)))))
    }

    @Test("a given time does not replace a missing signing time")
    func missingTime() throws {
        var pass = TestPass()
        pass.options += ["-noattr"]
        let time = try Date("2022-06-01T00:00:00Z", strategy: .iso8601)
        let verification = try PassVerifier.ofTests(at: time).verify(try pass.make().bytes)
        #expect(verification.reasonCodes == ["no-signing-time"])
    }

    @Test("limits apply exactly")
    func limits() throws {
        let bytes = try TestPass().make().bytes
        var limits = VerificationLimits()
        limits.archive = bytes.count
        limits.entries = 5
        #expect(try PassVerifier.ofTests(limits: limits).verify(bytes).verdict == .trusted)
        limits.archive -= 1
        #expect(
            try PassVerifier.ofTests(limits: limits).verify(bytes).reasonCodes == [
                "archive-too-large"
            ])
        limits.archive += 1
        limits.entries -= 1
        #expect(
            try PassVerifier.ofTests(limits: limits).verify(bytes).reasonCodes
                == ["archive-too-many-entries"])
        limits.entries += 1
        limits.certificates = 1
        #expect(
            try PassVerifier.ofTests(limits: limits).verify(bytes).reasons
                == [.signatureOverLimit(.certificates, limit: 1)])
        limits.certificates = 2
        limits.signers = 0
        #expect(
            try PassVerifier.ofTests(limits: limits).verify(bytes).reasons
                == [
                    .signatureOverLimit(.signers, limit: 0),
                    .signatureOverLimit(.digests, limit: 0),
                ])
    }

    @Test("a signature with thousands of digest algorithms is refused before they are computed")
    func digests() throws {
        var pass = TestPass()
        pass.signature = { signature in
            let algorithm: [UInt8] = [0x30, 0x0b, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1]
            guard let set = signature.firstRange(of: [0x31, 0x0d] + algorithm) else { return [] }
            // Indefinite lengths in the outer values prevent the counting: ContentInfo, its
            // content, SignedData.
            let type: [UInt8] = [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 2]
            let head = [0x30, 0x80] + type + [0xa0, 0x80, 0x30, 0x80, 2, 1, 1, 0x31, 0x80]
            let many = Array(repeatElement(algorithm, count: 5_000).joined())
            return head + many + [0, 0] + signature[set.upperBound...] + [0, 0, 0, 0, 0, 0]
        }
        let verification = try PassVerifier.ofTests().verify(try pass.make().bytes)
        #expect(verification.reasons == [.signatureOverLimit(.digests, limit: 8)])
    }

    @Test(
        "a signature above the limit, or with thousands of certificates, takes almost no time")
    func largeSignatures() throws {
        let verifier = try PassVerifier.ofTests()
        var pass = TestPass()
        pass.edit = "e[-1] = ('signature', bytes((128 << 10) + 1))"
        #expect(try verifier.verify(pass.make().bytes).reasonCodes == ["archive-entry-too-large"])
        pass.edit = "e[-1] = ('signature', bytes(128 << 10))"
        #expect(try verifier.verify(pass.make().bytes).reasonCodes == ["signature-unreadable"])

        pass.edit = ""
        pass.signature = { signature in
            let algorithm: [UInt8] = [0x30, 0x0b, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1]
            let type: [UInt8] = [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7]
            let head = [0x30, 0x80] + type + [2, 0xa0, 0x80, 0x30, 0x80, 2, 1, 1, 0x31, 0x0d]
            let certificates = Array(repeatElement([0x30, 0] as [UInt8], count: 33).joined())
            return head + algorithm + [0x30, 0x0b] + type + [1, 0xa0, 0x80] + certificates
                + [0, 0, 0x31, 0, 0, 0, 0, 0, 0, 0]
        }
        #expect(
            try verifier.verify(pass.make().bytes).reasons
                == [.signatureOverLimit(.certificates, limit: 32)])
    }

    @Test("an anchor may be the signer itself, and issues no other unless it is an authority")
    func leafAnchors() throws {
        let anchors = try TrustAnchors(certificates: [TestAuthority.pem("leaf")])
        let verifier = PassVerifier(anchors: anchors)
        let own = verifier.verify(try TestPass().make().bytes)
        #expect(own.reasons.isEmpty)
        var pass = TestPass()
        pass.signers = ["by-leaf"]
        pass.certificates = ["leaf", "intermediate"]
        let verification = verifier.verify(try pass.make().bytes)
        #expect(verification.verdict == .untrusted)
        #expect(verification.signer?.anchor == nil)
    }

    @Test("one verifier serves many threads at once")
    func concurrently() async throws {
        let verifier = try PassVerifier.ofTests()
        let bytes = try TestPass().make().bytes
        let verdicts = await withTaskGroup(of: Verdict.self) { group in
            for _ in 0..<200 { group.addTask { verifier.verify(bytes).verdict } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(verdicts == [.trusted])
    }

    @Test("findings of one kind are listed up to a limit, and then only counted")
    func many() throws {
        var pass = TestPass()
        pass.edit = "e += [(f'x{i:02}', b'') for i in range(25)]"
        let reasons = try PassVerifier.ofTests().verify(try pass.make().bytes).reasons
        #expect(reasons.count == 21)
        #expect(reasons.first == .fileNotListed(path: "x00"))
        #expect(reasons.last == .moreFiles(.notListed, count: 5))
    }

    @Test("a file is verified like its bytes, whatever its size")
    func files() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let bytes = try TestPass().make().bytes
        try Data(bytes).write(to: file)
        let verification = try PassVerifier.ofTests().verify(contentsOf: file)
        #expect(verification.verdict == .trusted)
        let sum = String(
            decoding: try run(["sha256sum"], input: bytes).prefix(64), as: UTF8.self)
        #expect(verification.sha256 == sum)
        var limits = VerificationLimits()
        limits.archive = 100
        let large = try PassVerifier.ofTests(limits: limits).verify(contentsOf: file)
        #expect(large.reasonCodes == ["archive-too-large"])
        #expect(large.sha256.isEmpty)
        #expect(large.size == bytes.count)
    }

    @Test("an unreadable file is an error", arguments: ["/", "/nonexistent", "/proc/self/mem"])
    func unreadable(path: String) throws {
        #expect(throws: UnreadableFile.self) {
            try PassVerifier().verify(contentsOf: URL(filePath: path))
        }
    }

    @Test("no truncation or flipped byte makes a pass trusted, and none causes a trap")
    func damage() throws {
        let bytes = try TestPass().make().bytes
        let verifier = try PassVerifier.ofTests()
        let sound = try #require(verifier.verify(bytes).verified)
        for count in stride(from: 0, to: bytes.count, by: 7) {
            #expect(verifier.verify(Array(bytes[..<count])).verdict == .malformed)
        }
        for index in stride(from: 0, to: bytes.count, by: 3) {
            var changed = bytes
            changed[index] ^= 0x21
            guard let verified = verifier.verify(changed).verified, verified.verdict == .trusted
            else {
                continue
            }
            // Dates, attributes and the like may differ, but not the contents of the pass.
            #expect(verified.pass == sound.pass, "byte \(index)")
        }
    }
}
