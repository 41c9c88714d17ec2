import CPango

/// A decoded image: premultiplied ARGB, a 32-bit word for each pixel.
struct Picture: Sendable, Hashable {
    let width: Int
    let height: Int
    let pixels: [UInt32]
    /// The size before it was reduced.
    let original: Size

    struct Size: Sendable, Hashable {
        let width: Int
        let height: Int
    }

    init?(width: Int, height: Int, pixels: [UInt32], original: Size? = nil) {
        guard width > 0, height > 0, pixels.count == width * height else { return nil }
        self.width = width
        self.height = height
        self.pixels = pixels
        self.original = original ?? Size(width: width, height: height)
    }

    /// Calls `body` with a cairo surface over a copy of the pixels. The surface is finished
    /// afterwards; cairo copies what it still needs.
    @unsafe func withSurface(_ body: (OpaquePointer) -> Void) {
        var pixels = pixels
        unsafe pixels.withUnsafeMutableBytes { bytes in
            let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard let base = unsafe base,
                let surface = unsafe cairo_image_surface_create_for_data(
                    base, CAIRO_FORMAT_ARGB32, CInt(width), CInt(height), CInt(width * 4))
            else { return }
            unsafe body(surface)
            unsafe cairo_surface_finish(surface)
            unsafe cairo_surface_destroy(surface)
        }
    }

    /// Whether its opaque part is nearly white.
    var isLight: Bool {
        var (light, opacity) = (0, 0)
        for pixel in pixels {
            // Green approximates the brightness.
            light += Int(pixel >> 8 & 0xFF)
            opacity += Int(pixel >> 24)
        }
        return light * 10 > opacity * 9
    }
}
