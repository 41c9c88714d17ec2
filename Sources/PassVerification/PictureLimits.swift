internal import Bytes

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
    /// The images of a kind that are tried. A valid pass has no more: three scales in two folders.
    package static let images = 6
}

extension PassImage {
    /// Whether it is a PNG or JPEG of a size within the limits, by its header.
    package var isWithinLimits: Bool {
        guard let size = PictureSize(bytes.span), size.width <= PictureLimits.side,
            size.height <= PictureLimits.side
        else { return false }
        return size.width * size.height <= PictureLimits.pixels
    }
}
