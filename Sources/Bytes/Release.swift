/// Which release this is: said once, for the programs, their man pages and the package. The first
/// entry of desktop/debian/changelog is the same, which a test holds.
package enum Release {
    package static let version: StaticString = "0.1.0"

    /// When it was made, as man pages write a day.
    package static let day: StaticString = "November 21, 2026"
}
