// swift-tools-version: 6.2
import PackageDescription

/// The compiler's strictest settings, for all of our targets.
let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]

/// A module may import only the modules in its row. The rows follow the stages of the flow, from
/// top to bottom: each stands below the rows of what it imports.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// Tests are compiled more often than they are run, so they are not optimised, even in a release
/// build; the tested code is.
let notOptimised = SwiftSetting.unsafeFlags(["-Onone"], .when(configuration: .release))

func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: dependencies, exclude: exclude,
        swiftSettings: strict + [notOptimised])
}

/// Links a program with Swift's runtime and Foundation, so that it runs without Swift. Only the
/// linker is affected: the tests, which need the shared libraries, use the same build. Relocations
/// are packed, since a program of this size has a hundred thousand of them at its start. The C++
/// runtime, which Foundation needs, is linked statically as well (a linker script with the shared
/// library's name refers to the archive). Libraries that read untrusted bytes stay shared, so that
/// the program gets their updates.
let startsFast = LinkerSetting.unsafeFlags(
    [
        "-use-ld=lld", "-static-stdlib", "-lCoreFoundation", "-l_FoundationICU",
        "-l_FoundationCShims", "-l_FoundationCollections",
        "-L", "\(Context.packageDirectory)/Sources/StaticLibraries",
        "-Xclang-linker", "-static-libgcc", "-Xlinker", "--no-export-dynamic",
        "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
    ],
    .when(platforms: [.linux], configuration: .release))

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdHTTP2 = Target.Dependency.product(
    name: "HummingbirdHTTP2", package: "hummingbird")
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let serviceLifecycle = Target.Dependency.product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle")
let hummingbirdTLS = Target.Dependency.product(name: "HummingbirdTLS", package: "hummingbird")

let package = Package(
    name: "passconduit",
    products: [
        .library(name: "PassModel", targets: ["PassModel"]),
        .library(name: "PassVerification", targets: ["PassVerification"]),
        .library(name: "PassStore", targets: ["PassStore"]),
        .library(name: "PassSigning", targets: ["PassSigning"]),
        .library(name: "PassService", targets: ["PassService"]),
        .library(name: "PassPresentation", targets: ["PassPresentation"]),
        .executable(name: "passconduit", targets: ["passconduit"]),
        .executable(name: "passconduit-deliver", targets: ["passconduit-deliver"]),
        .executable(name: "passconduit-fetch", targets: ["passconduit-fetch"]),
        .executable(name: "passconduit-render", targets: ["passconduit-render"]),
        .executable(name: "passconduit-serve", targets: ["passconduit-serve"]),
        .executable(name: "passconduit-viewer", targets: ["passconduit-viewer"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // The web service, and the HTTP server of the tests.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        // For pushes to devices, and for the HTTP server of the tests.
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    ],
    targets: [
        // System libraries, each imported by one module.
        .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
        // Its functions are loaded when they are needed, so nothing is linked.
        .systemLibrary(name: "CArchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CMagic", pkgConfig: "libmagic", providers: [.apt(["libmagic-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLzma", pkgConfig: "liblzma", providers: [.apt(["liblzma-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CBzip2", providers: [.apt(["libbz2-dev"])]),
        .systemLibrary(name: "CZint", providers: [.apt(["libzint-dev"])]),
        .systemLibrary(
            name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
        .systemLibrary(
            name: "CPixbuf", pkgConfig: "gdk-pixbuf-2.0",
            providers: [.apt(["libgdk-pixbuf-2.0-dev"])]),
        .systemLibrary(name: "CLinux", providers: [.apt(["linux-libc-dev"])]),
        .systemLibrary(name: "CSandbox", providers: [.apt(["linux-libc-dev"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CGettext", providers: [.apt(["libc6-dev"])]),
        .systemLibrary(
            name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(
            name: "CP11Kit", pkgConfig: "p11-kit-1", providers: [.apt(["libp11-kit-dev"])]),
        .systemLibrary(name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),

        // Bytes and the system, archives and compression.
        module("Platform", ["CLinux"]),
        module("Bytes", ["Platform"]),
        module("Archives", ["Bytes", "Platform", "CArchive", "CZip"]),
        module(
            "Compression",
            ["Bytes", "Platform", "Archives", "CZlib", "CLzma", "CZstd", "CBzip2"]),
        // Digests, certificates, keys and CMS signatures.
        module("Cryptography", ["Bytes", "Platform", "CCrypto"]),

        // The rights of a process that reads untrusted bytes.
        module("Confinement", ["Platform", "CSandbox"]),

        // The arguments of a program where /proc is missing.
        // Debian's valgrind cannot read the DWARF 5 that clang writes.
        .target(name: "CArguments", cSettings: [.unsafeFlags(["-gdwarf-4"])]),
        // Lets Dispatch read the status of its threads in a confined program.
        // Debian's valgrind cannot read the DWARF 5 that clang writes.
        .target(name: "CThreadStatus", cSettings: [.unsafeFlags(["-gdwarf-4"])]),

        // The only program that uses the network: it writes answers to files and does not verify
        // them. The other programs have no sockets.
        module("Fetching", ["Platform"]),
        module("PassFetch", ["Bytes", "Platform", "Confinement", "Fetching", "CCurl"]),
        .executableTarget(
            name: "passconduit-fetch", dependencies: ["CArguments", "PassFetch"],
            swiftSettings: strict,
            linkerSettings: [startsFast]),

        // source -> message -> part -> candidate
        module("MailSource", ["Bytes", "Platform"]),
        // Changes in the folders of the sources.
        module("SourceWatch", ["Bytes", "Platform", "MailSource"]),
        module("MIME", ["Bytes", "Platform", "MailSource"]),
        module("MailContainers", ["Bytes", "Platform", "MailSource", "MIME"]),
        module("PassDetection", ["Bytes", "MailSource", "MIME"]),
        module("PassLinks", ["Bytes", "MIME", "PassDetection"]),
        module(
            "PassContainers",
            [
                "Bytes", "Platform", "Archives", "Compression", "MailSource", "MIME",
                "MailContainers", "PassDetection", "CMagic",
            ]),

        // The first stages only, for each message that is delivered. The program is linked
        // statically to start as fast as `cat`, so it must not need Foundation or a system library.
        module(
            "PassDelivery",
            ["Bytes", "Platform", "Confinement", "MailSource", "MIME", "PassDetection"]),
        .executableTarget(
            name: "passconduit-deliver", dependencies: ["CArguments", "PassDelivery"],
            swiftSettings: strict,
            linkerSettings: [.unsafeFlags(["-static-executable", "-use-ld=lld"])]),

        // candidate -> verified pass -> stored pass
        module("PassModel", ["Bytes"]),
        module(
            "PassVerification",
            ["Bytes", "Platform", "Archives", "Cryptography", "PassModel"]),
        module(
            "PassStore",
            [
                "Bytes", "Platform", "Cryptography", "Fetching", "PassModel", "PassVerification",
                grdb,
            ]),

        // Texts in the reader's language.
        module("Localization", ["CGettext"]),

        // The appearance of a pass.
        module("PassAddresses", ["Localization", "PassModel"]),
        module("Barcodes", ["PassModel", "CZint"]),
        // The face of a pass, as Wallet draws it, on any cairo surface.
        module(
            "PassDrawing",
            [
                "Barcodes", "Bytes", "Localization", "PassAddresses", "PassModel",
                "PassVerification", "CPango", "CPixbuf",
            ]),

        // The program that draws untrusted passes: a pass in, an image out. Only passconduit starts
        // it.
        module(
            "PassRendering",
            [
                "Barcodes", "Bytes", "Platform", "CThreadStatus", "Confinement", "Localization",
                "PassDrawing", "PassModel", "PassVerification",
            ]),
        .executableTarget(
            name: "passconduit-render", dependencies: ["CArguments", "PassRendering"],
            swiftSettings: strict,
            linkerSettings: [startsFast]),

        // The files of desktop/, embedded in the program.
        .target(
            name: "DesktopFiles",
            resources: [
                .embedInCode("Resources/org.passconduit.Passconduit.desktop"),
                .embedInCode("Resources/org.passconduit.Open.desktop"),
                .embedInCode("Resources/passconduit.xml"),
                .embedInCode("Resources/org.passconduit.Passconduit.svg"),
                .embedInCode("Resources/org.passconduit.Passconduit-symbolic.svg"),
                .embedInCode("Resources/application-vnd.apple.pkpass.svg"),
                .embedInCode("Resources/mailcap"),
            ],
            swiftSettings: strict),

        // The pipeline.
        module(
            "PassImport",
            [
                "Bytes", "Platform", "Archives", "Compression", "Cryptography", "MailSource",
                "MIME", "MailContainers", "PassDetection", "PassContainers", "PassLinks",
                "PassModel", "PassVerification", "PassStore",
            ]),
        // Downloads, their schedule and their retries.
        module("PassDownloads", ["Bytes", "Platform", "Fetching", "PassStore"]),
        // Updates of passes: their schedule, and the issuers' answers.
        module(
            "PassUpdates",
            [
                "Bytes", "Platform", "Fetching", "MailSource", "PassDownloads", "PassImport",
                "PassModel", "PassStore", "PassVerification",
            ]),
        // A folder -> a signed pass.
        module(
            "PassSigning",
            [
                "Archives", "Barcodes", "Bytes", "Compression", "Platform", "Cryptography",
                "PassModel", "PassVerification", "CP11Kit",
            ]),
        // One interface to SQLite and PostgreSQL.
        module("Databases", ["Bytes", "CPostgreSQL", grdb]),
        // The web service of an issuer: routes, and the store of what is published.
        module(
            "PassService",
            [
                "Bytes", "Platform", "Cryptography", "Databases", "Fetching", "PassModel",
                "PassVerification", "PassSigning", hummingbird, nioSSL,
                serviceLifecycle,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            ]),
        // Texts about passes, for the findings of the modules above.
        module(
            "PassPresentation",
            [
                "Archives", "Barcodes", "Platform", "Compression", "Cryptography", "Fetching",
                "Localization", "MIME", "MailContainers", "MailSource", "PassDetection",
                "PassDownloads",
                "PassImport", "PassLinks", "PassModel", "PassSigning", "PassStore", "PassUpdates",
                "PassVerification",
            ]),
        // How a program begins: its places, its trust, its confinement, its helpers, and what it
        // opens.
        module(
            "PassSession",
            [
                "Barcodes", "Bytes", "Platform", "Confinement", "Fetching", "Localization", "MIME",
                "MailSource", "PassDetection", "PassDownloads", "PassImport", "PassLinks",
                "PassModel", "PassPresentation", "PassSigning", "PassStore", "PassVerification",
                argumentParser,
            ]),
        // The desktop around it: its settings, notifications and terminals.
        module(
            "DesktopIntegration",
            [
                "Bytes", "Platform", "Cryptography", "DesktopFiles", "Localization", "PassImport",
                "PassModel", "PassPresentation", "PassSession", "PassVerification",
            ]),
        module(
            "PassCommands",
            [
                "Barcodes", "Bytes", "Platform", "CThreadStatus", "Confinement", "Cryptography",
                "DesktopIntegration", "Fetching", "Localization", "MIME", "MailSource",
                "PassAddresses", "PassDelivery", "PassDetection", "PassDownloads", "PassImport",
                "PassLinks", "PassModel", "PassPresentation", "PassSession", "PassSigning",
                "PassVerification", "PassStore",
                "PassUpdates", "SourceWatch", argumentParser,
            ]),
        .executableTarget(
            name: "passconduit", dependencies: ["CArguments", "PassCommands"],
            swiftSettings: strict,
            linkerSettings: [startsFast]),

        // The program of the web service: the only one that listens for connections.
        module(
            "ServiceCommands",
            [
                "Localization", "PassModel", "PassPresentation", "PassService", "PassSession",
                "PassSigning", "PassVerification", "Platform", argumentParser, hummingbird,
                "Cryptography", .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                serviceLifecycle,
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]),
        .executableTarget(
            name: "passconduit-serve", dependencies: ["ServiceCommands"], swiftSettings: strict,
            linkerSettings: [startsFast]),

        // The graphical program.
        module(
            "PassViewer",
            [
                "Barcodes", "Bytes", "Platform", "CGTK", "DesktopIntegration", "Localization",
                "MailSource", "PassAddresses", "PassDrawing", "PassImport", "PassModel",
                "PassPresentation", "PassSession", "PassStore", "PassUpdates", "PassVerification",
                argumentParser,
            ]),
        .executableTarget(
            name: "passconduit-viewer", dependencies: ["PassViewer"], swiftSettings: strict,
            linkerSettings: [startsFast]),

        // Its memory counts as that of the programs that it measures, so it must need little.
        .executableTarget(
            name: "passconduit-bench",
            dependencies: [
                "Platform", "Fetching", "PassVerification", "PassSigning", argumentParser,
            ],
            swiftSettings: strict, linkerSettings: [startsFast]),
        // With `--sanitize fuzzer` libFuzzer provides the main function; without it, this exits at
        // once.
        .executableTarget(
            name: "passconduit-fuzz",
            dependencies: [
                "Bytes", "Platform", "Archives", "Compression", "Cryptography", "MailSource",
                "MIME", "MailContainers", "PassDetection", "PassLinks", "PassModel",
                "PassVerification",
            ],
            swiftSettings: strict),

        // Confines itself as its arguments say, and starts the program that tries to break out.
        .executableTarget(
            name: "confinement-probe",
            dependencies: ["Confinement", "Bytes", "Platform", "CThreadStatus"],
            path: "Tests/confinement-probe", swiftSettings: strict),

        // Passes, certificates and samples for the tests, none of them made by the code under test.
        .target(
            name: "PassFixtures", path: "Tests/PassFixtures",
            exclude: ["issuer.py", "postgresql.py", "verdicts.py"], swiftSettings: strict),
        tests("PassFixtures", ["PassFixtures"]),

        // A server on loopback, for tests of fetching.
        .target(
            name: "Loopback",
            dependencies: [
                "PassFixtures", hummingbird, hummingbirdHTTP2, hummingbirdTLS, nioSSL,
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            path: "Tests/Loopback", swiftSettings: strict),

        // A fake of Apple's push service, on loopback.
        .target(
            name: "FakeAPNs",
            dependencies: [
                "PassFixtures", nioHTTP2, nioSSL,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/FakeAPNs", swiftSettings: strict),
        // A program for passconduit-bench that runs the fake push service, or sends pushes to it.
        .executableTarget(
            name: "push-probe",
            dependencies: [
                "FakeAPNs", "PassService", "PassSigning",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/push-probe", swiftSettings: strict),

        tests("Loopback", ["Loopback", "PassFixtures"]),
        tests("Fetching", ["Fetching", "Platform"]),
        tests("Platform", ["Platform"]),
        tests("Bytes", ["Bytes", "Platform"]),
        tests("Confinement", ["Confinement", "Platform"], exclude: ["break_out.py"]),
        tests(
            "Archives", ["Archives", "Bytes", "Compression", "PassFixtures", "Platform"],
            exclude: ["hostile_7z.py"]),
        tests("Compression", ["Archives", "Compression", "Bytes", "Platform", "PassFixtures"]),
        tests(
            "Cryptography", ["Cryptography", "PassFixtures", "Bytes", "Platform"],
            exclude: [
                "changed_numbers.py", "detached_signature.py", "indefinite_lengths.py",
                "pkcs12_file.py",
            ]),
        tests("MailSource", ["MailSource", "Bytes", "Platform"]),
        tests("SourceWatch", ["SourceWatch", "MailSource", "Bytes"]),
        tests(
            "MIME", ["MIME", "PassFixtures", "Bytes"],
            exclude: ["generate_messages.py", "gmime_parts.py"]),
        tests("MailContainers", ["MailContainers", "MIME", "PassFixtures", "Bytes", "Platform"]),
        tests("PassDetection", ["PassDetection", "MIME", "Bytes"]),
        tests(
            "PassLinks", ["PassLinks", "PassDetection", "MIME", "Bytes"],
            exclude: ["generate_links.py", "generate_page_links.py"]),
        tests(
            "PassContainers", ["PassContainers", "PassDetection", "Archives", "Bytes", "Platform"]),
        tests("PassModel", ["PassModel", "Bytes"]),
        tests("PassAddresses", ["PassAddresses", "PassModel"]),
        // Reads barcodes with another program, for tests of drawing.
        .target(name: "BarcodeReading", path: "Tests/BarcodeReading", swiftSettings: strict),
        tests(
            "Barcodes", ["Barcodes", "BarcodeReading", "Bytes", "PassModel", "PassVerification"]),
        tests(
            "PassVerification",
            [
                "PassVerification", "PassFixtures", "PassModel", "Archives", "Bytes",
                "Cryptography", "Platform",
            ]),
        tests(
            "PassDrawing",
            [
                "PassDrawing", "PassFixtures", "BarcodeReading", "Barcodes", "PassVerification",
                "PassModel", "Bytes",
            ]),
        tests(
            "PassStore", ["PassStore", "PassFixtures", "PassVerification", "PassModel", "Platform"]),
        tests("PassDownloads", ["PassDownloads", "PassStore", "Fetching", "Bytes", "Platform"]),
        tests(
            "PassImport",
            [
                "Archives", "PassImport", "PassStore", "PassVerification", "PassContainers",
                "PassDetection", "PassLinks", "MailContainers", "MailSource", "MIME", "Compression",
                "Bytes", "Platform",
            ], exclude: ["generate_source_forms.py"]),
        tests(
            "PassUpdates",
            ["PassUpdates", "Fetching", "PassModel", "PassStore", "PassVerification"]),
        tests(
            "PassSigning",
            [
                "PassSigning", "PassFixtures", "PassModel", "PassVerification", "Platform",
            ],
            exclude: ["Rows/generate_rows.py", "Template/generate_templates.py"]),
        tests("Databases", ["Databases", "PassFixtures"]),
        tests(
            "PassService",
            [
                "PassService", "Cryptography", "Databases", "FakeAPNs", "PassFixtures",
                "PassModel", "PassSigning", "PassVerification", "Bytes", hummingbird,
                serviceLifecycle,
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            exclude: ["device.py", "fuzz.py", "sockets.py", "Push/provider_token.py"]),
        tests("PassDelivery", ["PassDelivery", "MailSource", "Bytes", "Platform"]),
        tests(
            "PassFetch",
            ["PassFetch", "CCurl", "Fetching", "Loopback", "PassDetection", "PassFixtures"],
            exclude: ["certificate_names.py"]),
        tests(
            "PassCommands",
            [
                "DesktopIntegration", "PassCommands", "Fetching", "PassDownloads", "PassFixtures",
                "PassImport", "PassDetection", "PassLinks", "PassModel", "PassPresentation",
                "PassSession", "PassStore", "PassVerification", "MailSource", "Bytes", "Platform",
                argumentParser,
            ]),
        tests(
            "PassSession",
            ["PassSession", "Bytes", "MailSource", "PassLinks", "PassModel", "PassPresentation"]),
        tests(
            "PassPresentation",
            [
                "PassPresentation", "Archives", "Barcodes", "Platform", "Compression",
                "Cryptography", "Fetching", "MIME", "MailContainers", "MailSource", "PassDownloads",
                "PassImport", "PassLinks", "PassModel", "PassSigning", "PassStore", "PassUpdates",
                "PassVerification",
            ]),
        tests(
            "ServiceCommands",
            [
                "ServiceCommands", "PassFixtures", "PassModel", "PassService",
                "PassPresentation", "PassSession", "PassSigning", "PassVerification", "Bytes",
                "Cryptography", "Databases", "FakeAPNs", "Platform", argumentParser,
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["prometheus.py"]),
        tests("PassViewer", ["PassViewer"]),
        tests("DesktopIntegration", ["DesktopIntegration"]),
        tests("DesktopFiles", ["DesktopFiles", "PassDetection"]),
        tests("Localization", ["Localization"]),
        // Reads the built modules of the libraries, and imports none.
        tests("Documentation", [], exclude: ["API"]),
        tests(
            "Command", ["BarcodeReading", "Loopback", "PassFixtures"],
            exclude: [
                "charsets.py", "deliveries.py", "faces", "hostile_mail.py", "lines",
                "windows", "without_landlock.py",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
