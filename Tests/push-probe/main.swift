import FakeAPNs
import Foundation
import Logging
import PassService
import PassSigning
import Synchronization

// passconduit-bench starts this program twice:
//   push-probe apns CERTIFICATE KEY CLIENT-AUTHORITY PORT   serves until its input ends
//   push-probe send COUNT STREAMS PORT AUTHORITY IDENTITY   sends, and prints how many were delivered
// All files are in PEM; IDENTITY has the certificate of a pass type, its issuer and its key.

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "apns" where arguments.count == 5:
    var configuration = FakeAPNs.Configuration(
        certificate: arguments[1], key: arguments[2], clients: .any(checkedBy: arguments[3]))
    configuration.port = Int(arguments[4]) ?? 0
    configuration.isRecording = false
    let server = try await FakeAPNs(configuration)
    FileHandle.standardOutput.write(Data("\(server.port)\n".utf8))
    while readLine() != nil {}
    try await server.stop()
case "send" where arguments.count == 6:
    let identity = try Data(contentsOf: URL(filePath: arguments[5]))
    let credential = try PushCredential(
        SigningIdentity(certificate: [UInt8](identity), key: [UInt8](identity)))
    var options = PushOptions()
    (options.host, options.port) = ("localhost", Int(arguments[3]) ?? 0)
    options.streams = Int(arguments[2]) ?? 0
    options.authorities = [UInt8](try Data(contentsOf: URL(filePath: arguments[4])))
    let outbox = ProbeOutbox(
        count: Int(arguments[1]) ?? 0, type: credential.passTypeIdentifier ?? "")
    let sender = try PushSender(outbox.outbox, credentials: [credential], options: options)
    let running = Task { try await sender.run() }
    await outbox.waitUntilEmpty()
    running.cancel()
    _ = await running.result
    print(outbox.delivered)
default:
    exit(64)
}
