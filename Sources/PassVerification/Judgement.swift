import Archives
import Bytes
import Cryptography
import Foundation
import PassModel

/// The state of verifying a pass.
struct Judgement {
    private var report = Report()
    private var pass: Pass?
    private var signer: Signer?
    private var signedAt: Date?
    private var manifestSHA256: String?
    private var statement: String?
    private var inflated = 0
    private var textSize = 0

    init() {}

    init(_ finding: Finding) {
        report.fail(.archive, .malformed, [finding])
    }

    /// Reads the files of an archive, if it could be opened.
    mutating func readArchive(
        _ archive: Result<ZipArchive, ZipError>, _ limits: VerificationLimits
    ) -> PassFiles? {
        do throws(ZipError) {
            let archive = try archive.get()
            defer { inflated = archive.inflatedCount }
            let files = try PassFiles(of: archive, limits: limits)
            report.note(files.notes)
            report.pass(.archive, .archive(files: files.hashes.count))
            return files
        } catch {
            report.fail(.archive, .malformed, [.archive(ArchiveFault(error))])
            return nil
        }
    }

    mutating func readPass(_ files: PassFiles) {
        guard let json = files.pass else {
            return report.fail(.pass, .malformed, [.passMissing])
        }
        textSize = json.count + files.strings.values.reduce(0) { $0 + $1.count }
        do throws(PassError) {
            let pass = try Pass(json, files)
            report.pass(
                .pass,
                .pass(serialNumber: pass.serialNumber, passType: pass.passTypeIdentifier))
            let notes = pass.oddities.map { Finding.oddity($0) }
            report.note(notes)
            report.answer(
                .keys, nil, notes.filter { ["missing-key", "missing-style"].contains($0.code) },
                passed: .keysPresent)
            report.answer(
                .icon, nil, notes.filter { $0 == .oddity(.missingIcon) }, passed: .iconPresent)
            self.pass = pass
        } catch {
            report.fail(.pass, .malformed, [.pass(error)])
        }
    }

    mutating func readManifest(_ files: PassFiles, _ limits: VerificationLimits) -> Manifest? {
        guard let bytes = files.manifest else {
            if files.signature != nil {
                report.fail(.manifest, .malformed, [.manifestMissing])
            } else {
                report.skip(.manifest, .noManifest)
            }
            return nil
        }
        do throws(ManifestError) {
            let manifest = try Manifest(bytes, limit: limits.manifestPaths)
            report.note(manifest.notes)
            manifestSHA256 = Digest.sha256(bytes)
            report.pass(.manifest, .manifest(files: manifest.hashes.count))
            return manifest
        } catch {
            report.fail(.manifest, .malformed, [.manifest(error)])
            return nil
        }
    }

    mutating func readSignature(
        _ files: PassFiles, _ limits: VerificationLimits, _ known: KnownCertificates
    ) -> SignedData? {
        guard let bytes = files.signature else {
            report.fail(.signature, .unsigned, [.unsigned])
            return nil
        }
        let excess = SignatureCounts(in: bytes).map { $0.excess(limits) } ?? [.signatureUnreadable]
        guard excess.isEmpty, let signature = SignedData(bytes, known: known) else {
            let findings = excess.isEmpty ? [.signatureUnreadable] : excess
            report.fail(.signature, .malformed, findings)
            return nil
        }
        return signature
    }

    /// For an unsigned pass, differences are only notes, since anybody could write a matching
    /// manifest.
    mutating func compare(
        _ files: PassFiles, with manifest: Manifest?, _ limits: VerificationLimits
    ) {
        guard let manifest else {
            return report.skip(.files, .noManifestToCompare)
        }
        let listed = manifest.hashes.keys.sorted()
        let missing = listed.filter { files.hashes[$0] == nil }
        let differing = listed.filter {
            guard let hash = files.hashes[$0] else { return false }
            return hash != manifest.hashes[$0] || hash.utf8.count != 40
        }
        // The Finder packs a folder along with metadata beside it (VIOLATIONS.md, P33).
        let unlisted = files.names.filter {
            manifest.hashes[$0] == nil && !files.besideFolder.contains($0)
        }
        var findings: [Finding] = []
        findings += capped(differing, limits.findings, .differs, Finding.fileDiffers)
        findings += capped(missing, limits.findings, .missing, Finding.fileMissing)
        findings += capped(unlisted, limits.findings, .notListed, Finding.fileNotListed)
        let isSigned = files.signature != nil
        if !isSigned { report.note(findings) }
        report.answer(.files, isSigned ? .tampered : nil, findings, passed: .filesMatch)
    }

    mutating func judge(
        _ signature: borrowing SignedData, over manifest: [UInt8], at time: Date?,
        by store: borrowing AnchorStore
    ) {
        guard judgeIntegrity(signature, over: manifest), let certificate = signature.signer else {
            return
        }
        statement = signature.statement(over: manifest)
        signedAt = judgeSigningTime(signature)
        let judged = time ?? signedAt
        var anchor: TrustAnchor?
        if let judged {
            if let time { report.note([.judgedAt(time)]) }
            let type = pass?.passTypeIdentifier ?? certificate.passTypeIdentifier ?? ""
            anchor = judgeChain(
                store.chain(from: certificate, in: signature, at: judged, for: type))
            // VIOLATIONS.md, C7: expired since then.
            if time == nil, certificate.notAfter < Date(), certificate.notAfter >= judged {
                report.note([.certificateExpiredSince(certificate.notAfter)])
            }
        } else {
            report.skip(.chain, .noSigningTime)
        }
        report.answer(
            .purpose, .untrusted, PassCertificate.judgePurpose(certificate),
            passed: .certificateForPasses)
        report.note(PassCertificate.notes(on: certificate))
        if let pass {
            report.answer(
                .passType, .untrusted, PassCertificate.judgePassType(certificate, of: pass),
                passed: .certificateFor(passType: pass.passTypeIdentifier))
            report.answer(
                .team, .untrusted, PassCertificate.judgeTeam(certificate, of: pass),
                passed: .certificateOf(team: pass.teamIdentifier))
        }
        signer = Signer(certificate, digest: signature.digest.name, anchor: anchor)
    }

    /// Whether the signature verifies, so that its attributes are authentic.
    private mutating func judgeIntegrity(
        _ signature: borrowing SignedData, over manifest: [UInt8]
    ) -> Bool {
        let findings = signature.integrity(over: manifest)
        report.answer(.signature, .tampered, findings, passed: .signatureVerifies)
        guard findings.isEmpty else { return false }
        if signature.attachedContent != nil { report.note([.signatureAttached]) }
        let doubts = signature.doubts
        if !doubts.isEmpty { report.fail(.signature, .untrusted, doubts) }
        return true
    }

    private mutating func judgeSigningTime(_ signature: borrowing SignedData) -> Date? {
        switch signature.signingTime {
        case .absent: report.fail(.signingTime, .untrusted, [.signingTimeMissing])
        case .repeated: report.fail(.signingTime, .untrusted, [.signingTimeRepeated])
        case .unreadable: report.fail(.signingTime, .untrusted, [.signingTimeUnreadable])
        case .at(let date):
            // VIOLATIONS.md, C4: a day ahead of the clock.
            // The library makes the pass with the latest signing time the current version, so
            // signing times in the future are rejected. One day is allowed for wrong clocks and
            // time zones.
            let isAhead = date > Date(timeIntervalSinceNow: 86_400)
            report.answer(
                .signingTime, .untrusted, isAhead ? [.signingTimeInFuture(date)] : [],
                passed: .signed(at: date))
            return date
        }
        return nil
    }

    private mutating func judgeChain(_ chain: AnchoredChain) -> TrustAnchor? {
        switch chain {
        case .anchored(let anchor):
            report.pass(.chain, .anchored(to: anchor.name))
            return anchor
        case .failed(let findings):
            report.fail(.chain, .untrusted, findings)
            return nil
        }
    }

    func verification(of octets: SpooledBytes, sha256: String, size: Int? = nil) -> Verification {
        let verdict = report.verdict
        var verified: VerifiedPass?
        if let pass, verdict != .malformed, verdict != .tampered {
            verified = VerifiedPass(
                pass: pass, verdict: verdict, reasons: report.reasons, notes: report.notes,
                signedAt: signedAt, anchor: signer?.anchor, sha256: sha256, size: octets.count,
                manifestSHA256: manifestSHA256, statement: statement, octets: octets)
        }
        return Verification(
            verdict: verdict, reasons: report.reasons, notes: report.notes, checks: report.checks,
            signer: signer, signedAt: signedAt, pass: pass, sha256: sha256,
            size: size ?? octets.count, textSize: textSize, inflated: inflated,
            verified: verified)
    }
}

/// One finding per name up to a limit, then one with the number of the others.
private func capped(
    _ names: [EntryName], _ limit: Int, _ fault: FileFault, _ finding: (String) -> Finding
) -> [Finding] {
    let told = names.prefix(limit).map { finding($0.text) }
    guard names.count > limit else { return told }
    return told + [.moreFiles(fault, count: names.count - limit)]
}

extension Signer {
    fileprivate init(_ certificate: borrowing Certificate, digest: String, anchor: TrustAnchor?) {
        self.init(
            commonName: certificate.name,
            passTypeIdentifier: certificate.passTypeIdentifier,
            teamIdentifier: certificate.teamIdentifier, notBefore: certificate.notBefore,
            notAfter: certificate.notAfter, digest: digest, anchor: anchor)
    }
}
