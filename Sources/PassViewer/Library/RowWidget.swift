internal import CGTK
internal import Foundation
internal import Localization
internal import PassPresentation
internal import PassStore
internal import PassVerification

/// The content of a row.
struct RowContent {
    var title: String
    var detail = ""
    var icon: String?
    /// Accessible name of the icon.
    var iconText = ""
    var isHeading = false

    init(_ section: PassSection) {
        title = section.title
        isHeading = true
    }

    /// - Parameters:
    ///   - isLost: Whether no authority vouches any more for the pass, which was trusted.
    ///   - displayLocale: The reader's language, and the current time.
    init(_ pass: StoredPass, isLost: Bool = false, _ displayLocale: DisplayLocale) {
        let version = pass.current
        let headline = version.headline.shortenedName.escaped
        title = headline.isEmpty ? styleInWords(version.style) : headline
        var parts: [String] = []
        if version.isVoided { parts.append(localized("Voided")) }
        if let date = version.expirationDate, date <= displayLocale.now {
            parts.append(localized("Expired {date}", ["date": displayLocale.shortMoment(date)]))
        } else if let date = PassPlace(of: version, now: displayLocale.now).date
            ?? version.relevantDate
        {
            parts.append(displayLocale.shortMoment(date))
        }
        switch version.verdict {
        case .trusted: if isLost { parts.append(localized("No longer vouched for")) }
        case .unsigned: parts.append(localized("Not signed"))
        case .untrusted, .tampered, .malformed: parts.append(localized("Not trusted"))
        }
        if parts.isEmpty { parts.append(styleInWords(version.style)) }
        detail = parts.joined(separator: " \u{B7} ")
        let isTrusted = version.verdict == .trusted && !isLost
        icon = isTrusted ? "emblem-ok-symbolic" : "dialog-warning-symbolic"
        iconText = isTrusted ? localized("Trusted") : ""
    }
}

/// The widgets of a row. GTK reuses a few of them for all rows.
final class RowWidget: Widget {
    /// A title above a detail, with an icon beside them.
    static func make() -> RowWidget? {
        let texts = unsafe gtk_box_new(GTK_ORIENTATION_VERTICAL, 2)
        for _ in 0..<2 {
            let label = unsafe gtk_label_new(nil)
            unsafe gtk_label_set_xalign(OpaquePointer(label), 0)
            unsafe gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_END)
            unsafe append(label, to: texts)
        }
        unsafe gtk_widget_set_hexpand(texts, 1)
        let row = unsafe gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8)
        unsafe append(texts, to: row)
        unsafe append(gtk_image_new(), to: row)
        return unsafe row.map { unsafe RowWidget($0) }
    }

    /// Calls `body` for a click without Shift or Control.
    func onPlainClick(_ body: @escaping @MainActor @Sendable () -> Void) {
        let gesture: OpaquePointer = unsafe gtk_gesture_click_new()
        nonisolated(unsafe) let click = unsafe gesture
        unsafe connect(UnsafeMutableRawPointer(gesture), "released") {
            let keys = unsafe gtk_event_controller_get_current_event_state(click).rawValue
            let choosing = GDK_SHIFT_MASK.rawValue | GDK_CONTROL_MASK.rawValue
            if keys & choosing == 0 { body() }
        }
        unsafe gtk_widget_add_controller(pointer, gesture)
    }

    /// Calls `body` when the row gets the keyboard focus.
    func onFocus(_ body: @escaping @MainActor @Sendable () -> Void) {
        let controller: OpaquePointer = unsafe gtk_event_controller_focus_new()
        unsafe connect(UnsafeMutableRawPointer(controller), "enter", body)
        unsafe gtk_widget_add_controller(pointer, controller)
    }

    static func fill(_ row: UnsafeMutablePointer<GtkWidget>?, with content: RowContent) {
        guard let row = unsafe row, let texts = unsafe gtk_widget_get_first_child(row),
            let title = unsafe gtk_widget_get_first_child(texts),
            let detail = unsafe gtk_widget_get_next_sibling(title),
            let icon = unsafe gtk_widget_get_next_sibling(texts)
        else { return }
        unsafe gtk_label_set_text(OpaquePointer(title), content.title)
        unsafe gtk_label_set_text(OpaquePointer(detail), content.detail)
        unsafe gtk_widget_set_visible(detail, content.isHeading ? 0 : 1)
        unsafe gtk_widget_set_visible(icon, content.icon == nil ? 0 : 1)
        if let name = content.icon {
            unsafe gtk_image_set_from_icon_name(OpaquePointer(icon), name)
        }
        let spoken = [content.title, content.detail, content.iconText].filter { !$0.isEmpty }
        unsafe setLabel(spoken.joined(separator: ", "), of: gtk_widget_get_parent(row) ?? row)
        // The arrow keys stop before a row that cannot take the focus. A row that cannot be
        // selected needs a focusable child; `PassList` moves the focus on at once.
        unsafe gtk_widget_set_focusable(row, content.isHeading ? 1 : 0)
        unsafe setLabel(content.isHeading ? content.title : "", of: row)
        unsafe setLabel(content.iconText, of: icon)
        unsafe gtk_widget_add_css_class(detail, "caption")
        unsafe gtk_widget_remove_css_class(row, content.isHeading ? "pass-row" : "section")
        unsafe gtk_widget_add_css_class(row, content.isHeading ? "section" : "pass-row")
    }

    private static func append(
        _ child: UnsafeMutablePointer<GtkWidget>?, to box: UnsafeMutablePointer<GtkWidget>?
    ) {
        guard let box = unsafe box else { return }
        unsafe box.withMemoryRebound(to: GtkBox.self, capacity: 1) { box in
            unsafe gtk_box_append(box, child)
        }
    }
}
