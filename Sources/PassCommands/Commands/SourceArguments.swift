internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import PassImport
internal import PassLinks
internal import PassPresentation
internal import PassSession
internal import PassVerification
internal import Platform

/// The options for the sources to read.
struct SourceArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Mailboxes, mails, pass files, folders, or URLs; - is the standard input.",
            valueName: "path"),
        completion: .file())
    var paths: [String]

    @Flag(
        help: ArgumentHelp(
            "Also list links to passes in the text of mails, and of .html and .txt files that you "
                + "name; nothing is fetched."))
    var links = false

    @Option(
        help: ArgumentHelp("Use this many cores (default: all).", valueName: "number"),
        transform: positive)
    var jobs: Int?

    @Flag(name: [.customShort("L"), .long], help: ArgumentHelp(LinkOption.help))
    var followSymlinks = false

    @OptionGroup var types: TypeArguments
    @OptionGroup var fetching: FetchArguments

    func validate() throws {
        if paths.contains("") { throw ValidationError("the path is empty") }
    }
}

extension SourceArguments {
    /// The sources on the command line, in order.
    enum NamedSource {
        case local([Input])
        case web([WebURL])
        /// The standard input, which is a list of URLs.
        case list(StreamHead)
        /// The standard input, which begins like a list of URLs but has another kind of line.
        case almostList(line: Int)
        /// An argument that names nothing readable.
        case nothing(ReportedProblem)

        var inputs: [Input] {
            switch self {
            case .local(let inputs): inputs
            case .almostList: [.standardInput]
            case .web, .list, .nothing: []
            }
        }

        var isFetched: Bool {
            switch self {
            case .web, .list: true
            case .local, .almostList, .nothing: false
            }
        }

        /// Whether it is a list that names local files, unknown until it is read.
        var namesFiles: Bool { if case .list(let head) = self { head.namesFiles } else { false } }
    }

    /// - Parameters:
    ///   - options: Gets the part of the standard input that was read to recognise a list.
    ///   - readsLists: Whether the standard input may be a list. It may not where other programs
    ///     pass on untrusted data, since a list causes requests.
    func sources(
        _ options: inout ImportOptions, readsLists: Bool = true, in shell: Shell
    ) throws(Failure) -> [NamedSource] {
        var sources: [NamedSource] = []
        for path in paths {
            let word: SourceWord
            do throws(Failure) {
                word = try SourceWord(path, in: shell.session)
            } catch {
                sources.append(.nothing(try ReportedProblem(ofWord: error)))
                continue
            }
            if word == .standardInput, readsLists, options.standardInputHead.isEmpty {
                let head = StreamHead(of: FileDescriptor(STDIN_FILENO))
                options.standardInputHead = head.bytes
                if head.isList {
                    sources.append(.list(head))
                    continue
                }
                if let line = head.lineOutOfPlace {
                    sources.append(.almostList(line: line))
                    continue
                }
            }
            if case .web(let url) = word {
                guard case .web(let urls) = sources.last else {
                    sources.append(.web([url]))
                    continue
                }
                sources[sources.count - 1] = .web(urls + [url])
            } else if let input = word.input {
                guard case .local(let inputs) = sources.last else {
                    sources.append(.local([input]))
                    continue
                }
                sources[sources.count - 1] = .local(inputs + [input])
            } else {
                let failure = Failure.unreadable(
                    word.shown, reason: UnreadableWord.storedPass.phrase)
                sources.append(.nothing(try ReportedProblem(ofWord: failure)))
            }
        }
        return sources
    }

    /// The options for a scan, without a library.
    func options(_ verifier: PassVerifier, in shell: Shell) throws -> ImportOptions {
        var options = ImportOptions(verifier, in: shell.session)
        // More workers than processors would only use memory.
        options.jobs = min(jobs ?? ProcessInfo.processInfo.activeProcessorCount, 256)
        options.links = links ? LinkLimits() : nil
        options.followsLinks = followSymlinks
        options.types = try types.map(in: shell)
        return options
    }
}

extension ReportedProblem {
    /// The problem of an argument that names nothing readable. The other arguments are still read.
    fileprivate init(ofWord failure: Failure) throws(Failure) {
        guard case .unreadable(let word, let reason) = failure else { throw failure }
        self.init(source: word, code: BadLine.code, reason)
    }
}
