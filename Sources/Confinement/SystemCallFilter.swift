import Bytes
import CLinux
import Glibc

/// A program for the kernel that looks at each system call (Documentation/userspace-api/
/// seccomp_filter.rst of Linux). From row to row it holds the number of the call.
struct SystemCallFilter {
    private var rows: [sock_filter] = []

    /// In `struct seccomp_data`. Of an argument it is the lower half, on machines that begin with it.
    private enum Offset {
        static let number: UInt32 = 0
        static let architecture: UInt32 = 4
        static func argument(_ index: UInt32) -> UInt32 { 16 + 8 * index }
    }

    private static let allowed = SECCOMP_RET_ALLOW
    private static func refused(_ code: CInt) -> UInt32 {
        SECCOMP_RET_ERRNO | UInt32(truncatingIfNeeded: code)
    }

    /// Refuses the calls of other machines that the kernel answers as well (those of 32 bits, x32):
    /// their numbers mean something else.
    init() {
        add(BPF_LD | BPF_W | BPF_ABS, Offset.architecture)
        #if arch(arm64)
            add(BPF_JMP | BPF_JEQ, 0xC000_00B7, skipping: 1)
        #else
            add(BPF_JMP | BPF_JEQ, 0xC000_003E, skipping: 1)
        #endif
        answer(SystemCallFilter.refused(EPERM))
        loadNumber()
        add(BPF_JMP | BPF_JGE, 0x4000_0000, skippingUnless: 1)
        answer(SystemCallFilter.refused(EPERM))
    }

    mutating func refuse(_ calls: [CInt], with code: CInt) {
        for call in calls {
            add(BPF_JMP | BPF_JEQ, UInt32(call), skippingUnless: 1)
            answer(SystemCallFilter.refused(code))
        }
    }

    mutating func allow(_ calls: [CInt]) {
        for call in calls {
            add(BPF_JMP | BPF_JEQ, UInt32(call), skippingUnless: 1)
            answer(SystemCallFilter.allowed)
        }
    }

    /// Allows calls with one value of an argument, and refuses them with others.
    mutating func allow(_ calls: [CInt], where argument: UInt32, is value: UInt32) {
        for call in calls {
            add(BPF_JMP | BPF_JEQ, UInt32(call), skippingUnless: 4)
            add(BPF_LD | BPF_W | BPF_ABS, Offset.argument(argument))
            add(BPF_JMP | BPF_JEQ, value, skippingUnless: 1)
            answer(SystemCallFilter.allowed)
            answer(SystemCallFilter.refused(EPERM))
        }
    }

    /// Refuses calls with one value of an argument, and has the rows that follow decide on others.
    mutating func refuse(_ calls: [CInt], where argument: UInt32, is value: UInt32) {
        for call in calls {
            add(BPF_JMP | BPF_JEQ, UInt32(call), skippingUnless: 4)
            add(BPF_LD | BPF_W | BPF_ABS, Offset.argument(argument))
            add(BPF_JMP | BPF_JEQ, value, skippingUnless: 1)
            answer(SystemCallFilter.refused(EPERM))
            loadNumber()
        }
    }

    /// The same for calls with any of some bits in an argument.
    mutating func refuse(_ calls: [CInt], where argument: UInt32, has bits: UInt32) {
        for call in calls {
            add(BPF_JMP | BPF_JEQ, UInt32(call), skippingUnless: 4)
            add(BPF_LD | BPF_W | BPF_ABS, Offset.argument(argument))
            add(BPF_JMP | BPF_JSET, bits, skippingUnless: 1)
            answer(SystemCallFilter.refused(EPERM))
            loadNumber()
        }
    }

    mutating func allowRest() { answer(SystemCallFilter.allowed) }

    mutating func refuseRest() { answer(SystemCallFilter.refused(EPERM)) }

    /// From here on the kernel asks it about each call of this thread.
    ///
    /// - Returns: Whether the kernel can do that.
    func install() throws(FileError) -> Bool {
        #if arch(x86_64) || arch(arm64)
            guard linux_seccomp_can_refuse() != 0 else { return false }
            var rows = rows
            let code = unsafe rows.withUnsafeMutableBufferPointer { rows in
                unsafe linux_seccomp_install(
                    rows.baseAddress, UInt16(truncatingIfNeeded: rows.count))
            }
            guard code == 0 else {
                throw FileError(operation: "filter system calls", code: errno)
            }
            return true
        #else
            return false
        #endif
    }

    private mutating func loadNumber() {
        add(BPF_LD | BPF_W | BPF_ABS, Offset.number)
    }

    private mutating func answer(_ value: UInt32) {
        add(BPF_RET | BPF_K, value)
    }

    private mutating func add(
        _ code: CInt, _ value: UInt32, skipping: UInt8 = 0, skippingUnless: UInt8 = 0
    ) {
        rows.append(
            sock_filter(
                code: UInt16(truncatingIfNeeded: code), jt: skipping, jf: skippingUnless, k: value))
    }
}
