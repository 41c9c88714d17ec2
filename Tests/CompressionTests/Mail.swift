/// A mailbox of about `size` bytes that compresses like mail: text and simulated base64.
func mail(_ size: Int, seed: UInt64 = 1) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let header =
        "From a@example.com Mon Jan  1 00:00:00 2024\nFrom: a@example.com\nSubject: \(seed)\n\n"
    var state = seed
    var bytes: [UInt8] = []
    while bytes.count < size {
        bytes += Array(header.utf8)
        for _ in 0..<40 {
            for _ in 0..<76 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes.append(alphabet[Int(state >> 58)])
            }
            bytes.append(0x0A)
        }
    }
    return Array(bytes.prefix(size))
}
