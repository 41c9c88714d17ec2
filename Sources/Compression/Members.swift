import Bytes
import Platform

/// The members of a compressed file, decompressed in sequence.
///
/// `@unchecked Sendable`: it is noncopyable and owns its buffer and its decoder. No pointer to them
/// escapes, so only its owner uses them.
struct Members: ~Copyable, @unchecked Sendable {
    private(set) var failure: CompressionError?

    private let format: CompressionFormat
    private let limits: CompressionLimits
    private var input: InputBuffer
    private var decoder: any Decoder & ~Copyable
    private var section = Section.start
    /// The number of bytes decompressed.
    private var count = 0

    private enum Section {
        case start, inside, between, end
    }

    init(
        _ source: ByteSource, _ format: CompressionFormat,
        _ decoder: consuming any Decoder & ~Copyable,
        _ limits: CompressionLimits
    ) {
        self.format = format
        self.limits = limits
        input = InputBuffer(source)
        self.decoder = decoder
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        guard buffer.count > 0 else { return 0 }
        while true {
            switch section {
            case .start:
                section = .inside
                follow(decoder.begin())
            case .inside:
                try input.fill(atLeast: 1)
                let made = unsafe decode(into: buffer)
                if made > 0 { return made }
            case .between:
                try findMember()
            case .end:
                return 0
            }
        }
    }

    private mutating func decode(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let step = unsafe decoder.decode(input.bytes, into: buffer)
        input.take(step.taken)
        follow(step.outcome)
        if step.taken == 0, step.made == 0, section == .inside {
            stop(input.isEmpty ? .truncated(format) : damaged(.stuck))
        }
        let made = min(step.made, limits.total - count)
        count += made
        if made < step.made {
            stop(.totalTooLarge(limit: limits.total))
        } else if count > limits.ratioFloor, (count - 1) / max(input.offset, 1) >= limits.ratio {
            stop(.ratioTooHigh(limit: limits.ratio))
        }
        return made
    }

    private mutating func follow(_ outcome: DecoderStep.Status) {
        switch outcome {
        case .goesOn: break
        case .endsMember: section = .between
        case .damaged(let reason): stop(damaged(reason))
        case .unsupported(let reason): stop(.unsupported(format, reason))
        case .needsMoreMemory: stop(.memoryTooLarge(limit: limits.memory))
        case .outOfMemory: stop(.outOfMemory)
        }
    }

    /// Determines what follows a member: another one, the end, or other data.
    ///
    /// VIOLATIONS.md, Z7: zeros are skipped. xz allows multiples of four; gzip skips any number.
    private mutating func findMember() throws(FileError) {
        try input.fill(atLeast: CompressionFormat.signatureLength)
        if !input.isEmpty, unsafe format.beginsMember(Span(_unsafeBytes: input.bytes)) {
            section = .start
        } else if !input.takeZeros() {
            if input.isEmpty {
                section = .end
            } else {
                stop(.trailingGarbage(format, offset: input.offset))
            }
        }
    }

    private func damaged(_ reason: CompressionError.Reason) -> CompressionError {
        .damaged(format, offset: input.offset, reason)
    }

    private mutating func stop(_ reason: CompressionError) {
        section = .end
        if failure == nil { failure = reason }
    }
}
