import Bytes
import CLinux
import Glibc

/// A program for the kernel that looks at each system call (Documentation/userspace-api/
/// seccomp_filter.rst of Linux). From row to row it holds the number of the call.
///
/// The kernel runs it for every number when it takes it, which is most of what it costs: 2 microseconds
/// for a row.
struct SystemCallFilter {
    enum Answer: CaseIterable {
        case allow
        case refuse
        /// As if the kernel did not have the call, so that libraries use an older one.
        case deny
    }

    /// What stands in one row: a test, and where it leads to without going on in the next.
    private struct Row {
        var code: CInt
        var value: UInt32
        var answer: Answer?
        var skipping: UInt8 = 0
        var skippingUnless: UInt8 = 0
    }

    /// In `struct seccomp_data`. Of an argument it is the lower half, on machines that begin with it.
    private enum Offset {
        static let number: UInt32 = 0
        static let architecture: UInt32 = 4
        static func argument(_ index: UInt32) -> UInt32 { 16 + 8 * index }
    }

    private static let load = BPF_LD | BPF_W | BPF_ABS
    private static let equals = BPF_JMP | BPF_JEQ
    private static let isAtLeast = BPF_JMP | BPF_JGE
    private static let hasAnyOf = BPF_JMP | BPF_JSET

    private var rows: [Row] = []

    /// Refuses the calls of other machines that the kernel answers as well (those of 32 bits, x32):
    /// their numbers mean something else.
    init() {
        #if arch(arm64)
            let architecture: UInt32 = 0xC000_00B7
        #else
            let architecture: UInt32 = 0xC000_003E
        #endif
        rows.append(Row(code: Self.load, value: Offset.architecture))
        rows.append(Row(code: Self.equals, value: architecture, skipping: 1))
        // Any number is.
        rows.append(Row(code: Self.isAtLeast, value: 0, answer: .refuse))
        rows.append(Row(code: Self.load, value: Offset.number))
        rows.append(Row(code: Self.isAtLeast, value: 0x4000_0000, answer: .refuse))
    }

    mutating func add(_ answer: Answer, to calls: [CInt]) {
        for call in calls {
            rows.append(Row(code: Self.equals, value: UInt32(call), answer: answer))
        }
    }

    /// For calls with one value of an argument; on others, later rows decide.
    mutating func add(
        _ answer: Answer, to calls: [CInt], where argument: UInt32, is value: UInt32
    ) {
        add(answer, to: calls, where: argument, Self.equals, value)
    }

    /// For calls with any of some bits in an argument; on others, later rows decide.
    mutating func add(
        _ answer: Answer, to calls: [CInt], where argument: UInt32, has bits: UInt32
    ) {
        add(answer, to: calls, where: argument, Self.hasAnyOf, bits)
    }

    mutating func add(_ answer: Answer, from call: CInt) {
        rows.append(Row(code: Self.isAtLeast, value: UInt32(call), answer: answer))
    }

    private mutating func add(
        _ answer: Answer, to calls: [CInt], where argument: UInt32, _ test: CInt, _ value: UInt32
    ) {
        for (index, call) in calls.enumerated() {
            let rest = calls.count - 1 - index
            rows.append(
                Row(
                    code: Self.equals, value: UInt32(call), skipping: UInt8(clamping: rest),
                    skippingUnless: rest == 0 ? 3 : 0))
        }
        rows.append(Row(code: Self.load, value: Offset.argument(argument)))
        rows.append(Row(code: test, value: value, answer: answer))
        rows.append(Row(code: Self.load, value: Offset.number))
    }

    /// From here on the kernel asks it about each call of this thread. What is refused fails with
    /// `code`; calls that no row knows are answered with `rest`.
    ///
    /// - Returns: Whether the kernel can do that.
    func install(otherwise rest: Answer, refusingWith code: CInt) throws(FileError) -> Bool {
        #if arch(x86_64) || arch(arm64)
            guard linux_seccomp_can_refuse() != 0 else { return false }
            var program = program(otherwise: rest, refusingWith: code)
            let answer = unsafe program.withUnsafeMutableBufferPointer { rows in
                unsafe linux_seccomp_install(rows.baseAddress, UInt16(clamping: rows.count))
            }
            guard answer == 0 else {
                throw FileError(operation: "filter system calls", code: errno)
            }
            return true
        #else
            return false
        #endif
    }

    /// The answers stand at its end, that to all other calls first.
    private func program(otherwise rest: Answer, refusingWith code: CInt) -> [sock_filter] {
        let answers = [rest] + Answer.allCases.filter { $0 != rest }
        var program = rows.enumerated().map { index, row in
            var skipping = row.skipping
            if let answer = row.answer {
                let place = answers.firstIndex(of: answer) ?? 0
                skipping = UInt8(clamping: rows.count - 1 - index + place)
            }
            return sock_filter(
                code: UInt16(clamping: row.code), jt: skipping, jf: row.skippingUnless,
                k: row.value)
        }
        for answer in answers {
            let value =
                switch answer {
                case .allow: SECCOMP_RET_ALLOW
                case .refuse: SECCOMP_RET_ERRNO | UInt32(clamping: code)
                case .deny: SECCOMP_RET_ERRNO | UInt32(ENOSYS)
                }
            program.append(sock_filter(code: UInt16(BPF_RET), jt: 0, jf: 0, k: value))
        }
        return program
    }
}
