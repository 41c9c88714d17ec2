package import Bytes
package import MIME

extension TypeMap {
    /// A parser that keeps the parts of a message in which passes of these types may be.
    package func messageParser(
        limits: MIMELimits = MIMELimits(), spool: SpoolPolicy = SpoolPolicy(),
        wantsText: Bool = false
    ) -> MessageParser {
        MessageParser(limits: limits, spool: spool, wantsText: wantsText) {
            !evidence($0).isEmpty
        }
    }
}
