import Bytes
import CPixbuf
import PassVerification

/// A `GdkPixbufLoader`, released when it goes out of scope.
@safe private struct PictureDecoder: ~Copyable {
    private let handle: UnsafeMutablePointer<GdkPixbufLoader>
    private let type: PictureType
    private let progress: UnsafeMutablePointer<Progress>
    /// The number of rows decoded before the decoder filled in missing ones.
    private var decodedRows = 0

    private struct Progress {
        let scans: Int
        var workLeft: Int
        /// The number of rows decoded from the top.
        var rows = 0
    }

    var workLeft: Int { unsafe progress.pointee.workLeft }

    init?(_ type: PictureType, scans: Int, workLeft: Int) {
        guard let handle = unsafe gdk_pixbuf_loader_new_with_type(type.rawValue, nil) else {
            return nil
        }
        unsafe self.handle = unsafe handle
        self.type = type
        unsafe progress = .allocate(capacity: 1)
        unsafe progress.initialize(to: Progress(scans: scans, workLeft: workLeft))
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
                // A size of 0 stops the decoder.
                unsafe gdk_pixbuf_loader_set_size(loader, 0, 0)
            }
        unsafe g_signal_connect_data(
            handle, "size-prepared", unsafeBitCast(refuse, to: GCallback.self), progress, nil,
            GConnectFlags(rawValue: 0))
        // Decoders leave missing parts grey without an error.
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

    /// Decodes the bytes; returns whether they are a complete picture.
    mutating func read(_ bytes: [UInt8]) -> Bool {
        var isWritten = true
        var place = 0
        // Pass small chunks, since a refused picture is inflated to the end of a chunk.
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
        // The loader must always be closed.
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

extension Picture {
    /// Loads the decoders, which may be separate files, before file access is restricted.
    static func prepareDecoders() {
        for type in PictureType.allCases {
            // The empty input is invalid, but loads the decoder.
            guard var decoder = PictureDecoder(type, scans: 1, workLeft: 0) else { continue }
            _ = decoder.read([])
        }
    }

    /// Decodes a PNG or JPEG, reduced to the displayed size. Nil for other formats, damaged data,
    /// and pictures beyond the limits.
    ///
    /// - Parameters:
    ///   - width: The maximum displayed width, in pixels.
    ///   - height: The maximum displayed height, in pixels.
    ///   - covers: Whether the picture covers that area, rather than fits within.
    ///   - work: The rest of `PictureLimits.work`.
    init?(
        decoding bytes: [UInt8], width: Double, height: Double, covers: Bool, work: inout Int
    ) {
        guard let type = PictureType(bytes),
            var decoder = PictureDecoder(type, scans: type.scans(bytes), workLeft: work)
        else { return nil }
        let isRead = decoder.read(bytes)
        work = decoder.workLeft
        guard isRead, let pixels = decoder.pixels(width, height, covers) else { return nil }
        self = pixels
    }
}

/// The accepted formats (VIOLATIONS.md, P46: JPEG); other decoders on this computer are not used.
private enum PictureType: String, CaseIterable {
    case png, jpeg

    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: PictureKind.png.beginning) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else {
            return nil
        }
    }

    /// The number of rows that may be missing at the end: a JPEG decoder holds back two rows of the
    /// largest blocks. VIOLATIONS.md, P47: the end of a JPEG is missing.
    var heldBackRows: Int { self == .jpeg ? 32 : 0 }

    /// The number of decoding passes. A JPEG scan begins with a marker that cannot occur within
    /// data (ITU-T T.81, B.1.1.5).
    func scans(_ bytes: [UInt8]) -> Int {
        guard self == .jpeg else { return 1 }
        return max(1, zip(bytes, bytes.dropFirst()).count { $0 == 0xFF && $1 == 0xDA })
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
