/// The words of the program's own on a face.
enum Words {
    static var expired: String { words("Expired") }
    static var voided: String { words("No longer valid") }
    static var barcode: String { words("Barcode") }
}

private func words(_ text: String) -> String { text }
