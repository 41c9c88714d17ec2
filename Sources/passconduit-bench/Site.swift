import Foundation

/// An nginx server on loopback, which serves the benchmark folder.
struct Site {
    enum Scheme: String, CaseIterable {
        case http, https
        /// HTTP/2 if the client supports it.
        case http2 = "HTTP/2"
    }

    /// The ports it listens on.
    let ports: [Scheme: UInt16]
    private let corpus: URL

    init(in corpus: URL) throws {
        self.corpus = corpus.absoluteURL.standardizedFileURL
        let free = try freePorts(Scheme.allCases.count)
        ports = Dictionary(uniqueKeysWithValues: zip(Scheme.allCases, free))
    }

    /// The self-signed certificate of the server.
    static func authority(in corpus: URL) -> String {
        corpus.appendingPathComponent("site/authority.pem").path
    }

    /// - Parameter name: A path relative to the benchmark folder.
    func url(_ name: String, over scheme: Scheme) -> String {
        "\(scheme == .http ? "http" : "https")://localhost:\(ports[scheme] ?? 0)/\(name)"
    }

    /// - Returns: The server process, which the caller terminates.
    func open() throws -> Process {
        let folder = corpus.appendingPathComponent("site")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = try Child(
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost", "-out", Site.authority(in: corpus),
                "-keyout", folder.appendingPathComponent("key.pem").path,
            ], in: corpus)
        let file = folder.appendingPathComponent("nginx.conf")
        try configuration.write(to: file, atomically: true, encoding: .utf8)
        let server = Process()
        server.executableURL = try program()
        server.arguments = ["-e", "stderr", "-p", folder.path, "-c", file.path]
        server.standardInput = FileHandle.nullDevice
        try server.run()
        for _ in 0..<100 where server.isRunning {
            let answer = try? Child(
                ["curl", "-s", "-o", "/dev/null", url("contents.json", over: .http)], in: corpus)
            if answer != nil { return server }
            usleep(50_000)
        }
        server.terminate()
        throw BenchError.failed("nginx does not answer")
    }

    /// nginx as unpacked for the benchmark, otherwise the system's.
    private func program() throws -> URL {
        let unpacked = corpus.appendingPathComponent("nginx/usr/sbin/nginx")
        let files = [unpacked, URL(filePath: "/usr/sbin/nginx"), URL(filePath: "/usr/bin/nginx")]
        let found = files.first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let found else { throw BenchError.missing("nginx") }
        return found
    }

    private var configuration: String {
        let secured =
            "ssl_certificate authority.pem; ssl_certificate_key key.pem; ssl_protocols TLSv1.3;"
        let servers = ports.map { scheme, port in
            switch scheme {
            case .http: "server { listen 127.0.0.1:\(port); }"
            case .https: "server { listen 127.0.0.1:\(port) ssl; \(secured) }"
            case .http2: "server { listen 127.0.0.1:\(port) ssl http2; \(secured) }"
            }
        }
        // Run workers as root if started by root, to read root's files.
        return """
            daemon off;
            user root;
            pid nginx.pid;
            events { worker_connections 512; }
            http {
                access_log off;
                client_body_temp_path client; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
                scgi_temp_path scgi; uwsgi_temp_path uwsgi;
                root "\(corpus.path)";
                types { application/vnd.apple.pkpass pkpass; application/mbox mbox; }
                default_type application/octet-stream;
                sendfile on;
                tcp_nopush on;
                keepalive_requests 1000000;
                \(servers.joined(separator: "\n    "))
            }

            """
    }
}

/// Ports that are currently free.
func freePorts(_ count: Int) throws -> [UInt16] {
    var sockets: [CInt] = []
    defer { for socket in sockets { close(socket) } }
    return try (0..<count).map { _ in
        let number = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        sockets.append(number)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(number, pointer, size) == 0 && getsockname(number, pointer, &size) == 0
            }
        }
        guard isBound else { throw BenchError.failed("there is no free port") }
        return UInt16(bigEndian: address.sin_port)
    }
}
