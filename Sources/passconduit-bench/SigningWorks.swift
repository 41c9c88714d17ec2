/// Signing the passes of a template.
extension Works {
    func sign(_ piece: Piece, _ mode: SigningRun.Mode, jobs: Int) -> Work {
        let signed = SignedPasses(in: corpus.folder)
        return Work(
            name: "sign \(piece.label), \(mode.rawValue), \(jobs.workers)",
            words: [
                programs.built("passconduit-bench"), "sign", "--mode", mode.rawValue, "--workers",
                "\(jobs)", corpus.path(piece), signed.sample, signed.folder,
            ], piece: piece, check: .signed)
    }

    enum PythonSigner: String { case cryptography, openssl }

    /// Uses Debian's Python, which has the package cryptography.
    func signInPython(_ piece: Piece, with signer: PythonSigner) -> Work {
        Work(
            name: signer == .openssl ? "openssl per pass" : "Python, cryptography",
            words: [
                "/usr/bin/python3", programs.reference("sign.py"), signer.rawValue,
                corpus.path(piece), SignedPasses(in: corpus.folder).sample,
            ], piece: piece, check: .signed)
    }
}
