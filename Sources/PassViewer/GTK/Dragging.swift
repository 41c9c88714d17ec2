internal import CGTK

extension Widget {
    /// Accepts dropped files and passes on their URLs.
    func acceptFiles(_ body: @escaping @MainActor @Sendable ([String]) -> Void) {
        let target: OpaquePointer = unsafe gtk_drop_target_new(
            gdk_file_list_get_type(), GDK_ACTION_COPY)
        unsafe connectWithArgument(UnsafeMutableRawPointer(target), "drop") { value in
            guard let value = unsafe value?.assumingMemoryBound(to: GValue.self) else {
                return false
            }
            // Ignore files dragged from this program: a click may become a drag by accident.
            if let drop = unsafe gtk_drop_target_get_current_drop(target),
                unsafe gdk_drop_get_drag(drop) != nil
            {
                return false
            }
            var urls: [String] = []
            var node = unsafe gdk_file_list_get_files(OpaquePointer(g_value_get_boxed(value)))
            let first = unsafe node
            while let item = unsafe node {
                if let file = unsafe item.pointee.data,
                    let url = unsafe g_file_get_uri(OpaquePointer(file))
                {
                    urls.append(unsafe String(cString: url))
                    unsafe g_free(url)
                }
                unsafe node = item.pointee.next
            }
            unsafe g_slist_free(first)
            guard !urls.isEmpty else { return false }
            body(urls)
            return true
        }
        unsafe gtk_widget_add_controller(pointer, target)
    }

    /// Lets the user drag files out of the widget; `paths` is called when a drag begins.
    func offerFiles(_ paths: @escaping @MainActor @Sendable () -> [String]) {
        let source: OpaquePointer = unsafe gtk_drag_source_new()
        let listener = unsafe Listener { provider in
            guard let provider = unsafe provider?.assumingMemoryBound(to: OpaquePointer?.self)
            else { return false }
            let paths = paths()
            guard !paths.isEmpty else { return false }
            unsafe provider.pointee = contentProvider(of: paths)
            return true
        }
        let prepare: @convention(c) (UnsafeMutableRawPointer?, Double, Double) -> OpaquePointer? = {
            box, _, _ in
            var provider: OpaquePointer?
            _ = unsafe withUnsafeMutablePointer(to: &provider) { place in
                unsafe Listener.call(box, UnsafeMutableRawPointer(place))
            }
            return unsafe provider
        }
        unsafe g_signal_connect_data(
            UnsafeMutableRawPointer(source), "prepare",
            unsafeBitCast(prepare, to: GCallback.self), listener.held,
            { box, _ in unsafe release(box) }, G_CONNECT_SWAPPED)
        unsafe gtk_widget_add_controller(pointer, source)
    }
}

private func contentProvider(of paths: [String]) -> OpaquePointer? {
    var files: UnsafeMutablePointer<GSList>?
    for path in paths.reversed() {
        unsafe files = g_slist_prepend(files, UnsafeMutableRawPointer(g_file_new_for_path(path)))
    }
    var value = GValue()
    unsafe g_value_init(&value, gdk_file_list_get_type())
    unsafe g_value_take_boxed(
        &value, UnsafeMutableRawPointer(gdk_file_list_new_from_list(files)))
    defer { unsafe g_value_unset(&value) }
    unsafe g_slist_free_full(files, { unsafe g_object_unref($0) })
    return unsafe gdk_content_provider_new_for_value(&value).map { OpaquePointer($0) }
}
