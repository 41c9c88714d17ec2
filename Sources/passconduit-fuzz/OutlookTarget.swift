import Bytes
import MIME
import MailContainers
import Platform

/// An Outlook message gives the same attachments from memory and from a file, within a multiple of
/// its size: RTF is compressed.
func fuzzOutlook(_ input: Input) {
    let inMemory = FoundAttachments(SpooledBytes(input.bytes))
    let inFile = FoundAttachments(SpooledBytes(inFile: input.bytes))
    expect(inMemory == inFile, "in a file there is \(inFile), in memory \(inMemory)")
    let count = inMemory.bodies.reduce(0) { $0 + $1.count }
    expect(count <= input.bytes.count * mostExpanded, "\(input.bytes.count) bytes hold \(count)")
}

/// Compressed RTF expands to at most nine times its size, and each of its bytes to at most six.
let mostExpanded = 54

private struct FoundAttachments: Equatable {
    private(set) var bodies: [[UInt8]] = []
    private var names: [[String]] = []
    private var problems: [OutlookProblem] = []

    init(_ octets: SpooledBytes) {
        do throws(FileError) {
            guard let message = try OutlookMessage(octets) else { return }
            problems = message.problems
            for attachment in message.attachments {
                names.append(attachment.messages + attachment.header.names)
                expectStreamSafe(attachment.messages + attachment.header.names)
                bodies.append(try attachment.body(SpoolPolicy()).array())
            }
        } catch {
            expect(false, "\(error)")
        }
    }
}
