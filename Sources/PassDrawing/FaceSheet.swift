import CPango

/// Cards drawn together: in rows, or in a PDF, each on its own page.
package struct FaceSheet: Sendable {
    private let rows: [[PassFace]]

    /// The gap between two cards, in points.
    private static let gap = 16.0
    /// The maximum picture size of cairo, in pixels.
    private static let limit = 32_767.0

    package init(_ rows: [[PassFace]]) {
        self.rows = rows
    }

    /// The cards as a PNG with a transparent background; `scale` is in pixels per point.
    package func png(scale: Int) throws(DrawingError) -> [UInt8] {
        let scale = Double(min(max(scale, 1), 3))
        let size = size
        if max(size.width, size.height) * scale > FaceSheet.limit { throw .tooLarge }
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

    /// The cards as an SVG, one unit per point.
    package func svg() throws(DrawingError) -> [UInt8] {
        let size = size
        if max(size.width, size.height) > FaceSheet.limit { throw .tooLarge }
        return try unsafe written { sink in
            unsafe cairo_svg_surface_create_for_stream(append, sink, size.width, size.height)
        } drawing: { (surface) throws(DrawingError) in
            try unsafe draw(on: surface, scale: 1)
        }
    }

    /// The cards as a PDF, each on a page of its size, with selectable and searchable text.
    package func pdf(title: String) throws(DrawingError) -> [UInt8] {
        let faces = rows.flatMap(\.self)
        return try unsafe written { sink in
            let surface = unsafe cairo_pdf_surface_create_for_stream(append, sink, 0, 0)
            unsafe cairo_pdf_surface_set_metadata(
                surface, CAIRO_PDF_METADATA_TITLE, ShownText(title).text)
            return unsafe surface
        } drawing: { (surface) throws(DrawingError) in
            for face in faces {
                unsafe cairo_pdf_surface_set_size(surface, face.size.width, face.size.height)
                try unsafe draw(on: surface, scale: 1) { face.draw(on: $0) }
                unsafe cairo_surface_show_page(surface)
            }
        }
    }

    private var size: FaceSize {
        FaceSize(
            width: rows.map(width).max() ?? 0,
            height: rows.reduce(-FaceSheet.gap) { $0 + FaceSheet.gap + height(of: $1) })
    }

    private func width(of row: [PassFace]) -> Double {
        row.reduce(-FaceSheet.gap) { $0 + FaceSheet.gap + $1.size.width }
    }

    /// The height of a row in whole points, so that the cards below are aligned to pixels.
    private func height(of row: [PassFace]) -> Double {
        row.map { $0.size.height.rounded(.up) }.max() ?? 0
    }

    @unsafe private func draw(on surface: OpaquePointer?, scale: Double) throws(DrawingError) {
        try unsafe draw(on: surface, scale: scale) { canvas in
            var y = 0.0
            for row in rows {
                var x = 0.0
                for face in row {
                    canvas.saving {
                        canvas.translate(x: x, y: y)
                        face.draw(on: canvas)
                    }
                    x += face.size.width + FaceSheet.gap
                }
                y += height(of: row) + FaceSheet.gap
            }
        }
    }

    @unsafe private func draw(
        on surface: OpaquePointer?, scale: Double, _ drawing: (Canvas) -> Void
    ) throws(DrawingError) {
        guard let context = unsafe cairo_create(surface) else { return }
        defer { unsafe cairo_destroy(context) }
        unsafe cairo_scale(context, scale, scale)
        unsafe drawing(Canvas(context))
        try unsafe check(cairo_status(context))
    }

    /// The bytes that a stream surface writes while `drawing` runs.
    @unsafe private func written(
        _ surface: (UnsafeMutableRawPointer) -> OpaquePointer?,
        drawing: (OpaquePointer?) throws(DrawingError) -> Void
    ) throws(DrawingError) -> [UInt8] {
        var bytes: [UInt8] = []
        let result = unsafe withUnsafeMutablePointer(to: &bytes) { sink in
            let surface = unsafe surface(UnsafeMutableRawPointer(sink))
            defer { unsafe cairo_surface_destroy(surface) }
            return Result { () throws(DrawingError) in
                try unsafe drawing(surface)
                unsafe cairo_surface_finish(surface)
                try unsafe check(cairo_surface_status(surface))
            }
        }
        try result.get()
        return bytes
    }
}

private func check(_ status: cairo_status_t) throws(DrawingError) {
    guard status != CAIRO_STATUS_SUCCESS else { return }
    throw .cairo(unsafe String(cString: cairo_status_to_string(status)))
}

/// A cairo write function that appends to an array.
private let append:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, UInt32) -> cairo_status_t = {
        unsafe $0?.assumingMemoryBound(to: [UInt8].self).pointee
            .append(contentsOf: UnsafeBufferPointer(start: $1, count: Int($2)))
        return CAIRO_STATUS_SUCCESS
    }
