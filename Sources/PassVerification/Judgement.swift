import Archives
import Bytes
import Foundation
import PassModel

/// The state of verifying a pass.
struct Judgement {
    private var report = Report()
    private var pass: Pass?
    private var signer: Signer?
    private var signedAt: Date?
    private var manifestSHA256: String?
    private var inflated = 0
    private var textSize = 0

    init() {}

    init(_ finding: Finding) {
        report.answer(.archive, .malformed, [finding], passed: "")
    }

    mutating func readArchive(_ octets: SpooledBytes, _ limits: VerificationLimits) -> PassFiles? {
        do throws(ZipError) {
            let archive = try ZipArchive(octets, limits: limits.zip)
            defer { inflated = archive.inflatedCount }
            let files = try PassFiles(of: archive, limits: limits)
            report.note(files.notes)
            report.answer(
                .archive, .malformed, [],
                passed: "a sound ZIP archive of \(files.hashes.count.files)")
            return files
        } catch {
            report.answer(.archive, .malformed, [.archive(error)], passed: "")
            return nil
        }
    }

    mutating func readPass(_ files: PassFiles) {
        guard let json = files.pass else {
            return report.answer(.pass, .malformed, [.passMissing], passed: "")
        }
        textSize = json.count + files.strings.values.reduce(0) { $0 + $1.count }
        do throws(PassError) {
            let pass = try Pass(json: json, strings: files.strings, images: files.images)
            report.answer(
                .pass, .malformed, [],
                passed: "pass '\(pass.serialNumber)' of type '\(pass.passTypeIdentifier)'")
            let notes = pass.oddities.map { Finding(code: $0.code, detail: $0.detail) }
            report.note(notes)
            report.answer(
                .keys, notes.filter { ["missing-key", "missing-style"].contains($0.code) },
                passed: "all keys are there that Wallet requires")
            report.answer(
                .icon, notes.filter { $0.code == "missing-icon" }, passed: "there is an icon")
            self.pass = pass
        } catch {
            report.answer(.pass, .malformed, [.pass(error)], passed: "")
        }
    }

    mutating func readManifest(_ files: PassFiles, _ limits: VerificationLimits) -> Manifest? {
        guard let bytes = files.manifest else {
            if files.signature != nil {
                report.answer(.manifest, .malformed, [.manifestMissing], passed: "")
            } else {
                report.skip(.manifest, "there is no manifest.json")
            }
            return nil
        }
        do throws(ManifestError) {
            let manifest = try Manifest(bytes, limit: limits.manifestPaths)
            report.note(manifest.notes)
            manifestSHA256 = Digest.sha256(bytes)
            report.answer(
                .manifest, .malformed, [], passed: "it lists \(manifest.hashes.count.files)")
            return manifest
        } catch {
            report.answer(.manifest, .malformed, [.manifest(error)], passed: "")
            return nil
        }
    }

    mutating func readSignature(
        _ files: PassFiles, _ limits: VerificationLimits, _ known: KnownCertificates
    ) -> SignedData? {
        guard let bytes = files.signature else {
            report.answer(.signature, .unsigned, [.unsigned], passed: "")
            return nil
        }
        let excess = SignatureCounts(in: bytes).map { $0.excess(limits) } ?? [.signatureUnreadable]
        guard excess.isEmpty, let signature = SignedData(bytes, known: known) else {
            let findings = excess.isEmpty ? [.signatureUnreadable] : excess
            report.answer(.signature, .malformed, findings, passed: "")
            return nil
        }
        return signature
    }

    /// For an unsigned pass, differences are only notes: anybody could have made a matching
    /// manifest.
    mutating func compare(
        _ files: PassFiles, with manifest: Manifest?, _ limits: VerificationLimits
    ) {
        guard let manifest else {
            return report.skip(.files, "there is no manifest to compare with")
        }
        let listed = manifest.hashes.keys.sorted()
        let missing = listed.filter { files.hashes[$0] == nil }
        let differing = listed.filter {
            guard let hash = files.hashes[$0] else { return false }
            return hash != manifest.hashes[$0] || hash.utf8.count != 40
        }
        let unlisted = files.names.filter { manifest.hashes[$0] == nil }
        var findings: [Finding] = []
        findings += capped(differing, limits.findings, Finding.fileDiffers)
        findings += capped(missing, limits.findings, Finding.fileMissing)
        findings += capped(unlisted, limits.findings, Finding.fileNotListed)
        if files.signature == nil {
            report.note(findings)
            report.answer(.files, findings, passed: "every file is as the manifest says")
        } else {
            report.answer(.files, .tampered, findings, passed: "every file is as the manifest says")
        }
    }

    mutating func judge(
        _ signature: borrowing SignedData, over manifest: [UInt8], at time: Date?,
        by store: borrowing AnchorStore
    ) {
        guard judgeIntegrity(signature, over: manifest), let certificate = signature.signer else {
            return
        }
        signedAt = judgeSigningTime(signature)
        let judged = time ?? signedAt
        var anchor: String?
        if let judged {
            if let time { report.note([.judgedAt(time)]) }
            anchor = judgeChain(store.chain(from: certificate, in: signature, at: judged))
            if time == nil, certificate.notAfter < Date(), certificate.notAfter >= judged {
                report.note([.certificateExpiredSince(certificate.notAfter)])
            }
        } else {
            report.skip(.chain, "not asked: without a signing date nobody knows as of when")
        }
        report.answer(
            .purpose, .untrusted, PassCertificate.judgePurpose(certificate),
            passed: "the certificate is one for passes")
        if let pass {
            report.answer(
                .passType, .untrusted, PassCertificate.judgePassType(certificate, of: pass),
                passed: "the certificate is for '\(pass.passTypeIdentifier)'")
            report.answer(
                .team, .untrusted, PassCertificate.judgeTeam(certificate, of: pass),
                passed: "the certificate is that of team '\(pass.teamIdentifier)'")
        }
        signer = Signer(certificate, digest: signature.digest.name, anchor: anchor)
    }

    /// Whether the signature verifies, so that its attributes are authentic.
    private mutating func judgeIntegrity(
        _ signature: borrowing SignedData, over manifest: [UInt8]
    ) -> Bool {
        let findings = signature.integrity(over: manifest)
        report.answer(.signature, .tampered, findings, passed: "it verifies over manifest.json")
        guard findings.isEmpty else { return false }
        if signature.attachedContent != nil { report.note([.signatureAttached]) }
        let doubts = signature.doubts
        if !doubts.isEmpty { report.answer(.signature, .untrusted, doubts, passed: "") }
        return true
    }

    private mutating func judgeSigningTime(_ signature: borrowing SignedData) -> Date? {
        let passed: String
        var findings: [Finding] = []
        var time: Date?
        switch signature.signingTime {
        case .absent: findings = [.signingTimeMissing]
        case .repeated: findings = [.signingTimeRepeated]
        case .unreadable: findings = [.signingTimeUnreadable]
        case .at(let date):
            time = date
            // The library makes the pass signed last the current one, so signing times in the
            // future are rejected. A day allows for wrong clocks and time zones.
            if date > Date(timeIntervalSinceNow: 86_400) { findings = [.signingTimeInFuture(date)] }
        }
        passed = time.map { "signed at \($0.formatted(.iso8601))" } ?? ""
        report.answer(.signingTime, .untrusted, findings, passed: passed)
        return time
    }

    private mutating func judgeChain(_ chain: CertificateChain) -> String? {
        switch chain {
        case .anchored(let anchor):
            report.answer(.chain, .untrusted, [], passed: "the certificate leads to '\(anchor)'")
            return anchor
        case .failed(let findings):
            report.answer(.chain, .untrusted, findings, passed: "")
            return nil
        }
    }

    func verification(of octets: SpooledBytes, sha256: String, size: Int? = nil) -> Verification {
        let verdict = report.verdict
        var verified: VerifiedPass?
        if let pass, verdict != .malformed, verdict != .tampered {
            verified = VerifiedPass(
                pass: pass, verdict: verdict, reasons: report.reasons, notes: report.notes,
                signedAt: signedAt, sha256: sha256, size: octets.count,
                manifestSHA256: manifestSHA256, octets: octets)
        }
        return Verification(
            verdict: verdict, reasons: report.reasons, notes: report.notes, checks: report.checks,
            signer: signer, signedAt: signedAt, pass: pass, sha256: sha256,
            size: size ?? octets.count, textSize: textSize, inflated: inflated,
            verified: verified)
    }
}

/// One finding per name up to a limit, and the number of the others.
private func capped(
    _ names: [EntryName], _ limit: Int, _ finding: (String) -> Finding
) -> [Finding] {
    let told = names.prefix(limit).map { finding($0.text) }
    guard names.count > limit, let last = told.last else { return told }
    return told + [.more(last.code, names.count - limit)]
}

extension Int {
    /// "1 file", "2 files".
    fileprivate var files: String { self == 1 ? "1 file" : "\(self) files" }
}

extension Signer {
    fileprivate init(_ certificate: borrowing Certificate, digest: String, anchor: String?) {
        self.init(
            commonName: certificate.name,
            passTypeIdentifier: certificate.passTypeIdentifier,
            teamIdentifier: certificate.teamIdentifier, notBefore: certificate.notBefore,
            notAfter: certificate.notAfter, digest: digest, anchor: anchor)
    }
}
