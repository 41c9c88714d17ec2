/// The version of this release, for the programs, their man pages and the package. A test compares
/// it with the first entry of desktop/debian/changelog.
package enum Release {
    package static let version: StaticString = "0.1.0"

    /// The release date, in the format of man pages.
    package static let day: StaticString = "November 21, 2026"
}
