public import Foundation
public import PassVerification

/// Where the passes and the certificates of the user are.
///
/// ``default`` is the one place in these libraries that looks into the environment for them. It finds the
/// folders that the command `passconduit` uses:
///
/// | folder | location |
/// |---|---|
/// | ``library`` | `$PASSCONDUIT_LIBRARY`, or `passconduit` in `$XDG_DATA_HOME` (`~/.local/share`) |
/// | ``trustFolder`` | `passconduit/trust` in `$XDG_CONFIG_HOME` (`~/.config`) |
///
/// Empty variables count as unset. The XDG Base Directory Specification says to ignore relative
/// paths in its variables; a relative `PASSCONDUIT_LIBRARY` is relative to the working directory.
///
/// ```swift
/// let locations = PassLocations.default
/// print(locations.library.path, locations.trustFolder.path)
/// ```
public struct PassLocations: Sendable, Hashable {
    package let libraryPath: String
    package let trustPath: String

    /// The locations for these environment variables.
    ///
    /// ```swift
    /// let locations = PassLocations(environment: ["XDG_DATA_HOME": "/srv/passes"])
    /// print(try PassLibrary(at: locations.library).count())
    /// ```
    ///
    /// - Parameter environment: Variables by name. Without `HOME`, the home folder is that of the
    ///   process (`NSHomeDirectory()`).
    public init(environment: [String: String]) {
        let folders = BaseFolders(environment)
        libraryPath = folders["PASSCONDUIT_LIBRARY"] ?? folders.data + "/passconduit"
        trustPath = folders.settings + "/passconduit/trust"
    }

    /// The locations for the environment variables of this process.
    ///
    /// ```swift
    /// print(PassLocations.default.library.path)
    /// ```
    public static var `default`: PassLocations {
        PassLocations(environment: ProcessInfo.processInfo.environment)
    }

    /// The folder of the library, which need not exist.
    ///
    /// ```swift
    /// let library = try PassLibrary(at: PassLocations.default.library, for: .writing)
    /// print(try library.add([incoming]))
    /// ```
    public var library: URL { URL(fileURLWithPath: libraryPath, isDirectory: true) }

    /// The folder of the certificates that the user trusts in addition to Apple's, for
    /// ``/PassVerification/TrustFolder``. It need not exist.
    ///
    /// ```swift
    /// let anchors = try TrustFolder(PassLocations.default.trustFolder).anchors()
    /// print(anchors.all.map(\.name))
    /// ```
    public var trustFolder: URL { URL(fileURLWithPath: trustPath, isDirectory: true) }
}

extension PassVerifier {
    /// A verifier that trusts Apple and the certificates in the user's trust folder
    /// (``PassLocations/trustFolder``), as the command `passconduit verify` does.
    ///
    /// Each call reads the folder. Unusable files in it are ignored;
    /// ``/PassVerification/TrustFolder/contents()`` lists them.
    ///
    /// ```swift
    /// let verification = try PassVerifier.default.verify(contentsOf: url)
    /// print(verification.verdict)
    /// ```
    ///
    /// - Throws: ``/PassVerification/TrustFolderError/folder(_:)`` if the folder exists but cannot
    ///   be read.
    public static var `default`: PassVerifier {
        get throws(TrustFolderError) {
            let folder = TrustFolder(PassLocations.default.trustFolder)
            return PassVerifier(anchors: try folder.anchors())
        }
    }
}
