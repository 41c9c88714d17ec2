/// What one archive may cost us. Sizes are in bytes, and those of entries are counted while
/// inflating: what a header declares is believed by nobody.
package struct ZipLimits: Sendable, Equatable {
    package var archive = 64 << 20
    package var entries = 1_000
    package var entry = 64 << 20
    /// Of all entries together.
    package var total = 256 << 20
    /// Inflated bytes for each stored one. A pass.json or a flat bitmap deflates well without being a
    /// bomb, so that the ratio is asked for only above `ratioFloor`.
    package var ratio = 250
    package var ratioFloor = 1 << 20
    package var directory = 8 << 20
    /// How far from the end the end-of-central-directory record is looked for.
    package var trailing = 1 << 20

    package init() {}
}
