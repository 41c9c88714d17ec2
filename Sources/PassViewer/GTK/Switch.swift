internal import CGTK

/// A switch that is on or off.
final class Switch: Widget {
    /// The state last set by the program or reported to `onChange`.
    private var known: Bool

    /// - Parameter onChange: Called when the user changes it.
    init(isOn: Bool, onChange: @escaping @MainActor @Sendable (Bool) -> Void) {
        known = isOn
        unsafe super.init(gtk_switch_new())
        unsafe gtk_switch_set_active(opaque, isOn ? 1 : 0)
        on("notify::active") { [weak self] in
            guard let self, self.isOn != known else { return }
            known = self.isOn
            onChange(known)
        }
    }

    var isOn: Bool {
        get { unsafe gtk_switch_get_active(opaque) != 0 }
        set {
            known = newValue
            unsafe gtk_switch_set_active(opaque, newValue ? 1 : 0)
        }
    }
}
