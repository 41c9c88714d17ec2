import Testing

@testable import Confinement

@Suite("Confined programs may read the tables of libraries")
struct SystemFilesTests {
    @Test("also in the places that variables set")
    func variables() {
        let environment = [
            "TZDIR": "/zones", "GCONV_PATH": "/one::/two", "MAGIC": "/magic", "HOME": "/home/me",
            "OTHER": "/other",
        ]
        let common = SystemFiles.common(environment).map { String(decoding: $0, as: UTF8.self) }
        let usual = SystemFiles.common([:]).map { String(decoding: $0, as: UTF8.self) }
        #expect(common == usual + ["/zones", "/one", "/two"])
        let magic = SystemFiles.magic(environment).map { String(decoding: $0, as: UTF8.self) }
        #expect(
            magic == [
                "/etc/magic", "/etc/magic.mgc", "/home/me/.magic", "/home/me/.magic.mgc", "/magic",
            ])
    }
}
