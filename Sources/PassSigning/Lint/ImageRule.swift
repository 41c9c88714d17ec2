internal import Bytes

/// The sizes of an image in points: those of Apple's schema of 2026 and of its older documentation.
struct ImageRule {
    /// The sizes of which an image must have one; empty if any.
    let exact: [PixelSize]
    /// The space for the image; nil if unlimited.
    let most: PixelSize?

    init(exactly sizes: [(Int, Int)] = [], most: (Int, Int)? = nil) {
        exact = sizes.map { PixelSize(width: $0.0, height: $0.1) }
        self.most = most.map { PixelSize(width: $0.0, height: $0.1) }
    }

    /// The fault of a PNG with this number of pixels per point.
    func fault(of bytes: [UInt8], scale: Int) -> LintFault? {
        guard let size = PixelSize(ofPNG: bytes) else {
            return bytes.starts(with: jpeg) ? .notAPNG : .imageUnreadable
        }
        if !exact.isEmpty {
            let sizes = exact.map { $0.scaled(scale) }
            return sizes.contains(size) ? nil : .imageSize(size, expected: sizes)
        }
        guard let most = most?.scaled(scale) else { return nil }
        let fits = size.width <= most.width && size.height <= most.height
        return fits ? nil : .imageTooLarge(size, most: most)
    }
}

extension PixelSize {
    fileprivate func scaled(_ scale: Int) -> PixelSize {
        PixelSize(width: width * scale, height: height * scale)
    }

    /// Nil if it is not a PNG.
    fileprivate init?(ofPNG bytes: [UInt8]) {
        guard bytes.starts(with: PictureKind.png.beginning),
            let size = PictureSize(bytes.span)
        else { return nil }
        self.init(width: size.width, height: size.height)
    }
}

/// The beginning of a JPEG: the marker SOI and that of another segment.
private let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]
