import Foundation

/// The authority of the servers' certificates, made by the openssl program for one run of the tests in a
/// folder beside them, which the next run makes anew.
package final class ServerAuthority: Sendable {
    package static let shared = Result { try ServerAuthority() }

    private let folder: URL

    /// What a client that trusts the authority is given as SSL_CERT_FILE.
    package var path: String { path("authority.pem") }

    private init() throws {
        folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("loopback-authority")
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["authority", "stranger"] {
            try run(
                "openssl", "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:P-256", "-keyout", path("\(name).key"), "-out",
                path("\(name).pem"), "-days", "3650", "-subj", "/CN=Servers on Loopback")
        }
    }

    /// - Parameters:
    ///   - hosts: The subject alternative names, as openssl has them: `DNS:localhost`.
    ///   - commonName: What the subject is called.
    func make(
        _ kind: ServerCertificate.Kind, hosts: [String], commonName: String
    ) throws -> (certificate: String, key: String) {
        let name = UUID().uuidString
        let names = hosts.isEmpty ? "" : "subjectAltName=\(hosts.joined(separator: ","))"
        let extensions = """
            basicConstraints=CA:FALSE
            extendedKeyUsage=serverAuth
            \(names)
            """
        try Data(extensions.utf8).write(to: folder.appendingPathComponent("\(name).ext"))
        try run(
            "openssl", "req", "-new", "-nodes", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:P-256", "-keyout", path("\(name).key"), "-out", path("\(name).csr"),
            "-subj", "/CN=\(commonName)")
        let issuer = kind == .byStranger ? "stranger" : "authority"
        let signer =
            kind == .selfSigned
            ? ["-signkey", path("\(name).key")]
            : ["-CA", path("\(issuer).pem"), "-CAkey", path("\(issuer).key")]
        let time =
            switch kind {
            case .expired: ["faketime", "-f", "-60d"]
            case .notYetValid: ["faketime", "-f", "+60d"]
            default: ["env"]
            }
        try run(
            time + [
                "openssl", "x509", "-req", "-in", path("\(name).csr"), "-days", "30", "-extfile",
                path("\(name).ext"), "-out", path("\(name).pem"),
            ] + signer)
        return (path("\(name).pem"), path("\(name).key"))
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}
