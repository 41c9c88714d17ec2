import Bytes
import MIME
import MailContainers

/// A winmail.dat gives the same attachments from memory and from a file, within a multiple of its
/// size.
func fuzzTNEF(_ input: Input) {
    if let repeated = input.repeated {
        _ = FoundAttachments(SpooledBytes(repeated), TNEFLimits())
        _ = FoundAttachments(SpooledBytes(signature + repeated), TNEFLimits())
    }
    let limits = smallLimits
    let inMemory = FoundAttachments(SpooledBytes(input.bytes), limits)
    let inFile = FoundAttachments(SpooledBytes(inFile: input.bytes), limits)
    expect(inMemory == inFile, "in a file there is \(inFile), in memory \(inMemory)")
    let count = inMemory.attachments.reduce(0) { $0 + $1.body.count }
    expect(count <= input.bytes.count * mostExpanded, "\(input.bytes.count) bytes hold \(count)")
    expect(inMemory.attachments.count <= limits.attachments, "there are too many attachments")
    let names = inMemory.attachments.flatMap(\.names)
    expect(names.allSatisfy { !$0.isEmpty }, "a name is empty")
    expectStreamSafe(names)
    // Five names per attachment, in the charset that expands most.
    expect(
        names.reduce(0) { $0 + $1.utf8.count } <= limits.names * 12, "the names are too long")
}

private let signature: [UInt8] = [0x78, 0x9F, 0x3E, 0x22, 0x00, 0x00]

private let smallLimits: TNEFLimits = {
    var limits = TNEFLimits()
    limits.attributes = 500
    limits.attachments = 20
    limits.properties = 500
    limits.names = 4 << 10
    return limits
}()

private struct FoundAttachments: Equatable {
    private(set) var attachments: [Attachment] = []
    private var problems: [TNEFProblem] = []
    private var isTNEF = true

    struct Attachment: Equatable {
        let names: [String]
        let mediaTypes: [String]
        let body: [UInt8]
    }

    init(_ octets: SpooledBytes, _ limits: TNEFLimits) {
        do throws(TNEFError) {
            let message = try TNEFMessage(octets, limits: limits)
            problems = message.problems
            attachments = message.attachments.map {
                Attachment(
                    names: $0.header.names, mediaTypes: $0.header.mediaTypes, body: $0.body.bytes)
            }
        } catch {
            expect(error == .notTNEF, "\(error)")
            isTNEF = false
        }
    }
}
