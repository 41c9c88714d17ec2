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

    /// The size in the header chunk, which is the first one (PNG, 11.2.1); nil if it is not a PNG.
    /// Xcode writes a chunk of its own before it.
    fileprivate init?(ofPNG bytes: [UInt8]) {
        let beginning = PictureKind.png.beginning
        guard bytes.starts(with: beginning) else { return nil }
        var start = beginning.count
        for _ in 0..<2 {
            let chunk = bytes.dropFirst(start).prefix(24)
            guard chunk.count >= 16 else { return nil }
            let length = number(chunk.prefix(4))
            let name = chunk.dropFirst(4).prefix(4)
            if name.elementsEqual("IHDR".utf8) {
                let (width, height) = (
                    number(chunk.dropFirst(8).prefix(4)), number(chunk.dropFirst(12).prefix(4))
                )
                guard width > 0, height > 0 else { return nil }
                self.init(width: width, height: height)
                return
            }
            start += 12 + length
        }
        return nil
    }
}

/// The beginning of a JPEG: the marker SOI and that of another segment.
private let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]

/// A big-endian number of four bytes.
private func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
}
