/// A GTK list with a given number of rows, each with two texts and a symbol, in a window as large
/// as the library's. Ctrl+Q closes it.
enum ListSource {
    static let text = """
        import sys
        import gi
        gi.require_version("Gtk", "4.0")
        from gi.repository import GLib, Gtk

        def setup(factory, item):
            row = Gtk.Box(spacing=8)
            texts = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=2, hexpand=True)
            for _ in range(2): texts.append(Gtk.Label(xalign=0))
            row.append(texts)
            row.append(Gtk.Image())
            item.set_child(row)

        def bind(factory, item):
            row, text = item.get_child(), item.get_item().get_string()
            title = row.get_first_child().get_first_child()
            title.set_text(text)
            title.get_next_sibling().set_text("Row " + text)
            row.get_last_child().set_from_icon_name("emblem-ok-symbolic")

        def activate(application):
            factory = Gtk.SignalListItemFactory()
            factory.connect("setup", setup)
            factory.connect("bind", bind)
            rows = Gtk.StringList.new([f"Number {number}" for number in range(int(sys.argv[1]))])
            view = Gtk.ListView.new(Gtk.MultiSelection.new(rows), factory)
            window = Gtk.ApplicationWindow(
                application=application, title="Rows", default_width=900, default_height=700)
            window.set_child(Gtk.ScrolledWindow(child=view))
            keys = Gtk.ShortcutController()
            keys.add_shortcut(Gtk.Shortcut.new(
                Gtk.ShortcutTrigger.parse_string("<Control>q"),
                Gtk.CallbackAction.new(lambda *_: window.close() or True)))
            window.add_controller(keys)
            window.present()
            view.grab_focus()

        application = Gtk.Application()
        application.connect("activate", activate)
        application.run()

        """
}
