internal import PassVerification

extension VerifiedPass {
    var manifestSHA256: String? { nil }
}
