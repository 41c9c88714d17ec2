internal import Localization

/// The program's own texts on a face.
enum Words {
    static var expired: String { localized("Expired") }
    static var voided: String { localized("No longer valid") }
    static var barcode: String { localized("Barcode") }
}
