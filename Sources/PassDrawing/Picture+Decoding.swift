import CPixbuf

/// What a picture of a pass may cost.
package struct PictureLimits: Sendable {
    /// Width times height; its size is known before anything is decoded.
    package static let pixels = 4096 * 4096
    /// Of one side.
    package static let side = 16_384
    /// Of one that covers an area: how many times as wide as high, and as high as wide. The part of it that
    /// lies outside is kept as well.
    package static let width = 16
    package static let height = 4
    /// Of all pictures of a pass that are tried, the pixels once for each scan: a JPEG may have thousands
    /// of these, which say nothing and cost as much as the picture each. A photo has ten.
    package static let work = 16 * pixels
}

extension Picture {
    /// Loads the decoders, which may be files of their own: before files are out of reach.
    static func prepareDecoders() {
        for type in PictureType.allCases {
            // Broken as it is, it has to be read to its end.
            guard var loader = Loader(type, Loader.Progress(scans: 1, workLeft: 0)) else {
                continue
            }
            _ = loader.read([])
        }
    }

    /// Decodes a PNG or a JPEG, and makes it smaller where it is larger than it will be shown. Nil for
    /// anything else, for what is broken, and for what is beyond the limits.
    ///
    /// - Parameters:
    ///   - width: In pixels, how wide it is shown at most.
    ///   - height: In pixels.
    ///   - covers: Whether it covers that area, and is not only within.
    ///   - work: How much of `PictureLimits.work` is left.
    init?(
        decoding bytes: [UInt8], width: Double, height: Double, covers: Bool, work: inout Int
    ) {
        guard let type = PictureType(bytes),
            var loader = Loader(type, Loader.Progress(scans: type.scans(bytes), workLeft: work))
        else { return nil }
        let isRead = loader.read(bytes)
        work = loader.workLeft
        guard isRead, let pixels = loader.pixels(width, height, covers) else { return nil }
        self = pixels
    }
}

/// What a picture may be: other decoders are not asked, however many this computer has.
private enum PictureType: String, CaseIterable {
    case png, jpeg

    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else {
            return nil
        }
    }

    /// How many rows the decoder may keep until it has seen the end. Of a JPEG two rows of the largest
    /// blocks, and its end is missing now and then.
    var heldBackRows: Int { self == .jpeg ? 32 : 0 }

    /// How often the decoder puts out all of it. A scan of a JPEG begins with a marker that nothing in it can
    /// be (ITU-T T.81, B.1.1.5).
    func scans(_ bytes: [UInt8]) -> Int {
        guard self == .jpeg else { return 1 }
        return max(1, zip(bytes, bytes.dropFirst()).count { $0 == 0xFF && $1 == 0xDA })
    }
}

/// A `GdkPixbufLoader`, released when it goes out of scope.
@safe private struct Loader: ~Copyable {
    private let handle: UnsafeMutablePointer<GdkPixbufLoader>
    private let type: PictureType
    private let progress: UnsafeMutablePointer<Progress>
    /// Before the decoder made up for what is missing.
    private var decodedRows = 0

    struct Progress {
        let scans: Int
        var workLeft: Int
        /// How many rows from the top were decoded.
        var rows = 0
    }

    var workLeft: Int { unsafe progress.pointee.workLeft }

    init?(_ type: PictureType, _ start: Progress) {
        guard let handle = unsafe gdk_pixbuf_loader_new_with_type(type.rawValue, nil) else {
            return nil
        }
        unsafe self.handle = unsafe handle
        self.type = type
        unsafe progress = .allocate(capacity: 1)
        unsafe progress.initialize(to: start)
        // Called with the size before any pixel is decoded.
        let refuse:
            @convention(c) (
                UnsafeMutablePointer<GdkPixbufLoader>?, CInt, CInt, UnsafeMutableRawPointer?
            ) -> Void = { loader, width, height, place in
                guard let progress = unsafe place?.assumingMemoryBound(to: Progress.self) else {
                    return
                }
                let pixels = min(Int(width) * Int(height), PictureLimits.pixels + 1)
                let (work, isTooMuch) = unsafe pixels.multipliedReportingOverflow(
                    by: progress.pointee.scans)
                let isWithin = unsafe !isTooMuch && work <= progress.pointee.workLeft
                guard
                    pixels > PictureLimits.pixels || max(width, height) > PictureLimits.side
                        || !isWithin
                else {
                    unsafe progress.pointee.workLeft -= work
                    return
                }
                // The decoders end at this.
                unsafe gdk_pixbuf_loader_set_size(loader, 0, 0)
            }
        unsafe g_signal_connect_data(
            handle, "size-prepared", unsafeBitCast(refuse, to: GCallback.self), progress, nil,
            GConnectFlags(rawValue: 0))
        // What is missing of a picture, the decoders leave grey and say nothing of.
        let count:
            @convention(c) (
                UnsafeMutablePointer<GdkPixbufLoader>?, CInt, CInt, CInt, CInt,
                UnsafeMutableRawPointer?
            ) -> Void = { _, _, y, _, height, place in
                guard let progress = unsafe place?.assumingMemoryBound(to: Progress.self) else {
                    return
                }
                unsafe progress.pointee.rows = unsafe max(progress.pointee.rows, Int(y + height))
            }
        unsafe g_signal_connect_data(
            handle, "area-updated", unsafeBitCast(count, to: GCallback.self), progress, nil,
            GConnectFlags(rawValue: 0))
    }

    deinit {
        unsafe g_object_unref(handle)
        unsafe progress.deallocate()
    }

    /// Whether the whole of it is a picture.
    mutating func read(_ bytes: [UInt8]) -> Bool {
        var isWritten = true
        var place = 0
        // A refused picture is inflated to the end of a piece.
        let piece = 4096
        while isWritten, place < bytes.count {
            let count = min(piece, bytes.count - place)
            isWritten = unsafe bytes.withUnsafeBufferPointer { buffer in
                unsafe gdk_pixbuf_loader_write(
                    handle, buffer.baseAddress?.advanced(by: place), gsize(count), nil) != 0
            }
            place += count
        }
        decodedRows = unsafe progress.pointee.rows
        // It has to be closed in any case.
        let isClosed = unsafe gdk_pixbuf_loader_close(handle, nil)
        return isWritten && isClosed != 0
    }

    func pixels(_ width: Double, _ height: Double, _ covers: Bool) -> Picture? {
        guard let pixbuf = unsafe gdk_pixbuf_loader_get_pixbuf(handle) else { return nil }
        let size = unsafe Picture.Size(
            width: Int(gdk_pixbuf_get_width(pixbuf)), height: Int(gdk_pixbuf_get_height(pixbuf)))
        guard decodedRows + type.heldBackRows >= size.height,
            !covers
                || size.width <= size.height * PictureLimits.width
                    && size.height <= size.width * PictureLimits.height
        else { return nil }
        let (across, down) = (width / Double(size.width), height / Double(size.height))
        let scale = covers ? max(across, down) : min(across, down)
        guard scale < 1 else { return unsafe picture(of: pixbuf, original: size) }
        let smaller = unsafe gdk_pixbuf_scale_simple(
            pixbuf, max(1, CInt(Double(size.width) * scale)),
            max(1, CInt(Double(size.height) * scale)), GDK_INTERP_BILINEAR)
        guard let smaller = unsafe smaller else { return nil }
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(smaller)) }
        return unsafe picture(of: smaller, original: size)
    }
}

@unsafe private func picture(
    of pixbuf: OpaquePointer, original: Picture.Size
) -> Picture? {
    let (width, height) = unsafe (
        Int(gdk_pixbuf_get_width(pixbuf)), Int(gdk_pixbuf_get_height(pixbuf))
    )
    let channels = unsafe Int(gdk_pixbuf_get_n_channels(pixbuf))
    let stride = unsafe Int(gdk_pixbuf_get_rowstride(pixbuf))
    let count = unsafe Int(gdk_pixbuf_get_byte_length(pixbuf))
    guard width > 0, height > 0, channels == 3 || channels == 4,
        (height - 1) * stride + width * channels <= count,
        let start = unsafe gdk_pixbuf_read_pixels(pixbuf)
    else { return nil }
    let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    for y in 0..<height {
        for x in 0..<width {
            let place = y * stride + x * channels
            let opacity = channels == 4 ? unsafe UInt32(bytes[place + 3]) : 255
            let parts = unsafe (
                UInt32(bytes[place]), UInt32(bytes[place + 1]), UInt32(bytes[place + 2])
            )
            pixels.append(
                opacity << 24 | premultiplied(parts.0, opacity) << 16
                    | premultiplied(parts.1, opacity) << 8 | premultiplied(parts.2, opacity))
        }
    }
    return Picture(width: width, height: height, pixels: pixels, original: original)
}

private func premultiplied(_ part: UInt32, _ opacity: UInt32) -> UInt32 {
    (part * opacity + 127) / 255
}
