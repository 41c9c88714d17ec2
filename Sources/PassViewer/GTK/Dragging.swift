internal import CGTK

extension Widget {
    /// Takes files that are let fall on it, by their URLs.
    func acceptFiles(_ body: @escaping @MainActor @Sendable ([String]) -> Void) {
        let target: OpaquePointer = unsafe gtk_drop_target_new(
            gdk_file_list_get_type(), GDK_ACTION_COPY)
        unsafe connectWithArgument(UnsafeMutableRawPointer(target), "drop") { value in
            guard let value = unsafe value?.assumingMemoryBound(to: GValue.self) else {
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

    /// Gives a file to where it is dragged; the closure names the path when dragging begins.
    func offerFile(_ path: @escaping @MainActor @Sendable () -> String?) {
        let source: OpaquePointer = unsafe gtk_drag_source_new()
        let listener = unsafe Listener { provider in
            guard let provider = unsafe provider?.assumingMemoryBound(to: OpaquePointer?.self),
                let path = path()
            else { return false }
            let file = unsafe g_file_new_for_path(path)
            var value = GValue()
            unsafe g_value_init(&value, g_file_get_type())
            unsafe g_value_take_object(&value, UnsafeMutableRawPointer(file))
            unsafe provider.pointee = gdk_content_provider_new_for_value(&value)
                .map { OpaquePointer($0) }
            unsafe g_value_unset(&value)
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
