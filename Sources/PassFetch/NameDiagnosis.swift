import Glibc
import Synchronization

/// Finds out why a name was not resolved, which libcurl does not report: asks the system's resolver
/// again. It cannot be cancelled, so it runs in a thread of its own.
final class NameDiagnosis: Sendable {
    private let host: String
    private let answer = Mutex<LookUpError??>(nil)

    init(_ host: String) {
        self.host = host
        let retained = unsafe Unmanaged.passRetained(self)
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<NameDiagnosis>.fromOpaque(argument).takeRetainedValue().ask()
                return nil
            }, retained.toOpaque())
        if code == 0 {
            pthread_detach(thread)
        } else {
            unsafe retained.release()
            answer.withLock { $0 = .some(nil) }
        }
    }

    /// The error: nil while it is not known, `.some(nil)` if there was none.
    var result: LookUpError?? { answer.withLock(\.self) }

    private func ask() {
        let error: LookUpError? =
            if case .failure(let error) = HostAddress.lookUp(host) { error } else { nil }
        answer.withLock { $0 = .some(error) }
    }
}
