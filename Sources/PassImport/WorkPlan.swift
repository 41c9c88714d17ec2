import Bytes
import MailSource
import Platform

/// A piece of work for one worker.
enum Work: Sendable {
    /// Some files, and the problems found between them.
    case files(ArraySlice<SourceWalk.Step>)
    /// The messages that begin in a range of an mbox, or of one stretch of it.
    case mbox(SourceFile, Range<Int>, of: MailboxStretch)
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
            guard let step = walk?.next() else {
                walk = nil
                if !batch.isEmpty { break }
                guard let input = inputs.popLast() else { return nil }
                memory?.enter(input)
                walk = SourceWalk(
                    input, stampsDeliveries: memory?.isToCompare ?? false,
                    leavingOut: options.folderLeftOut)
                if let work = Work(input) { return work }
                continue
            }
            switch step {
            case .file(let file):
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
        guard let (file, stretch, start) = ranges else { return nil }
        // The last range includes the remainder, so that none is much smaller than the others.
        let rest = stretch.range.upperBound - start
        let end = rest < rangeSize * 2 ? stretch.range.upperBound : start + rangeSize
        ranges = end < stretch.range.upperBound ? (file, stretch, end) : nil
        return .mbox(file, start..<end, of: stretch)
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
    init?(_ input: Input, stampsDeliveries: Bool = true, leavingOut: Path? = nil) {
        switch input {
        case .path(let path):
            self.init([path], stampsDeliveries: stampsDeliveries, leavingOut: leavingOut)
        case .folder(let path):
            self.init(
                [path], stampsDeliveries: stampsDeliveries, goesDown: false, leavingOut: leavingOut)
        case .standardInput, .download: return nil
        }
    }
}
