/// A file that integrates the program with the desktop, and its location.
package struct DesktopFile: Sendable {
    /// Relative to a data folder: `$XDG_DATA_HOME`, `/usr/share`.
    package let place: String
    package let bytes: [UInt8]

    /// The media types of the files that the program opens.
    package static let mediaTypes = [
        "application/vnd.apple.pkpass", "application/vnd.apple.pkpasses",
    ]

    /// The types that the program opens: pass files and passURLs. Desktops treat a scheme
    /// as a media type (Shared MIME-info Database, "URI scheme handlers").
    package static let openedTypes = mediaTypes + ["x-scheme-handler/passconduit"]

    package static let openerName = "org.passconduit.Open.desktop"

    /// The desktop entry that opens passes; no menu shows it.
    package static let opener = DesktopFile(
        place: "applications/\(openerName)",
        bytes: PackageResources.org_passconduit_Open_desktop)

    /// The desktop entry that shows the library. Its name is the ID of the application.
    package static let launcher = DesktopFile(
        place: "applications/org.passconduit.Passconduit.desktop",
        bytes: PackageResources.org_passconduit_Passconduit_desktop)

    package static let types = DesktopFile(
        place: "mime/packages/passconduit.xml", bytes: PackageResources.passconduit_xml)

    package static let icons = [
        DesktopFile(
            place: "icons/hicolor/scalable/apps/org.passconduit.Passconduit.svg",
            bytes: PackageResources.org_passconduit_Passconduit_svg),
        DesktopFile(
            place: "icons/hicolor/symbolic/apps/org.passconduit.Passconduit-symbolic.svg",
            bytes: PackageResources.org_passconduit_Passconduit_symbolic_svg),
        DesktopFile(
            place: "icons/hicolor/scalable/mimetypes/application-vnd.apple.pkpass.svg",
            bytes: PackageResources.application_vnd_apple_pkpass_svg),
    ]

    package init(place: String, bytes: [UInt8]) {
        self.place = place
        self.bytes = bytes
    }
}
