import Bytes

/// A uniform type as Apple's systems declare it: an identifier, the types it conforms to, and its
/// file extensions and media types (UTTypeIdentifier, UTTypeConformsTo, UTTypeTagSpecification).
package struct UniformType: Sendable, Hashable, Codable {
    package let identifier: String
    package let conformsTo: [String]
    /// In lower case, without the dot.
    package let fileExtensions: [String]
    /// In lower case.
    package let mediaTypes: [String]

    package init(
        identifier: String, conformsTo: [String] = [], fileExtensions: [String] = [],
        mediaTypes: [String] = []
    ) {
        self.identifier = identifier
        self.conformsTo = conformsTo
        self.fileExtensions = fileExtensions.map { $0.asciiLowercased }
        self.mediaTypes = mediaTypes.map { $0.asciiLowercased }
    }

    /// A pass. VIOLATIONS.md, M35: unregistered media types.
    package static let pass = UniformType(
        identifier: "com.apple.pkpass", conformsTo: ["public.data"],
        fileExtensions: ["pkpass"],
        mediaTypes: [
            "application/vnd.apple.pkpass",
            // Android's mail program.
            "application/vnd-com.apple.pkpass",
            "application/vndapplepkpass",
            "application/x-apple-pkpass",
            "application/x-passbook",
            "application/x-pkpass",
            "application/pkpass",
        ])

    /// Several passes in one archive; the media type also occurs on single passes
    /// (VIOLATIONS.md, M35).
    package static let passes = UniformType(
        identifier: "com.apple.pkpasses", conformsTo: ["public.data"],
        fileExtensions: ["pkpasses"], mediaTypes: ["application/vnd.apple.pkpasses"])
}
