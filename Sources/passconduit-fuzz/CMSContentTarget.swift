import Bytes
import Cryptography

/// A CMS message gives the same content from memory and from a file, and no more than its own size.
func fuzzCMSContent(_ input: Input) {
    if let repeated = input.repeated { _ = content(of: SpooledBytes(repeated)) }
    let inMemory = content(of: SpooledBytes(input.bytes))
    let inFile = content(of: SpooledBytes(inFile: input.bytes))
    expect(inMemory == inFile, "in a file there is \(inFile), in memory \(inMemory)")
    guard case .success(let bytes) = inMemory else { return }
    expect(bytes.count <= input.bytes.count, "\(input.bytes.count) bytes hold \(bytes.count)")
    // Data after the content is ignored.
    let longer = content(of: SpooledBytes(input.bytes + [0x30, 0x80]))
    expect(longer == inMemory, "with more behind it, it is \(longer)")
}

private func content(of message: SpooledBytes) -> Result<[UInt8], CMSError> {
    Result { () throws(CMSError) in try EncapsulatedContent(of: message).octets.bytes }
}
