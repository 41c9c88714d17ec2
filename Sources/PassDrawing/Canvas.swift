import CPango

/// A cairo context owned by the caller.
@safe package struct Canvas {
    /// A `cairo_t`.
    private let context: OpaquePointer
    private let deviceScale: Double

    /// - Parameters:
    ///   - context: A `cairo_t` that outlives this value.
    ///   - deviceScale: The pixels per unit of the context's matrix, if its surface does not know
    ///     them: the scale factor of a GTK widget. Barcodes are aligned to whole pixels.
    @unsafe package init(_ context: OpaquePointer, deviceScale: Double = 1) {
        unsafe self.context = unsafe context
        self.deviceScale = deviceScale
    }

    /// Runs `body`, then restores the drawing state.
    func saving(_ body: () -> Void) {
        unsafe cairo_save(context)
        body()
        unsafe cairo_restore(context)
    }

    func clip(to outline: Outline) {
        trace(outline)
        unsafe cairo_clip(context)
    }

    /// Fills an outline by the even-odd rule.
    func fill(_ outline: Outline, with ink: Ink) {
        trace(outline)
        unsafe cairo_set_fill_rule(context, CAIRO_FILL_RULE_EVEN_ODD)
        use(ink)
        unsafe cairo_fill(context)
        unsafe cairo_set_fill_rule(context, CAIRO_FILL_RULE_WINDING)
    }

    func stroke(_ outline: Outline, with ink: Ink, width: Double) {
        trace(outline)
        use(ink)
        unsafe cairo_set_line_width(context, width)
        unsafe cairo_stroke(context)
    }

    func translate(x: Double, y: Double) {
        unsafe cairo_translate(context, x, y)
    }

    func scale(x: Double, y: Double) {
        unsafe cairo_scale(context, x, y)
    }

    /// Draws the picture, stretched to fill the area.
    func draw(_ picture: Picture, in area: Rectangle) {
        guard picture.width > 0, picture.height > 0 else { return }
        saving {
            translate(x: area.x, y: area.y)
            scale(
                x: area.width / Double(picture.width), y: area.height / Double(picture.height))
            unsafe picture.withSurface { surface in
                unsafe cairo_set_source_surface(context, surface, 0, 0)
                let pattern = unsafe cairo_get_source(context)
                unsafe cairo_pattern_set_filter(pattern, CAIRO_FILTER_GOOD)
                // Otherwise the edges would fade to transparent.
                unsafe cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
                unsafe cairo_rectangle(
                    context, 0, 0, Double(picture.width), Double(picture.height))
                unsafe cairo_fill(context)
                use(.black)
            }
        }
    }

    func draw(_ line: TextLine) {
        use(line.ink)
        unsafe Typesetting.draw(line, on: context)
    }

    private func use(_ ink: Ink) {
        unsafe cairo_set_source_rgba(context, ink.red, ink.green, ink.blue, ink.opacity)
    }

    private func trace(_ outline: Outline) {
        unsafe cairo_new_path(context)
        for step in outline.steps {
            switch step {
            case .move(let x, let y): unsafe cairo_move_to(context, x, y)
            case .line(let x, let y): unsafe cairo_line_to(context, x, y)
            case .curve(let x1, let y1, let x2, let y2, let x3, let y3):
                unsafe cairo_curve_to(context, x1, y1, x2, y2, x3, y3)
            case .arc(let x, let y, let radius, let from, let to, false):
                unsafe cairo_arc(context, x, y, radius, from, to)
            case .arc(let x, let y, let radius, let from, let to, true):
                unsafe cairo_arc_negative(context, x, y, radius, from, to)
            case .close: unsafe cairo_close_path(context)
            }
        }
    }
}

extension Canvas {
    /// The length rounded down to whole pixels, at least one, in canvas units; unchanged without
    /// pixels.
    func snapped(_ length: Double) -> Double {
        guard let pixels = pixels else { return length }
        return max(1, (pixels.x * length + 0.001).rounded(.down)) / pixels.x
    }

    /// The nearest pixel corner.
    func snapped(x: Double, y: Double) -> (x: Double, y: Double) {
        guard let pixels = pixels else { return (x, y) }
        return (
            ((x * pixels.x + pixels.offsetX).rounded() - pixels.offsetX) / pixels.x,
            ((y * pixels.x + pixels.offsetY).rounded() - pixels.offsetY) / pixels.x
        )
    }

    /// The pixels per canvas unit, and the position of the origin in pixels; nil for a vector
    /// surface, or if the canvas is rotated or stretched.
    private var pixels: (x: Double, offsetX: Double, offsetY: Double)? {
        let surface = unsafe cairo_get_group_target(context)
        switch unsafe cairo_surface_get_type(surface) {
        case CAIRO_SURFACE_TYPE_PDF, CAIRO_SURFACE_TYPE_SVG, CAIRO_SURFACE_TYPE_PS: return nil
        default: break
        }
        var matrix = cairo_matrix_t()
        unsafe cairo_get_matrix(context, &matrix)
        var (scaleX, scaleY) = (1.0, 1.0)
        unsafe cairo_surface_get_device_scale(surface, &scaleX, &scaleY)
        let scale = matrix.xx * scaleX * deviceScale
        guard matrix.xy == 0, matrix.yx == 0, scale > 0,
            abs(matrix.yy * scaleY * deviceScale - scale) < 1e-6
        else { return nil }
        return (
            scale, matrix.x0 * scaleX * deviceScale, matrix.y0 * scaleY * deviceScale
        )
    }
}
