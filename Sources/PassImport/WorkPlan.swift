import Bytes
import MIME
import MailSource
import Platform

/// A piece of work for one worker.
enum Work: Sendable {
    /// Some files, and the problems found between them.
    case files(ArraySlice<SourceWalk.Step>)
    /// The messages that begin in a range of an mbox, or of one stretch of it. `after` is what the
    /// messages before the range leave to it; nil if they were not read yet.
    case mbox(SourceFile, Range<Int>, of: MailboxStretch, after: OpenEntities?)
    case standardInput
    case download(DownloadedFile)
}

/// Divides the inputs into pieces of work, in order, on demand.
struct WorkPlan {
    private var inputs: [Input]
    private var walk: SourceWalk?
    /// The stretches of an mbox still to be read, next one last.
    private var stretches: (file: SourceFile, rest: [MailboxStretch])?
    /// The current stretch, and the start of its next range.
    private var ranges: (file: SourceFile, stretch: MailboxStretch, from: Int)?
    /// The links met so far that were not followed.
    private(set) var linksNotFollowed = 0
    private let options: ImportOptions
    private let rangeSize: Int

    /// The size of a batch for one worker: large enough to outweigh its overhead, small enough to
    /// keep all workers busy to the end.
    private static let batchCount = 256
    private static let batchBytes = 3 << 20

    init(_ inputs: [Input], _ options: ImportOptions) {
        self.inputs = inputs.reversed()
        self.options = options
        rangeSize = max(options.rangeSize, 1 << 10)
    }

    /// The next piece of work; files recorded as read are skipped.
    mutating func next(_ memory: inout ScanCache?) -> Work? {
        if let work = nextRange() { return work }
        var batch: [SourceWalk.Step] = []
        var size = 0
        while batch.count < WorkPlan.batchCount, size < WorkPlan.batchBytes {
            guard var step = walk?.next() else {
                linksNotFollowed += walk.take()?.linksNotFollowed ?? 0
                if !batch.isEmpty { break }
                guard let input = inputs.popLast() else { return nil }
                memory?.enter(input)
                walk = SourceWalk(
                    input, options, stampsDeliveries: memory?.isToCompare ?? false)
                if let work = Work(input) { return work }
                continue
            }
            switch step {
            case .file(var file):
                if file.isUnpackedPass {
                    walk?.leaveOut(UnpackedPass.names(in: file.path, options))
                    if memory != nil {
                        file.stamp = UnpackedPass.stamp(of: file.path, options) ?? .notTaken
                        step = .file(file)
                    }
                } else if options.takesFilesForPasses, !file.isNamed {
                    // Of a folder, only the pass was asked for.
                    continue
                }
                if options.unfinished.contains(file.path) { continue }
                if memory?.meets(file) == true { continue }
                if isReadByItself(file, memory), isMbox(file) {
                    let whole = MailboxStretch(range: 0..<file.size)
                    stretches = (file, (memory?.begin(mbox: file) ?? [whole]).reversed())
                    if batch.isEmpty { return nextRange() }
                    return .files(batch[...])
                }
                size += file.size
            case .problem:
                memory?.meetProblem()
            }
            batch.append(step)
        }
        return batch.isEmpty ? nil : .files(batch[...])
    }

    private mutating func nextRange() -> Work? {
        if ranges == nil, let file = stretches?.file, let next = stretches?.rest.popLast() {
            ranges = (file, next, next.range.lowerBound)
        }
        guard let (file, stretch, from) = ranges else { return nil }
        let start = from == stretch.range.lowerBound ? from : file.data(from: from)
        guard start < stretch.range.upperBound else {
            ranges = nil
            return nextRange()
        }
        // The last range includes the remainder, so that none is much smaller than the others.
        let rest = stretch.range.upperBound - start
        let end = rest < rangeSize * 2 ? stretch.range.upperBound : start + rangeSize
        ranges = end < stretch.range.upperBound ? (file, stretch, end) : nil
        let isFirst = start == stretch.range.lowerBound
        return .mbox(file, start..<end, of: stretch, after: isFirst ? OpenEntities() : nil)
    }

    /// Whether a file, if it is an mbox, is read in ranges, or only its appended part.
    private func isReadByItself(_ file: SourceFile, _ memory: ScanCache?) -> Bool {
        !file.isMessage
            && (file.size > rangeSize * 2 || memory?.isMailboxOfItsOwn(file) ?? false)
    }

    /// Whether a large file is an mbox. If it cannot be read, the worker reports the error.
    private func isMbox(_ file: SourceFile) -> Bool {
        guard let open = try? file.open() else { return false }
        defer { open.descriptor.close() }
        return (try? ContentHead(of: open.bytes))?.kind == .mail(.mbox)
    }
}

extension Work {
    /// Nil for files and folders, which may need many pieces.
    init?(_ input: Input) {
        switch input {
        case .path, .folder: return nil
        case .standardInput: self = .standardInput
        case .download(let file): self = .download(file)
        }
    }
}

extension SourceWalk {
    /// Nil for an input outside of the file system.
    init?(_ input: Input, _ options: ImportOptions, stampsDeliveries: Bool = true) {
        let (path, goesDown): (Path, Bool)
        switch input {
        case .path(let tree): (path, goesDown) = (tree, true)
        case .folder(let folder): (path, goesDown) = (folder, false)
        case .standardInput, .download: return nil
        }
        self.init(
            [path], followsLinks: options.followsLinks, stampsDeliveries: stampsDeliveries,
            goesDown: goesDown, leavingOut: options.folderLeftOut, held: options.held[path])
    }
}
