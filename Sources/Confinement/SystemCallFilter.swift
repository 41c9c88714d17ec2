import CSandbox
import Glibc
import Platform

/// A seccomp filter (Documentation/userspace-api/seccomp_filter.rst of Linux). Unlisted calls fail
/// with an error; the process continues.
///
/// On installation, the kernel runs the filter once for each system call number, to find the calls
/// that are always allowed. The filter is a binary search over the numbers, about eight
/// instructions deep.
struct SystemCallFilter {
    /// A test of the lower 32 bits of an argument: the upper bits are unused or meaningless.
    struct Condition: Equatable {
        fileprivate enum Test: Equatable {
            case isAny([UInt32])
            case has(UInt32)
            case hasNone(UInt32)
        }

        fileprivate let argument: UInt32
        fileprivate let test: Test

        static func argument(_ index: UInt32, isAny values: [UInt32]) -> Condition {
            Condition(argument: index, test: .isAny(values))
        }

        static func argument(_ index: UInt32, has bit: UInt32) -> Condition {
            Condition(argument: index, test: .has(bit))
        }

        static func argument(_ index: UInt32, hasNone bits: UInt32) -> Condition {
            Condition(argument: index, test: .hasNone(bits))
        }
    }

    private enum Rule: Equatable {
        /// Fails with the code for unlisted calls.
        case unlisted
        case refuse
        /// Allowed if all conditions hold, otherwise refused.
        case allow([Condition])
    }

    /// Consecutive call numbers with the same rule.
    private struct Numbers {
        let first: UInt32
        let rule: Rule
    }

    private let unlistedCode: CInt
    private let refusalCode: CInt
    private var rules: [(number: UInt32, rule: Rule)] = []

    /// - Parameters:
    ///   - unlistedCode: The error of unlisted calls. After ENOSYS, libraries try an older call.
    ///   - refusalCode: The error of calls refused by number or by arguments.
    init(unlisted unlistedCode: CInt, refused refusalCode: CInt) {
        self.unlistedCode = unlistedCode
        self.refusalCode = refusalCode
        rules.reserveCapacity(300)
    }

    /// Allows calls whose arguments meet all conditions. If a call has several rules, the last
    /// applies.
    mutating func allow(_ calls: [CInt], if conditions: Condition...) {
        add(.allow(conditions), to: calls)
    }

    mutating func refuse(_ calls: [CInt]) {
        add(.refuse, to: calls)
    }

    private mutating func add(_ rule: Rule, to calls: [CInt]) {
        for call in calls { rules.append((UInt32(call), rule)) }
    }

    /// Enforces the filter for this thread from now on.
    ///
    /// - Returns: Whether the kernel supports filters.
    func install() throws(FileError) -> Bool {
        #if arch(x86_64) || arch(arm64)
            guard linux_seccomp_can_refuse() != 0 else { return false }
            var program = program
            let answer = unsafe program.withUnsafeMutableBufferPointer { rows in
                unsafe linux_seccomp_install(rows.baseAddress, UInt16(clamping: rows.count))
            }
            guard answer == 0 else {
                throw FileError(.filterSystemCalls, errno)
            }
            return true
        #else
            return false
        #endif
    }

    /// Calls of other architectures that the kernel also accepts (32-bit ones) are unlisted, since
    /// their numbers differ. x32 numbers are larger than any listed one.
    private var program: [sock_filter] {
        #if arch(arm64)
            let architecture: UInt32 = 0xC000_00B7
        #else
            let architecture: UInt32 = 0xC000_003E
        #endif
        // Instructions are added last to first, so that jump distances are known.
        var rows: [sock_filter] = []
        rows.reserveCapacity(500)
        addTree(numbers[...], to: &rows)
        rows.append(Self.row(Self.load, Offset.number))
        rows.append(end(.unlisted))
        rows.append(Self.row(Self.equals, architecture, skipping: 1))
        rows.append(Self.row(Self.load, Offset.architecture))
        rows.reverse()
        return rows
    }

    /// All call numbers, in order.
    private var numbers: [Numbers] {
        var numbers = [Numbers(first: 0, rule: .unlisted)]
        numbers.reserveCapacity(300)
        func begin(_ rule: Rule, at number: UInt32) {
            if numbers[numbers.count - 1].first == number { numbers.removeLast() }
            if numbers.last?.rule != rule { numbers.append(Numbers(first: number, rule: rule)) }
        }
        // The sort is stable, so the last of several rules for a call is kept.
        let sorted = rules.sorted { $0.number < $1.number }
        for (index, (number, rule)) in sorted.enumerated() {
            guard sorted[(index + 1)...].first?.number != number else { continue }
            begin(rule, at: number)
            begin(.unlisted, at: number + 1)
        }
        return numbers
    }

    /// Adds a binary search for the rule of the loaded number.
    private func addTree(_ numbers: ArraySlice<Numbers>, to rows: inout [sock_filter]) {
        guard numbers.count > 1 else {
            if let rule = numbers.first?.rule { add(rule, to: &rows) }
            return
        }
        let middle = numbers.startIndex + numbers.count / 2
        addTree(numbers[middle...], to: &rows)
        let upper = rows.count
        addTree(numbers[..<middle], to: &rows)
        let lower = rows.count - upper
        // A test can skip 255 instructions, a jump more.
        if let count = UInt8(exactly: lower) {
            rows.append(Self.row(Self.isAtLeast, numbers[middle].first, skipping: count))
        } else {
            rows.append(Self.row(Self.jump, UInt32(lower)))
            rows.append(Self.row(Self.isAtLeast, numbers[middle].first, skippingUnless: 1))
        }
    }

    private func add(_ rule: Rule, to rows: inout [sock_filter]) {
        rows.append(end(rule))
        guard case .allow(let conditions) = rule else { return }
        // If a condition holds, the filter continues with the next one; otherwise it refuses the
        // call.
        for condition in conditions.reversed() {
            rows.append(end(.refuse))
            switch condition.test {
            case .isAny(let values):
                for (index, value) in values.reversed().enumerated() {
                    rows.append(
                        Self.row(Self.equals, value, skipping: UInt8(clamping: index + 1)))
                }
            case .has(let bit): rows.append(Self.row(Self.hasAnyOf, bit, skipping: 1))
            case .hasNone(let bits): rows.append(Self.row(Self.hasAnyOf, bits, skippingUnless: 1))
            }
            rows.append(Self.row(Self.load, Offset.argument(condition.argument)))
        }
    }

    private func end(_ rule: Rule) -> sock_filter {
        let answer =
            switch rule {
            case .unlisted: SECCOMP_RET_ERRNO | UInt32(unlistedCode)
            case .refuse: SECCOMP_RET_ERRNO | UInt32(refusalCode)
            case .allow: SECCOMP_RET_ALLOW
            }
        return Self.row(BPF_RET, answer)
    }

    /// Offsets in `struct seccomp_data`; for arguments, the lower half on little-endian machines.
    private enum Offset {
        static let number: UInt32 = 0
        static let architecture: UInt32 = 4
        static func argument(_ index: UInt32) -> UInt32 { 16 + 8 * index }
    }

    private static let load = BPF_LD | BPF_W | BPF_ABS
    private static let equals = BPF_JMP | BPF_JEQ
    private static let isAtLeast = BPF_JMP | BPF_JGE
    private static let hasAnyOf = BPF_JMP | BPF_JSET
    private static let jump = BPF_JMP | BPF_JA

    /// A test skips the given number of instructions if it holds, or if it does not.
    private static func row(
        _ code: CInt, _ value: UInt32, skipping: UInt8 = 0, skippingUnless: UInt8 = 0
    ) -> sock_filter {
        sock_filter(code: UInt16(code), jt: skipping, jf: skippingUnless, k: value)
    }
}
