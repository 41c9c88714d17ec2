import Bytes
import CLinux
import Glibc

/// A program for the kernel that decides about each system call (Documentation/userspace-api/
/// seccomp_filter.rst of Linux). A call that has no rule fails, and the process goes on.
///
/// When the kernel takes the program it runs it once for every number, to learn which calls need no
/// further look. So the program searches the number in a tree, in about eight rows.
struct SystemCallFilter {
    /// A test of one argument, of which the lower 32 bits are looked at: the kernel's own type is not
    /// wider, or bits above have no meaning.
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

        /// - Parameter bit: One bit.
        static func argument(_ index: UInt32, has bit: UInt32) -> Condition {
            Condition(argument: index, test: .has(bit))
        }

        static func argument(_ index: UInt32, hasNone bits: UInt32) -> Condition {
            Condition(argument: index, test: .hasNone(bits))
        }
    }

    private enum Rule: Equatable {
        /// Fails with the filter's code for calls that it does not list.
        case unlisted
        case refuse
        /// If all conditions hold; otherwise it is refused.
        case allow([Condition])
    }

    /// Calls in a row that have the same rule, up to where the next ones begin.
    private struct Numbers {
        let first: UInt32
        let rule: Rule
    }

    private let unlistedCode: CInt
    private let refusalCode: CInt
    private var rules: [(number: UInt32, rule: Rule)] = []

    /// - Parameters:
    ///   - unlistedCode: How calls fail that have no rule. After ENOSYS libraries try an older call.
    ///   - refusalCode: How calls fail that are refused, by name or for their arguments.
    init(unlisted unlistedCode: CInt, refused refusalCode: CInt) {
        self.unlistedCode = unlistedCode
        self.refusalCode = refusalCode
        rules.reserveCapacity(300)
    }

    /// Allows calls whose arguments meet all conditions. The last rule for a call counts.
    mutating func allow(_ calls: [CInt], if conditions: Condition...) {
        add(.allow(conditions), to: calls)
    }

    mutating func refuse(_ calls: [CInt]) {
        add(.refuse, to: calls)
    }

    private mutating func add(_ rule: Rule, to calls: [CInt]) {
        for call in calls { rules.append((UInt32(call), rule)) }
    }

    /// From here on the kernel asks the filter about each call of this thread.
    ///
    /// - Returns: Whether the kernel can do that.
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

    /// Calls of other machines that the kernel answers as well (those of 32 bits) are unlisted: their
    /// numbers mean something else. Those of x32 are larger than any listed one.
    private var program: [sock_filter] {
        #if arch(arm64)
            let architecture: UInt32 = 0xC000_00B7
        #else
            let architecture: UInt32 = 0xC000_003E
        #endif
        // The last row is added first: it is known then how many rows a test skips.
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

    /// All numbers, in order.
    private var numbers: [Numbers] {
        var numbers = [Numbers(first: 0, rule: .unlisted)]
        numbers.reserveCapacity(300)
        func begin(_ rule: Rule, at number: UInt32) {
            if numbers[numbers.count - 1].first == number { numbers.removeLast() }
            if numbers.last?.rule != rule { numbers.append(Numbers(first: number, rule: rule)) }
        }
        // The sort is stable: of several rules for a call, the last stays.
        let sorted = rules.sorted { $0.number < $1.number }
        for (index, (number, rule)) in sorted.enumerated() {
            guard sorted[(index + 1)...].first?.number != number else { continue }
            begin(rule, at: number)
            begin(.unlisted, at: number + 1)
        }
        return numbers
    }

    /// Leads to the rule of the number that is loaded.
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
        // How many rows a test skips has 8 bits, for a jump it has 32.
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
        // The program goes on with the next condition if one holds, and ends otherwise.
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
    private static let jump = BPF_JMP | BPF_JA

    /// Tests skip rows that follow if they hold, or if they do not.
    private static func row(
        _ code: CInt, _ value: UInt32, skipping: UInt8 = 0, skippingUnless: UInt8 = 0
    ) -> sock_filter {
        sock_filter(code: UInt16(code), jt: skipping, jf: skippingUnless, k: value)
    }
}
