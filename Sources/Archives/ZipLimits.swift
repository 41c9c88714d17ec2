/// Limits for one archive. Sizes are in bytes; those of entries are counted while inflating, since
/// declared sizes may be false.
package struct ZipLimits: Sendable, Equatable {
    package var archive = 64 << 20
    package var entries = 1_000
    package var entry = 64 << 20
    /// All entries together.
    package var total = 256 << 20
    /// Inflated bytes per stored byte. A pass.json or a plain bitmap also deflates well, so the
    /// ratio applies only above `ratioFloor`.
    package var ratio = 250
    package var ratioFloor = 1 << 20
    package var directory = 8 << 20
    /// The names and extra fields in local headers that the directory does not list.
    package var hidden = 1 << 20
    /// The maximum distance of the end-of-central-directory record from the end of the file.
    package var trailing = 1 << 20

    package init() {}
}
