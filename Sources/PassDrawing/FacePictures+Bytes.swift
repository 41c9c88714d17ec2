import PassVerification

/// The wire format between the decoding and the drawing process, in host byte order, since both run
/// on one machine. Input is validated like a pass: wrong data may draw wrongly, but does no harm.
extension FacePictures {
    package static let none = FacePictures([])

    /// For each kind of picture: four numbers, and the pixels.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for sized in [logo, strip, thumbnail, footer, background] {
            let numbers: [UInt64] = [
                UInt64(sized?.picture.width ?? 0), UInt64(sized?.picture.height ?? 0),
                (sized?.size.width ?? 0).bitPattern, (sized?.size.height ?? 0).bitPattern,
            ]
            unsafe numbers.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
            unsafe sized?.picture.pixels.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// Nil if the bytes are invalid.
    package init?(bytes: [UInt8]) {
        var rest = bytes[...]
        var pictures: [Sized?] = []
        for _ in 0..<5 {
            guard let picture = FacePictures.next(in: &rest) else { return nil }
            pictures.append(picture)
        }
        guard rest.isEmpty else { return nil }
        self.init(pictures)
    }

    private init(_ pictures: [Sized?]) {
        func picture(_ index: Int) -> Sized? {
            pictures.indices.contains(index) ? pictures[index] : nil
        }
        self.init(
            logo: picture(0), strip: picture(1), thumbnail: picture(2), footer: picture(3),
            background: picture(4))
    }

    /// Nil if the bytes are invalid; `.some(nil)` for an absent picture.
    private static func next(in rest: inout ArraySlice<UInt8>) -> Sized?? {
        let head = rest.prefix(32)
        guard head.count == 32 else { return nil }
        rest = rest.dropFirst(32)
        let numbers = unsafe head.withUnsafeBytes { head in
            (0..<4).map { unsafe head.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
        }
        let (width, height) = (numbers[0], numbers[1])
        if width == 0, height == 0 { return .some(nil) }
        let sides = 1...UInt64(PictureLimits.side)
        guard sides.contains(width), sides.contains(height),
            width * height <= UInt64(PictureLimits.pixels)
        else { return nil }
        let count = Int(width * height)
        let octets = rest.prefix(count * 4)
        guard octets.count == count * 4 else { return nil }
        rest = rest.dropFirst(count * 4)
        let pixels = unsafe [UInt32](unsafeUninitializedCapacity: count) { pixels, filled in
            unsafe octets.withUnsafeBytes { octets in
                unsafe UnsafeMutableRawBufferPointer(pixels).copyMemory(from: octets)
            }
            filled = count
        }
        let size = FaceSize(
            width: Double(bitPattern: numbers[2]), height: Double(bitPattern: numbers[3]))
        // There are at most three pixels per point.
        let lengths = 0.3...Double(PictureLimits.side)
        guard lengths.contains(size.width), lengths.contains(size.height),
            let picture = Picture(width: Int(width), height: Int(height), pixels: pixels)
        else { return nil }
        return Sized(picture: picture, size: size)
    }
}
