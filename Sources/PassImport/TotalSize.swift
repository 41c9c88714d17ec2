import MailSource
import Synchronization

/// The total size of the input files, for the progress report. It is computed only in long runs, so
/// that short ones do not wait for it.
final class TotalSize: Sendable {
    private let sum = Mutex<Int?>(nil)
    private let measuring = Mutex<Task<Void, Never>?>(nil)
    private let inputs: [Input]
    private let options: ImportOptions
    private let start = ContinuousClock.now

    /// Runs shorter than this are not measured.
    private static let patience = Duration.milliseconds(500)

    init(of inputs: [Input], _ options: ImportOptions) {
        self.inputs = inputs
        self.options = options
    }

    deinit { measuring.withLock { $0?.cancel() } }

    /// In bytes; nil while unknown, and for streams.
    var bytes: Int? {
        measuring.withLock { task in
            guard task == nil, ContinuousClock.now - start > TotalSize.patience else { return }
            task = Task.detached(priority: .utility) { [inputs, options, weak self] in
                let measured = TotalSize.measure(inputs, options)
                self?.sum.withLock { $0 = measured }
            }
        }
        return sum.withLock { $0 }
    }

    private static func measure(_ inputs: [Input], _ options: ImportOptions) -> Int? {
        var total = 0
        for input in inputs {
            guard var walk = SourceWalk(input, options) else { return nil }
            while let step = walk.next() {
                if Task.isCancelled { return nil }
                if case .file(let file) = step { total += file.size }
            }
        }
        return total
    }
}
