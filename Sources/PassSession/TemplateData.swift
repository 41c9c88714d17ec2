internal import Foundation
internal import Glibc
internal import Localization
internal import PassPresentation
package import PassSigning
internal import Platform

/// The rows for a template that `--data` names: a file, or `-` for standard input. Errors name it.
package struct TemplateData: Sendable {
    package let name: String
    private let session: Session

    package init(_ name: String, in session: Session) {
        self.name = name
        self.session = session
    }

    /// Opens the file, or copies standard input into a temporary file.
    package func rows() throws(Failure) -> RowFile {
        do throws(RowFileError) {
            guard name == "-" else { return try RowFile(contentsOf: URL(fileURLWithPath: name)) }
            return try RowFile(
                copyOf: FileDescriptor(STDIN_FILENO), inOneOf: session.temporaryFolders)
        } catch {
            throw .unreadable(name, reason: error.phrase)
        }
    }

    /// The folder of images that rows name: that of the file.
    package func images() throws(Failure) -> ImageFolder {
        let folder =
            name == "-"
            ? URL(fileURLWithPath: ".", isDirectory: true)
            : URL(fileURLWithPath: name).deletingLastPathComponent()
        do throws(RowFileError) {
            return try ImageFolder(folder)
        } catch {
            throw .unreadable(folder.relativePath, reason: error.phrase)
        }
    }

    /// A reader at the first row. A header must have the columns of the template and the file names.
    package func reader(
        of file: RowFile, for template: PassTemplate,
        namingFilesBy names: OutputName = .serialNumber
    ) throws(Failure) -> RowReader {
        let reader: RowReader
        do throws(RowFileError) {
            reader = try file.reader()
        } catch {
            throw .unreadable(name, reason: error.phrase)
        }
        guard let columns = reader.columns else { return reader }
        do throws(TemplateError) {
            try template.check(columns, namingFilesBy: names)
        } catch {
            throw .unreadable(name, reason: error.phrase)
        }
        return reader
    }

    /// The next row; nil at the end.
    package func next(_ reader: inout RowReader) throws(Failure) -> RowEntry? {
        do throws(RowFileError) {
            return try reader.next()
        } catch {
            throw .unreadable(name, reason: error.phrase)
        }
    }

    /// The file and the line of a row, for messages.
    package func place(_ line: Int) -> String {
        let place = localized("line {number}", ["number": String(line)])
        return "\(name): \(place)"
    }
}
