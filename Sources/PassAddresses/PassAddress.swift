package import Foundation
package import PassModel

/// A link or a contact of a pass, with a title in the reader's language.
package struct PassAddress: Sendable, Hashable {
    /// What the address is for: `Bag policy`.
    package let title: String
    /// The address as displayed: a URL, an e-mail address or a telephone number. Untrusted.
    package let text: String
    /// Opens the address; nil if it is not a valid one.
    package let url: URL?

    fileprivate init(_ link: PassLink, _ url: URL) {
        title = link.title
        text = url.absoluteString
        self.url = url
    }

    fileprivate init(_ contact: PassContact, _ written: String) {
        title = contact.title
        text = written
        url =
            switch contact {
            case .venueEmail, .transitProviderEmail: URL(mailTo: written)
            case .venuePhoneNumber, .transitProviderPhoneNumber: URL(telephone: written)
            }
    }
}

extension Pass {
    /// The contacts of the pass, then its links.
    package var addresses: [PassAddress] { passAddresses(contacts, links) }
}

extension UpcomingEntry {
    /// The contacts for the event, then its links.
    package var addresses: [PassAddress] { passAddresses(contacts, links) }
}

private func passAddresses(
    _ contacts: [PassContact: String], _ links: [PassLink: URL]
) -> [PassAddress] {
    let contacts = PassContact.allCases.compactMap { contact -> PassAddress? in
        guard let written = contacts[contact], !written.isEmpty else { return nil }
        return PassAddress(contact, written)
    }
    return contacts
        + PassLink.allCases.compactMap { link in links[link].map { PassAddress(link, $0) } }
}

extension URL {
    /// An e-mail address as a URL (RFC 6068). Nil for anything else, such as several addresses.
    fileprivate init?(mailTo written: String) {
        let address = written.trimmingCharacters(in: .whitespaces)
        let ends = address.split(separator: "@", omittingEmptySubsequences: false)
        let forbidden = CharacterSet.whitespacesAndNewlines.union(.controlCharacters)
            .union(CharacterSet(charactersIn: ",;:<>()[]\\\""))
        // Reserved characters are encoded, so that the address cannot add a subject or a recipient.
        guard ends.count == 2, ends.allSatisfy({ !$0.isEmpty }),
            address.rangeOfCharacter(from: forbidden) == nil,
            let path = address.addingPercentEncoding(
                withAllowedCharacters: .urlHostAllowed.union(CharacterSet(charactersIn: "@"))
                    .subtracting(CharacterSet(charactersIn: "&=?#")))
        else { return nil }
        self.init(string: "mailto:\(path)")
    }

    /// A telephone number as a URL (RFC 3966), without its spaces and separators. Nil for anything
    /// else, such as a number with letters.
    fileprivate init?(telephone written: String) {
        let separators = CharacterSet.whitespaces.union(CharacterSet(charactersIn: "-.()/"))
        let number = String(
            String.UnicodeScalarView(written.unicodeScalars.filter { !separators.contains($0) }))
        let digits = number.hasPrefix("+") ? number.dropFirst() : number[...]
        guard 2...20 ~= digits.utf8.count, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        self.init(string: "tel:\(number)")
    }
}
