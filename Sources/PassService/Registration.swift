/// The result of registering a device for a pass.
///
/// For example: `let isNew = try await store.register(device, pushToken: token, for: identity) == .added`
public enum Registration: Sendable, Hashable {
    /// The device was not registered for this pass.
    case added
    /// The device was registered for this pass already. Its push token was replaced if it differs.
    case known
}
