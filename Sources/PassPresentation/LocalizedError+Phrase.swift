public import Foundation
public import PassModel
public import PassSigning
public import PassStore
public import PassVerification

extension LocalizedError where Self: Worded {
    /// The sentence, for Foundation's `localizedDescription`.
    ///
    /// ```swift
    /// do {
    ///     print(try library.count())
    /// } catch {
    ///     print(error.localizedDescription)
    /// }
    /// ```
    public var errorDescription: String? { phrase.localized }
}

extension LibraryError: LocalizedError {
    /// What the user can do about it; nil if that is unknown.
    ///
    /// For example: `print(LibraryError.newerLibrary("passes").recoverySuggestion ?? "")`
    public var recoverySuggestion: String? { advice?.localized }
}

extension ManifestError: LocalizedError {}
extension PassError: LocalizedError {}
extension PassTypePatternError: LocalizedError {}
extension TrustAnchorError: LocalizedError {}
extension TrustFolderError: LocalizedError {}
extension UnreadableFile: LocalizedError {}

extension ImageFault: LocalizedError {}
extension OutputNameError: LocalizedError {}
extension PassBundleError: LocalizedError {}
extension PassFolderError: LocalizedError {}
extension RowError: LocalizedError {}
extension RowFault: LocalizedError {}
extension RowFileError: LocalizedError {}
extension SigningError: LocalizedError {}
extension SigningFolderError: LocalizedError {}
extension SigningIdentityError: LocalizedError {}
extension TemplateError: LocalizedError {}
