import Bytes
import MailSource

/// A piece of work for one worker.
enum Work: Sendable {
    /// Some files, and what was met between them.
    case files([SourceWalk.Step])
    /// The messages that begin in a range of a large mbox.
    case mbox(SourceFile, Range<Int>)
    case standardInput
}

/// Divides the inputs into pieces of work, in their order, as they are asked for.
struct WorkPlan {
    /// Of all regular files, in bytes, if they were measured first.
    private(set) var bytes: Int?

    private var inputs: [Input]
    private var walk: SourceWalk?
    private var held: SourceWalk.Step?
    private var ranges: (file: SourceFile, from: Int)?
    private let rangeSize: Int

    /// How much one worker takes at a time: enough to outweigh handing it over, little enough to keep
    /// every worker busy to the end.
    private static let batchCount = 64
    private static let batchBytes = 8 << 20

    init(_ inputs: [Input], _ options: ImportOptions) {
        self.inputs = inputs.reversed()
        rangeSize = max(options.rangeSize, 1 << 10)
        if options.measuresFirst { bytes = WorkPlan.measure(inputs) }
    }

    mutating func next() -> Work? {
        if let work = nextRange() { return work }
        var batch: [SourceWalk.Step] = []
        var size = 0
        while batch.count < WorkPlan.batchCount, size < WorkPlan.batchBytes {
            guard let step = held.take() ?? walk?.next() else {
                walk = nil
                if !batch.isEmpty { break }
                switch inputs.popLast() {
                case .path(let path): walk = SourceWalk([path])
                case .standardInput: return .standardInput
                case nil: return nil
                }
                continue
            }
            if case .file(let file) = step {
                if file.size > rangeSize * 2, isMbox(file) {
                    if !batch.isEmpty {
                        held = step
                        break
                    }
                    ranges = (file, 0)
                    return nextRange()
                }
                size += file.size
            }
            batch.append(step)
        }
        return batch.isEmpty ? nil : .files(batch)
    }

    private mutating func nextRange() -> Work? {
        guard let (file, start) = ranges else { return nil }
        // The last range takes the rest, so that none is much smaller than another.
        let rest = file.size - start
        let end = rest < rangeSize * 2 ? file.size : start + rangeSize
        ranges = end < file.size ? (file, end) : nil
        return .mbox(file, start..<end)
    }

    /// Whether a large file is an mbox; one that cannot be read is left to the worker to report.
    private func isMbox(_ file: SourceFile) -> Bool {
        guard !file.isMessage, let open = try? file.open() else { return false }
        defer { open.descriptor.close() }
        guard let prefix = try? SourceKind.prefix(of: open.bytes) else { return false }
        return SourceKind(prefix.span) == .mbox
    }

    private static func measure(_ inputs: [Input]) -> Int? {
        var total = 0
        for input in inputs {
            guard case .path(let path) = input else { return nil }
            var walk = SourceWalk([path])
            while let step = walk.next() {
                if case .file(let file) = step { total += file.size }
            }
        }
        return total
    }
}
