package import Foundation
package import PassDetection

/// Uniform types declared in a property list: UTExportedTypeDeclarations and
/// UTImportedTypeDeclarations of an Info.plist, in XML or binary form.
package enum TypeDeclarations {
    /// - Throws: `TypeDeclarationError` if the data is not a property list or declares no types.
    package static func read(_ data: Data) throws(TypeDeclarationError) -> [UniformType] {
        let file: File
        do {
            file = try PropertyListDecoder().decode(File.self, from: data)
        } catch {
            throw .unreadable
        }
        let declarations = (file.exported ?? []) + (file.imported ?? [])
        guard !declarations.isEmpty else { throw .noDeclarations }
        return declarations.map { declaration in
            UniformType(
                identifier: declaration.identifier,
                conformsTo: declaration.conformsTo?.values ?? [],
                fileExtensions: declaration.tags?.fileExtensions?.values ?? [],
                mediaTypes: declaration.tags?.mediaTypes?.values ?? [])
        }
    }

    private struct File: Decodable {
        let exported: [Declaration]?
        let imported: [Declaration]?

        enum CodingKeys: String, CodingKey {
            case exported = "UTExportedTypeDeclarations"
            case imported = "UTImportedTypeDeclarations"
        }
    }

    private struct Declaration: Decodable {
        let identifier: String
        let conformsTo: OneOrMany?
        let tags: Tags?

        enum CodingKeys: String, CodingKey {
            case identifier = "UTTypeIdentifier"
            case conformsTo = "UTTypeConformsTo"
            case tags = "UTTypeTagSpecification"
        }
    }

    private struct Tags: Decodable {
        let fileExtensions: OneOrMany?
        let mediaTypes: OneOrMany?

        enum CodingKeys: String, CodingKey {
            case fileExtensions = "public.filename-extension"
            case mediaTypes = "public.mime-type"
        }
    }

    /// A string or an array of strings: both forms are allowed.
    private struct OneOrMany: Decodable {
        let values: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let one = try? container.decode(String.self) {
                values = [one]
            } else {
                values = try container.decode([String].self)
            }
        }
    }
}

/// Why a property list contains no types.
package enum TypeDeclarationError: Error, Hashable {
    case unreadable
    case noDeclarations
}
