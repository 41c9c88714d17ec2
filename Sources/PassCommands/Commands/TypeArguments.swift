internal import ArgumentParser
internal import Foundation
internal import PassDetection
internal import PassImport
internal import PassPresentation
internal import PassSession

/// The option for further types that are treated as passes.
struct TypeArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Also take for passes what a property list of an app declares "
                + "(UTExportedTypeDeclarations); repeatable.",
            valueName: "file"),
        completion: .file(extensions: ["plist"]))
    var types: [String] = []

    func validate() throws {
        if types.contains("") { throw ValidationError("--types needs the name of a file") }
    }
}

extension TypeArguments {
    func map(in shell: Shell) throws -> TypeMap {
        types.isEmpty
            ? .builtIn : TypeMap(try types.flatMap { try declarations(at: $0, in: shell) })
    }
}

/// The types that a property list declares.
private func declarations(at path: String, in shell: Shell) throws(Failure) -> [UniformType] {
    let file = try shell.session.contents(of: path)
    do throws(TypeDeclarationError) {
        return try TypeDeclarations.read(Data(file))
    } catch {
        throw .unreadable(path, reason: error.phrase)
    }
}
