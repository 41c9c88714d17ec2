/// The reason why a file with a key or a password is not read.
///
/// ```swift
/// do {
///     _ = try PushCredential(key: url, identifier: "ABC1234567", team: "DEF1234567")
/// } catch PushError.secretFile(.readableByOthers(let path)) {
///     print("chmod 600 \(path)")
/// }
/// ```
public enum SecretFileError: Error, Sendable, Hashable {
    /// The file cannot be read. Carries the system's errno.
    case cannotRead(path: String, code: Int32)
    /// Other users can read or change the file.
    case readableByOthers(path: String)
    /// The file belongs neither to the user of the program nor to root.
    case foreignOwner(path: String)
}
