internal import Localization

/// The words of the program's own on a face.
enum Words {
    static var expired: String { localized("Expired") }
    static var voided: String { localized("No longer valid") }
    static var barcode: String { localized("Barcode") }
}
