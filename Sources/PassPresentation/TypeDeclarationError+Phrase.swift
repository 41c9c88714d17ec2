package import PassImport

extension TypeDeclarationError: Worded {
    package var phrase: Phrase {
        switch self {
        case .unreadable: Phrase("not a property list with type declarations")
        case .noDeclarations: Phrase("declares no types (UTExportedTypeDeclarations)")
        }
    }
}
