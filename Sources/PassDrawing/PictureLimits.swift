/// Limits for decoding the pictures of a pass.
package struct PictureLimits: Sendable {
    /// Width times height, checked before decoding.
    package static let pixels = 4096 * 4096
    /// The length of a side.
    package static let side = 16_384
    /// The maximum aspect ratios of a picture that covers an area, since the parts outside are kept
    /// too.
    package static let width = 16
    package static let height = 4
    /// The pixels of all pictures that are tried, counted once per scan. A JPEG may have thousands
    /// of empty scans, each of which takes as long to decode as the picture. A photo has ten.
    package static let work = 16 * pixels
}
