/// The kinds of evidence that a part, or the target of a link, is a pass.
package struct Evidence: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let fileExtension = Evidence(rawValue: 1)
    package static let mediaType = Evidence(rawValue: 2)
    package static let typeIdentifier = Evidence(rawValue: 4)
    package static let content = Evidence(rawValue: 8)
    /// The target of a link: a host that serves passes, or the web service endpoint on any host.
    package static let host = Evidence(rawValue: 16)

    /// The label of a link says that it adds something to Apple Wallet, or is the name of a pass.
    package static let label = Evidence(rawValue: 32)

    /// The kinds that apply to links.
    package static let ofLinks: Evidence = [.fileExtension, .mediaType, .host, .label]

    /// The names used in records, in documented order.
    package var names: [String] {
        [
            (Evidence.fileExtension, "extension"), (.mediaType, "mime"),
            (.typeIdentifier, "uti"), (.content, "content"), (.host, "host"),
            (.label, "label"),
        ].filter { contains($0.0) }.map(\.1)
    }
}
