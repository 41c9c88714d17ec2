import Archives
import Compression
import Glibc
import MIME
import MailContainers
import MailSource
import PassImport
import PassLinks
import Platform

/// Samples of problems with input.
enum ReadingSamples {
    /// Operations on files.
    static let operations = samples { (last: FileError.Operation?) -> FileError.Operation? in
        switch last {
        case nil: .open
        case .open: .read
        case .read: .write
        case .write: .create
        case .create: .copy
        case .copy: .rename
        case .rename: .remove
        case .remove: .empty
        case .empty: .lock
        case .lock: .sync
        case .sync: .watch
        case .watch: .examine
        case .examine: .makeFolder
        case .makeFolder: .makeTemporaryFile
        case .makeTemporaryFile: .makePipe
        case .makePipe: .makeFolderAt("/a")
        case .makeFolderAt: .makeFolderIn("/a")
        case .makeFolderIn: .start("a")
        case .start: .startProcess
        case .startProcess: .startThread
        case .startThread: .makeRules
        case .makeRules: .addRule
        case .addRule: .applyRules
        case .applyRules: .filterSystemCalls
        case .filterSystemCalls: nil
        }
    }

    static let sourceProblems = samples { (last: SourceProblem.Kind?) -> SourceProblem.Kind? in
        switch last {
        case nil: .linkLoop
        case .linkLoop: .danglingLink
        case .danglingLink: .vanished
        case .vanished: .notAFile(.fifo)
        case .notAFile(.fifo): .notAFile(.socket)
        case .notAFile(.socket): .notAFile(.device)
        case .notAFile(.device): .notAFile(.other)
        case .notAFile(.other): .unreadable(FileError(.open, EACCES))
        case .unreadable: nil
        }
    }

    static let mailProblems = samples { (last: MIMEProblem.Kind?) -> MIMEProblem.Kind? in
        switch last {
        case nil: .unreadable(FileError(.read, EIO))
        case .unreadable: .nestedTooDeep(limit: 100)
        case .nestedTooDeep: .tooManyParts(limit: 10_000)
        case .tooManyParts: .partTooLarge(limit: 224 << 20)
        case .partTooLarge: .headerTooLarge
        case .headerTooLarge: nil
        }
    }

    private static func body(_ reason: BodyProblem.Reason) -> BodyProblem {
        BodyProblem(name: "body.rtf", reason: reason)
    }

    static let containerProblems = samples { (last: ContainerProblem?) -> ContainerProblem? in
        switch last {
        case nil: .unreadable(FileError(.read, EIO))
        case .unreadable: .tnef(.tooManyAttributes(limit: 1))
        case .tnef(.tooManyAttributes): .tnef(.tooManyAttachments(limit: 1))
        case .tnef(.tooManyAttachments): .tnef(.tooManyProperties(limit: 1))
        case .tnef(.tooManyProperties): .tnef(.namesTooLong(limit: 1))
        case .tnef(.namesTooLong): .tnef(.truncated)
        case .tnef(.truncated): .tnef(.attachmentTruncated(name: "a"))
        case .tnef(.attachmentTruncated(.some)): .tnef(.attachmentTruncated(name: nil))
        case .tnef(.attachmentTruncated(nil)): .tnef(.damaged)
        case .tnef(.damaged): .tnef(.body(body(.truncated)))
        case .tnef(.body): .outlook(.tooManyAttachments(limit: 1))
        case .outlook(.tooManyAttachments): .outlook(.nestedTooDeep)
        case .outlook(.nestedTooDeep): .outlook(.namesTooLong(limit: 1))
        case .outlook(.namesTooLong): .outlook(.tooManyEntries(limit: 1))
        case .outlook(.tooManyEntries): .outlook(.tooLarge(limit: 1))
        case .outlook(.tooLarge): .outlook(.truncated)
        case .outlook(.truncated): .outlook(.attachmentTruncated(name: "a"))
        case .outlook(.attachmentTruncated(.some)): .outlook(.attachmentTruncated(name: nil))
        case .outlook(.attachmentTruncated(nil)): .outlook(.body(body(.truncated)))
        case .outlook(.body(let problem)):
            switch problem.reason {
            case .truncated: .outlook(.body(body(.damaged)))
            case .damaged: .outlook(.body(body(.tooLarge(limit: 1))))
            case .tooLarge: .outlook(.body(body(.nestedTooDeep(limit: 1))))
            case .nestedTooDeep: .outlook(.body(body(.unknownCodePage(1))))
            case .unknownCodePage: .jsonTruncated
            }
        case .jsonTruncated: nil
        }
    }

    static let compressionErrors = samples { (last: CompressionError?) -> CompressionError? in
        switch last {
        case nil: .damaged(.xz, offset: 7, .noHeader)
        case .damaged(_, _, .noHeader): .damaged(.xz, offset: 7, .wrongData)
        case .damaged(_, _, .wrongData): .damaged(.xz, offset: 7, .stuck)
        case .damaged(_, _, .stuck): .damaged(.xz, offset: 7, .unknownOptions)
        case .damaged(_, _, .unknownOptions): .damaged(.lz4, offset: 7, .noLibrary)
        case .damaged(_, _, .noLibrary): .damaged(.xz, offset: 7, .code(3))
        case .damaged(_, _, .code): .damaged(.gzip, offset: 7, .words("invalid block type"))
        case .damaged(_, _, .words): .truncated(.gzip)
        case .truncated: .trailingGarbage(.gzip, offset: 7)
        case .trailingGarbage: .unsupported(.zstd, .words("Dictionary mismatch"))
        case .unsupported: .memoryTooLarge(limit: 7)
        case .memoryTooLarge: .ratioTooHigh(limit: 7)
        case .ratioTooHigh: .totalTooLarge(limit: 7)
        case .totalTooLarge: .outOfMemory
        case .outOfMemory: nil
        }
    }

    static let archiveErrors = samples { (last: ArchiveError?) -> ArchiveError? in
        switch last {
        case nil: .damagedHeader(offset: 1024)
        case .damagedHeader: .damagedAttributes(offset: 1024)
        case .damagedAttributes: .attributesTooLarge(offset: 1024, limit: 7)
        case .attributesTooLarge: .truncated
        case .truncated: .sparse(name: "a")
        case .sparse: .unknownType(name: "a", type: 77)
        case .unknownType: .damaged(.sevenZip, reason: nil)
        case .damaged(_, nil): .damaged(.rar, reason: "Truncated RAR file data")
        case .damaged: .damagedFile(name: "a", reason: "Bad CRC")
        case .damagedFile: .unsupportedCompression(name: "a")
        case .unsupportedCompression: .memoryTooLarge(limit: 7)
        case .memoryTooLarge: .tooManyEntries(count: 8, limit: 7)
        case .tooManyEntries: .directoryTooLarge(limit: 7)
        case .directoryTooLarge: .ratioTooHigh(limit: 7)
        case .ratioTooHigh: .totalTooLarge(limit: 7)
        case .totalTooLarge: .outOfMemory
        case .outOfMemory: .noLibrary
        case .noLibrary: nil
        }
    }

    static let dataURLErrors = samples { (last: DataURLError?) -> DataURLError? in
        switch last {
        case nil: .noComma
        case .noComma: .noBase64
        case .noBase64: .tooLarge(64 << 20)
        case .tooLarge: nil
        }
    }

    static let limits = samples { (last: Problem.Limit?) -> Problem.Limit? in
        switch last {
        case nil: .time(seconds: 60)
        case .time: .work(bytes: 1 << 30)
        case .work: .reports(100)
        case .reports: .messages(100)
        case .messages: .pieces(100)
        case .pieces: .inflated(bytes: 1 << 30)
        case .inflated: .entries(100)
        case .entries: .members(100)
        case .members: .nesting
        case .nesting: .depth
        case .depth: .nestedPieces
        case .nestedPieces: .links(100)
        case .links: .linkSize(bytes: 16 << 10)
        case .linkSize: .linkData(bytes: 64 << 20)
        case .linkData: .input(bytes: 1 << 30)
        case .input: .attachments(100)
        case .attachments: nil
        }
    }

    /// Problems, except those that wrap a problem of another module.
    static let ownProblems = samples { (last: Problem.Kind?) -> Problem.Kind? in
        switch last {
        case nil: .vanished(FileError(.open, ENOENT))
        case .vanished: .externalBody(place: "url, https://a.example/")
        case .externalBody: .incomplete(pieces: [1, 3], total: 4)
        case .incomplete(_, .some): .incomplete(pieces: [1], total: nil)
        case .incomplete(_, nil): .attachmentMissing
        case .attachmentMissing: .attachmentDetached(place: "file:///home/ana/ticket.pkpass")
        case .attachmentDetached: .attachmentRemoved
        case .attachmentRemoved: .attachmentElsewhere
        case .attachmentElsewhere: .moreMalformed(9_980)
        case .moreMalformed: .moreProblems(3, areLasting: true)
        case .moreProblems: .limit(.depth)
        case .limit: .formatNotRead(.outlookFolders)
        case .formatNotRead(.outlookFolders): .formatNotRead(.outlookExpress)
        case .formatNotRead(.outlookExpress): .formatNotRead(.encryptedOpenPGP)
        case .formatNotRead(.encryptedOpenPGP): .formatNotRead(.encryptedCMS)
        case .formatNotRead(.encryptedCMS): .formatNotRead(.encryptedZip)
        case .formatNotRead(.encryptedZip): .formatNotRead(.encrypted7z)
        case .formatNotRead(.encrypted7z): .formatNotRead(.encryptedRAR)
        case .formatNotRead(.encryptedRAR): .formatNotRead(.brotli)
        case .formatNotRead(.brotli): .formatNotRead(.dovecotLZ4)
        case .formatNotRead(.dovecotLZ4): .formatNotRead(.dovecotEncrypted)
        case .formatNotRead(.dovecotEncrypted): .formatNotRead(.protectedByMicrosoft)
        case .formatNotRead(.protectedByMicrosoft): .formatNotRead(.appleOrder)
        case .formatNotRead(.appleOrder): .formatNotRead(.iCloudPlaceholder)
        case .formatNotRead(.iCloudPlaceholder): .formatNotRead(.notes)
        case .formatNotRead(.notes): .formatNotRead(.theBat)
        case .formatNotRead(.theBat): .formatNotRead(.pegasus)
        case .formatNotRead(.pegasus): nil
        case .unreadable, .source, .message, .container, .compression, .archive, .member,
            .archiveTooLarge, .cms, .dataURL:
            nil
        }
    }

    static let typeDeclarationErrors = samples {
        (last: TypeDeclarationError?) -> TypeDeclarationError? in
        switch last {
        case nil: .unreadable
        case .unreadable: .noDeclarations
        case .noDeclarations: nil
        }
    }
}

/// A sample of each case. Each sample leads to the next one in an exhaustive switch, so that the
/// compiler requires a sample for a new case.
private func samples<Value>(_ next: (Value?) -> Value?) -> [Value] {
    var samples: [Value] = []
    while let sample = next(samples.last) { samples.append(sample) }
    return samples
}
