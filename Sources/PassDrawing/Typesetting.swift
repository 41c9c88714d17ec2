import Bytes
import CPango

/// Sets lines of text with Pango in the default sans-serif font.
enum Typesetting {
    /// The width of the line without truncation, in points.
    static func width(of text: ShownText, size: Double, weight: TextLine.Weight) -> Double {
        guard !text.isEmpty else { return 0 }
        guard let layout = Layout(text, size: size, weight: weight) else { return 0 }
        return layout.size.width
    }

    /// Whether the text is right-to-left.
    static func isRightToLeft(_ text: ShownText) -> Bool {
        Layout(text, size: 10, weight: .regular)?.isRightToLeft ?? false
    }

    /// Breaks the text into lines of a width; the last of `limit` lines is truncated.
    static func lines(
        of text: ShownText, size: Double, weight: TextLine.Weight, width: Double, atMost limit: Int
    ) -> [ShownText] {
        guard !text.isEmpty, let layout = Layout(text, size: size, weight: weight) else {
            return []
        }
        return layout.lines(width: width, atMost: limit)
    }

    @unsafe static func draw(_ line: TextLine, on context: OpaquePointer) {
        guard !line.text.isEmpty, line.width > 0,
            let layout = unsafe Layout(
                line.text, size: line.size, weight: line.weight, for: context)
        else { return }
        unsafe layout.draw(line, on: context)
    }
}

/// A `PangoLayout`, released when it goes out of scope.
@safe private struct Layout: ~Copyable {
    private let handle: OpaquePointer

    init?(_ text: ShownText, size: Double, weight: TextLine.Weight) {
        let fonts = unsafe pango_cairo_font_map_get_default()
        guard let context = unsafe pango_font_map_create_context(fonts) else { return nil }
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(context)) }
        unsafe useExactMeasures(context)
        guard let handle = unsafe pango_layout_new(context) else { return nil }
        unsafe self.handle = unsafe handle
        set(text, size, weight)
    }

    init?(
        _ text: ShownText, size: Double, weight: TextLine.Weight, for drawing: OpaquePointer
    ) {
        guard let handle = unsafe pango_cairo_create_layout(drawing) else { return nil }
        unsafe useExactMeasures(pango_layout_get_context(handle))
        unsafe self.handle = unsafe handle
        set(text, size, weight)
    }

    deinit { unsafe g_object_unref(UnsafeMutableRawPointer(handle)) }

    private func set(_ text: ShownText, _ size: Double, _ weight: TextLine.Weight) {
        let font = unsafe pango_font_description_new()
        defer { unsafe pango_font_description_free(font) }
        unsafe pango_font_description_set_family_static(font, "sans-serif")
        let pangoWeight =
            switch weight {
            case .light: PANGO_WEIGHT_LIGHT
            case .regular: PANGO_WEIGHT_NORMAL
            case .semibold: PANGO_WEIGHT_SEMIBOLD
            }
        unsafe pango_font_description_set_weight(font, pangoWeight)
        unsafe pango_font_description_set_absolute_size(font, size * unit)
        unsafe pango_layout_set_font_description(handle, font)
        unsafe pango_layout_set_single_paragraph_mode(handle, 1)
        // Plain text, never markup.
        unsafe pango_layout_set_text(handle, text.text, -1)
    }

    var size: FaceSize {
        var (width, height): (CInt, CInt) = (0, 0)
        unsafe pango_layout_get_size(handle, &width, &height)
        return FaceSize(width: Double(width) / unit, height: Double(height) / unit)
    }

    var isRightToLeft: Bool {
        unsafe pango_layout_get_direction(handle, 0) == PANGO_DIRECTION_RTL
    }

    func lines(width: Double, atMost limit: Int) -> [ShownText] {
        unsafe pango_layout_set_width(handle, CInt((width * unit).rounded(.down)))
        unsafe pango_layout_set_wrap(handle, PANGO_WRAP_WORD_CHAR)
        let octets = unsafe Array(String(cString: pango_layout_get_text(handle)).utf8)
        let count = unsafe Int(pango_layout_get_line_count(handle))
        return (0..<min(count, limit)).compactMap { index in
            guard let line = unsafe pango_layout_get_line_readonly(handle, CInt(index)) else {
                return nil
            }
            let start = unsafe Int(line.pointee.start_index)
            // Mark the truncation with an ellipsis.
            let isCut = index == limit - 1 && count > limit
            let end = unsafe start + Int(line.pointee.length)
            guard 0 <= start, start <= end, end <= octets.count else { return nil }
            let words = String(streamSafe: octets[start..<end])
            return ShownText(isCut ? "\(words)…" : words)
        }
    }

    @unsafe func draw(_ line: TextLine, on context: OpaquePointer) {
        // Ignore rounding errors, which would truncate a text that fits.
        let isCut = size.width > line.width + 0.25
        if isCut { unsafe pango_layout_set_ellipsize(handle, PANGO_ELLIPSIZE_END) }
        let width = isCut ? line.width : max(line.width, size.width)
        unsafe pango_layout_set_width(handle, CInt((width * unit).rounded(.up)))
        // In right-to-left text, Pango swaps left and right.
        let alignment = isRightToLeft ? line.alignment.mirrored : line.alignment
        unsafe pango_layout_set_alignment(
            handle,
            alignment == .left
                ? PANGO_ALIGN_LEFT : alignment == .right ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_CENTER)
        let ascent = unsafe Double(pango_layout_get_baseline(handle)) / unit
        unsafe cairo_move_to(context, line.x, line.baseline - ascent)
        unsafe pango_cairo_show_layout(context, handle)
    }
}

/// Pango units per point.
private let unit = Double(PANGO_SCALE)

/// Uses the same widths at every scale, so that one layout fits all.
private func useExactMeasures(_ context: OpaquePointer?) {
    guard let context = unsafe context, let options = unsafe cairo_font_options_create() else {
        return
    }
    defer { unsafe cairo_font_options_destroy(options) }
    unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    unsafe pango_cairo_context_set_font_options(context, options)
    unsafe pango_cairo_context_set_resolution(context, 72)
    unsafe pango_context_set_round_glyph_positions(context, 0)
}
