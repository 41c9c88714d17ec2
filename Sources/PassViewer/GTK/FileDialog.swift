internal import CGTK
internal import Localization

/// The desktop's dialogue for saving a file. It asks before a file is overwritten.
@MainActor
@safe
final class FileDialog {
    private let native: OpaquePointer
    /// Keeps the dialogue alive until the user answers.
    private var itself: FileDialog?

    init(_ title: String, name: String, above window: Window) {
        unsafe native = gtk_file_chooser_native_new(
            title, window.cast(), GTK_FILE_CHOOSER_ACTION_SAVE, localized("_Save"),
            localized("_Cancel"))
        unsafe gtk_file_chooser_set_current_name(native, name)
    }

    /// A dialogue that selects a folder.
    init(folder title: String, above window: Window) {
        unsafe native = gtk_file_chooser_native_new(
            title, window.cast(), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, localized("_Select"),
            localized("_Cancel"))
    }

    isolated deinit { unsafe g_object_unref(UnsafeMutableRawPointer(native)) }

    func ask(_ body: @escaping @MainActor @Sendable (String) -> Void) {
        itself = self
        let emitter = unsafe UnsafeMutableRawPointer(native)
        unsafe connectWithArgument(emitter, "response") { [weak self] answer in
            defer { self?.itself = nil }
            let response = Int32(truncatingIfNeeded: Int(bitPattern: answer))
            guard let self, response == GTK_RESPONSE_ACCEPT.rawValue,
                let file = unsafe gtk_file_chooser_get_file(native)
            else { return false }
            defer { unsafe g_object_unref(UnsafeMutableRawPointer(file)) }
            if let path = unsafe g_file_get_path(file) {
                body(unsafe String(cString: path))
                unsafe g_free(path)
            }
            return true
        }
        unsafe gtk_native_dialog_show(
            UnsafeMutableRawPointer(native).assumingMemoryBound(to: GtkNativeDialog.self))
    }
}
