package import Foundation

/// The contents of a pass to make.
package struct PassRecipe: Sendable, Encodable {
    package struct Field: Sendable, Encodable {
        package var key: String
        package var label: String?
        package var value: String
        package var changeMessage: String?

        package init(
            _ key: String, _ value: String, label: String? = nil, changeMessage: String? = nil
        ) {
            self.key = key
            self.value = value
            self.label = label
            self.changeMessage = changeMessage
        }
    }

    /// The name of its file.
    package var file: String
    package var type = PassMaker.type
    package var serial: String
    package var description = "Ticket"
    package var organization = "Example Railways"
    package var fields: [Field] = []
    /// The signing time; nil for now.
    package var signedAt: Date?
    package var webServiceURL: String?
    package var authenticationToken: String?
    /// Nil to leave out the key `voided`.
    package var voided: Bool?
    /// The number of random bytes in its image.
    package var picture = 100

    package init(_ serial: String, file: String? = nil) {
        self.serial = serial
        self.file = file ?? "\(serial).pkpass"
    }
}
