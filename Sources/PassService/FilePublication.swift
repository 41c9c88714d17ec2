/// A pass file that was published.
package struct FilePublication: Sendable, Hashable {
    /// Whether this is a new pass, or a new version.
    package let publication: Publication
    /// Whether the pass was published before, but no version had this authentication token.
    package let hasOtherToken: Bool
    /// Whether the version before was declared void, and this one is not.
    package let wasVoided: Bool
    /// The secret part of the address of the download page.
    package let downloadKey: String
}
