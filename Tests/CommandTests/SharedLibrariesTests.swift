import Foundation
import PassFixtures
import Testing

@Suite("Updates of the system's libraries reach all programs")
struct SharedLibrariesTests {
    /// Excludes passconduit-serve: it contains BoringSSL, since SwiftNIO has no other TLS, and an
    /// unused copy of zlib.
    private static let programs = [
        "passconduit", "passconduit-deliver", "passconduit-fetch", "passconduit-render",
        "passconduit-viewer",
    ]

    /// One function of each library: OpenSSL and BoringSSL, zlib, bzip2, liblzma, Zstandard,
    /// libzip, libarchive, libcurl, libpng, libjpeg.
    private static let functions = [
        "SSL_new", "EVP_DigestInit_ex", "inflateInit2_", "BZ2_bzDecompress", "lzma_code",
        "ZSTD_decompressStream", "zip_fopen", "archive_read_data", "curl_easy_perform",
        "png_read_image", "jpeg_read_header",
    ]

    private func symbols(_ program: String, _ option: String) throws -> Set<String> {
        let path = Program.folder.appending(path: program).path
        let lines = String(decoding: try run(["nm", option, path], input: []), as: UTF8.self)
        return Set(
            lines.split(separator: "\n").compactMap { line in
                let name = line.split(separator: " ").last ?? ""
                // Without the version of the library, such as `SSL_new@OPENSSL_3.0.0`.
                return name.split(separator: "@").first.map(String.init)
            })
    }

    @Test("no program contains a library for TLS, compression or images", arguments: programs)
    func none(program: String) throws {
        let defined = try symbols(program, "--defined-only")
        try #require(defined.contains("main"), "the program has no symbols to examine")
        let own = Self.functions.filter { function in
            // BoringSSL's functions have a prefix.
            defined.contains { $0 == function || $0.hasSuffix("_\(function)") }
        }
        #expect(own.isEmpty)
    }

    @Test(
        "the programs that use such a library use the system's",
        arguments: [
            ("passconduit", "inflateInit2_"), ("passconduit", "EVP_DigestInit_ex"),
            ("passconduit", "zip_fopen_index"), ("passconduit-fetch", "curl_easy_init"),
            ("passconduit-serve", "PQexecPrepared"), ("passconduit-serve", "EVP_DigestInit_ex"),
            ("passconduit-serve", "inflateInit2_"),
        ])
    func shared(program: String, function: String) throws {
        let undefined = try symbols(program, "--undefined-only")
        #expect(undefined.contains(function))
    }
}
