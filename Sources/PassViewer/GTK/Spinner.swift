internal import CGTK

/// Turns while something is in progress, and is hidden otherwise.
final class Spinner: Widget {
    init() {
        unsafe super.init(gtk_spinner_new())
        isVisible = false
    }

    var isSpinning: Bool {
        get { unsafe gtk_spinner_get_spinning(opaque) != 0 }
        set {
            unsafe gtk_spinner_set_spinning(opaque, newValue ? 1 : 0)
            isVisible = newValue
        }
    }
}
