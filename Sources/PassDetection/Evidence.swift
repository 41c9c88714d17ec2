/// Which of the ways to recognise a pass spoke for a candidate, or for a link to one.
package struct Evidence: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let fileExtension = Evidence(rawValue: 1)
    package static let mediaType = Evidence(rawValue: 2)
    package static let typeIdentifier = Evidence(rawValue: 4)
    package static let content = Evidence(rawValue: 8)
    /// Where a link leads: a host that hands out passes, or an endpoint that does so on any host.
    package static let host = Evidence(rawValue: 16)

    /// What is written on a link in a web page: it adds something to Apple Wallet.
    package static let label = Evidence(rawValue: 32)

    /// What may speak for a link.
    package static let ofLinks: Evidence = [.fileExtension, .mediaType, .host, .label]

    /// The names of the members, in the order of the contract.
    package var names: [String] {
        [
            (Evidence.fileExtension, "extension"), (.mediaType, "mime"),
            (.typeIdentifier, "uti"), (.content, "content"), (.host, "host"),
            (.label, "label"),
        ].filter { contains($0.0) }.map(\.1)
    }
}
