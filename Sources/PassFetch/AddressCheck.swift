internal import Fetching

/// Decides which addresses a transfer connects to, so that the address that is judged is the one
/// that is used.
final class AddressCheck {
    private let route: Route
    /// The first address that was refused.
    private var refused: HostAddress?
    /// Whether another address was permitted.
    private var hasPermitted = false

    init(_ route: Route) {
        self.route = route
    }

    /// Asked before connecting, and before each request: a connection may have been made for an
    /// earlier request under other conditions.
    func permits(_ address: HostAddress) -> Bool {
        // The user chose the proxy.
        guard route.proxy != nil || route.policy.permits(address) else {
            refused = refused ?? address
            return false
        }
        hasPermitted = true
        return true
    }

    /// The failure if no address was permitted.
    var failure: FetchFailure? {
        guard !hasPermitted, let refused, let kind = AddressKind(of: refused) else { return nil }
        return FetchFailure(forbidden: refused, kind, route.target)
    }
}
