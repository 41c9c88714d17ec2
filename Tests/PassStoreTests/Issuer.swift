import Foundation

/// Issues passes with the tools an issuer uses; its keys last as long as the test.
struct Issuer {
    let certificate: [UInt8]
    private let scratch = Scratch()

    struct Failed: Error { let errors: String }

    init() throws {
        try FileManager.default.createDirectory(
            at: scratch.url, withIntermediateDirectories: true)
        let extensions = """
            extendedKeyUsage = 1.2.840.113635.100.4.14
            1.2.840.113635.100.6.1.16 = ASN1:UTF8String:pass.com.example.ticket
            """
        try Data(extensions.utf8).write(to: scratch.url.appendingPathComponent("extensions"))
        let folder = scratch.url
        try shell(
            """
            openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj '/CN=Example Authority' \
                -keyout ca.key -out ca.pem
            openssl req -newkey rsa:2048 -nodes -keyout leaf.key -out leaf.csr \
                -subj '/UID=pass.com.example.ticket/CN=Example/OU=A1B2C3D4E5'
            openssl x509 -req -in leaf.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 20 \
                -extfile extensions -out leaf.pem
            """, in: folder)
        certificate = Array(try Data(contentsOf: folder.appendingPathComponent("ca.pem")))
    }

    func sign(_ pass: TestPass) throws -> [UInt8] {
        let json = scratch.url.appendingPathComponent("pass.json")
        try pass.json.write(to: json)
        try shell(
            """
            printf '{"pass.json":"%s"}' "$(openssl dgst -sha1 -r pass.json | cut -c1-40)" \
                > manifest.json
            openssl smime -sign -binary -outform DER -signer leaf.pem -inkey leaf.key \
                -in manifest.json -out signature
            python3 -c 'import zipfile
            with zipfile.ZipFile("pass.pkpass", "w") as archive:
                for name in "pass.json", "manifest.json", "signature": archive.write(name)'
            """, in: scratch.url)
        return Array(try Data(contentsOf: scratch.url.appendingPathComponent("pass.pkpass")))
    }

    /// As a gateway does it: other order, compressed.
    func repack(_ file: [UInt8]) throws -> [UInt8] {
        try Data(file).write(to: scratch.url.appendingPathComponent("old.pkpass"))
        try shell(
            """
            python3 -c 'import zipfile
            old = zipfile.ZipFile("old.pkpass")
            with zipfile.ZipFile("new.pkpass", "w", zipfile.ZIP_DEFLATED) as archive:
                for name in reversed(old.namelist()): archive.writestr(name, old.read(name))'
            """, in: scratch.url)
        return Array(try Data(contentsOf: scratch.url.appendingPathComponent("new.pkpass")))
    }
}

private func shell(_ script: String, in folder: URL) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-e", "-c", script]
    process.currentDirectoryURL = folder
    let log = folder.appendingPathComponent("log")
    try Data().write(to: log)
    process.standardOutput = try FileHandle(forWritingTo: log)
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw Issuer.Failed(errors: String(decoding: try Data(contentsOf: log), as: UTF8.self))
    }
}
