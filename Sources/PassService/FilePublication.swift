/// The result of publishing a pass file.
package struct FilePublication: Sendable, Hashable {
    /// Whether the pass is new, updated or unchanged.
    package let publication: Publication
    /// Whether the pass existed, but no earlier version had this authentication token.
    package let hasOtherToken: Bool
    /// Whether the previous version was void, and this one is not.
    package let wasVoided: Bool
    /// The secret part of the address of the download page.
    package let downloadKey: String
}
