/// System files that confined programs read; none contains personal data. Missing files are
/// ignored.
package enum SystemFiles {
    /// Files that any program may need: code and tables of libraries, and information about the
    /// computer.
    ///
    /// From /proc, only this process and system-wide files: the entries of other processes reveal
    /// the arguments of all users' programs. From /etc, the C library reads the first row, OpenSSL
    /// the others.
    package static func common(_ environment: [String: String]) -> [[UInt8]] {
        let files = [
            "/usr", "/lib", "/lib64", "/nix/store", "/gnu/store",
            "/dev/null", "/dev/urandom", "/sys/devices/system/cpu",
            "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat",
            "/proc/sys/vm/overcommit_memory", "/proc/sys/crypto/fips_enabled",
            "/etc/ld.so.cache", "/etc/localtime", "/etc/timezone", "/etc/locale.alias",
            "/etc/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf", "/etc/pki/tls/openssl.d",
            "/etc/crypto-policies/back-ends",
        ]
        let variables = ["TZDIR", "GCONV_PATH", "OPENSSL_CONF", "OPENSSL_MODULES"]
        return bytes(files + variables.flatMap { paths(environment[$0]) })
    }

    /// The files in which libmagic describes file formats.
    package static func magic(_ environment: [String: String]) -> [[UInt8]] {
        let own = environment["HOME"].map { ["\($0)/.magic", "\($0)/.magic.mgc"] } ?? []
        return bytes(["/etc/magic", "/etc/magic.mgc"] + own + paths(environment["MAGIC"]))
    }

    /// Files that the C library reads to resolve hosts, and certificate authorities.
    ///
    /// /etc/resolv.conf may link to one of the folders in /run, which also hold the sockets of name
    /// services.
    package static let network: [[UInt8]] = bytes([
        "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/gai.conf", "/etc/nsswitch.conf",
        "/etc/services", "/etc/protocols", "/etc/ssl/certs", "/etc/ssl/cert.pem",
        "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted", "/etc/ca-certificates/extracted",
        "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager", "/run/connman",
        "/run/nscd", "/run/avahi-daemon", "/var/lib/sss", "/var/lib/ca-certificates",
    ])

    /// The files that fontconfig and Pango read.
    package static let fonts: [[UInt8]] = bytes([
        "/etc/fonts", "/etc/pango", "/var/cache/fontconfig",
    ])

    private static func bytes(_ paths: [String]) -> [[UInt8]] { paths.map { Array($0.utf8) } }

    /// The paths in a variable, as in PATH.
    private static func paths(_ variable: String?) -> [String] {
        (variable ?? "").split(separator: ":").map(String.init)
    }
}
