package import Localization

extension Sentence {
    /// Reasons why a barcode is not drawn.
    package static let barcodes: [Sentence] = [
        Sentence("the message is empty"),
        Sentence("a message of {count} bytes is too long for {name}"),
        Sentence("EAN-13 has 12 digits and a check digit, the message has not"),
        Sentence("the last digit of the message is not its check digit"),
        Sentence("the message cannot be drawn as {name} (libzint says {number})"),
        Sentence("Code 39 has digits, capital letters, space and -.$/+% alone"),
        Sentence("Codabar has digits and -$:/.+ alone, between letters from A to D"),
        Sentence("{name} has digits alone"),
        Sentence("{name} cannot say the message"),
    ]
}
