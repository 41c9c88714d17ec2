import CPango

extension PassFace {
    /// The card as a PNG, with so many pixels a point; transparent outside of its edge.
    package func png(scale: Int) throws(DrawingError) -> [UInt8] {
        let scale = Double(min(max(scale, 1), 3))
        let surface = unsafe cairo_image_surface_create(
            CAIRO_FORMAT_ARGB32, CInt((size.width * scale).rounded(.up)),
            CInt((size.height * scale).rounded(.up)))
        defer { unsafe cairo_surface_destroy(surface) }
        try unsafe draw(on: surface, scale: scale)
        var bytes: [UInt8] = []
        let status = unsafe withUnsafeMutablePointer(to: &bytes) { sink in
            unsafe cairo_surface_write_to_png_stream(surface, append, sink)
        }
        try check(status)
        return bytes
    }

    /// The card as an SVG: a unit is a point.
    package func svg() throws(DrawingError) -> [UInt8] {
        try unsafe written { sink in
            unsafe cairo_svg_surface_create_for_stream(append, sink, size.width, size.height)
        }
    }

    /// The card as a PDF of one page as large as the card. Its text can be selected and searched.
    package func pdf(title: String) throws(DrawingError) -> [UInt8] {
        try unsafe written { sink in
            let surface = unsafe cairo_pdf_surface_create_for_stream(
                append, sink, size.width, size.height)
            unsafe cairo_pdf_surface_set_metadata(
                surface, CAIRO_PDF_METADATA_TITLE, ShownText(title).text)
            return unsafe surface
        }
    }

    /// What a surface writes that is made for a place to write to.
    @unsafe private func written(
        _ surface: (UnsafeMutableRawPointer) -> OpaquePointer?
    ) throws(DrawingError) -> [UInt8] {
        var bytes: [UInt8] = []
        let result = unsafe withUnsafeMutablePointer(to: &bytes) { sink in
            let surface = unsafe surface(UnsafeMutableRawPointer(sink))
            defer { unsafe cairo_surface_destroy(surface) }
            return Result { () throws(DrawingError) in
                try unsafe draw(on: surface, scale: 1)
                unsafe cairo_surface_finish(surface)
                try unsafe check(cairo_surface_status(surface))
            }
        }
        try result.get()
        return bytes
    }

    @unsafe private func draw(
        on surface: OpaquePointer?, scale: Double
    ) throws(DrawingError) {
        guard let context = unsafe cairo_create(surface) else { return }
        defer { unsafe cairo_destroy(context) }
        unsafe cairo_scale(context, scale, scale)
        unsafe draw(on: Canvas(context))
        try unsafe check(cairo_status(context))
    }
}

private func check(_ status: cairo_status_t) throws(DrawingError) {
    guard status != CAIRO_STATUS_SUCCESS else { return }
    throw .cairo(unsafe String(cString: cairo_status_to_string(status)))
}

/// What cairo hands over, put behind what an array has.
private let append:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, UInt32) -> cairo_status_t = {
        unsafe $0?.assumingMemoryBound(to: [UInt8].self).pointee
            .append(contentsOf: UnsafeBufferPointer(start: $1, count: Int($2)))
        return CAIRO_STATUS_SUCCESS
    }
