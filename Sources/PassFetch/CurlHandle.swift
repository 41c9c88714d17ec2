import Bytes
import CCurl
internal import Fetching
import Glibc

/// One transfer of libcurl (an easy handle), freed with its last reference.
///
/// libcurl calls the closures in the thread that performs the transfer.
@safe final class CurlHandle {
    /// Takes a line of a response head with its line end; returns whether to continue.
    var takeLine: (Span<UInt8>) -> Bool = { _ in true }
    /// Takes a piece of the body; returns whether to continue.
    var takeBody: (Span<UInt8>) -> Bool = { _ in true }
    /// Whether an address may be connected to.
    var permits: (HostAddress) -> Bool = { _ in false }
    /// Whether the request may be sent to this address, which is that of the proxy if there is one.
    var maySend: (HostAddress) -> Bool = { _ in false }
    /// Called once, at the end of the transfer, unless it was cancelled.
    var finish: (CurlResult) -> Void = { _ in }

    let pointer: UnsafeMutableRawPointer
    private var lists: [UnsafeMutablePointer<curl_slist>] = unsafe []
    private let message: UnsafeMutablePointer<CChar>

    private let watchdog: Watchdog
    /// Must outlive the handle.
    private var jar: CookieJar?

    /// Nil without memory.
    ///
    /// - Parameter watchdog: That of the loop that performs the transfer.
    init?(_ watchdog: Watchdog) {
        self.watchdog = watchdog
        guard let pointer = unsafe curl_easy_init() else { return nil }
        unsafe self.pointer = unsafe pointer
        unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
        for option in [
            CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_OPENSOCKETDATA,
            CURLOPT_PREREQDATA,
        ] {
            unsafe curl_set_pointer(pointer, option, owner)
        }
        unsafe curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, message)
        unsafe curl_set_receiver(pointer, CURLOPT_HEADERFUNCTION) { bytes, size, count, owner in
            unsafe CurlHandle.owning(owner)?.give(bytes, size * count, to: \.takeLine) ?? 0
        }
        unsafe curl_set_receiver(pointer, CURLOPT_WRITEFUNCTION) { bytes, size, count, owner in
            unsafe CurlHandle.owning(owner)?.give(bytes, size * count, to: \.takeBody) ?? 0
        }
        unsafe curl_set_socket_opener(pointer) { owner, _, place in
            guard let place = unsafe place, let handle = unsafe CurlHandle.owning(owner) else {
                return CURL_SOCKET_BAD
            }
            return unsafe handle.openSocket(to: place)
        }
        let closer = unsafe Unmanaged.passUnretained(watchdog).toOpaque()
        unsafe curl_set_socket_closer(
            pointer,
            { owner, socket in
                guard let owner = unsafe owner else { return close(socket) }
                return unsafe Unmanaged<Watchdog>.fromOpaque(owner).takeUnretainedValue()
                    .close(socket)
            }, closer)
        unsafe curl_set_connection_check(pointer) { owner, address, _, _, _ in
            guard let address = unsafe address.map({ unsafe String(cString: $0).streamSafe }),
                let address = HostAddress(numeric: address),
                unsafe CurlHandle.owning(owner)?.maySend(address) == true
            else { return CURL_PREREQFUNC_ABORT }
            return CURL_PREREQFUNC_OK
        }
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
        while let list = unsafe lists.popLast() { unsafe curl_slist_free_all(list) }
        unsafe message.deallocate()
    }

    /// The handle that a callback was called for.
    private static func owning(_ owner: UnsafeMutableRawPointer?) -> CurlHandle? {
        guard let owner = unsafe owner else { return nil }
        return unsafe Unmanaged<CurlHandle>.fromOpaque(owner).takeUnretainedValue()
    }

    func set(_ option: CURLoption, _ value: Int) {
        unsafe curl_set_number(pointer, option, value)
    }

    /// Sets a text, which libcurl copies; nil removes the default.
    func set(_ option: CURLoption, _ text: String?) {
        unsafe curl_set_text(pointer, option, text)
    }

    /// Sets the method, and the body of a POST, which libcurl copies.
    func set(_ method: FetchRequest.Method, body: String?) {
        switch method {
        case .get: break
        case .post:
            set(CURLOPT_POST, 1)
            set(CURLOPT_POSTFIELDSIZE, body?.utf8.count ?? 0)
            set(CURLOPT_COPYPOSTFIELDS, body ?? "")
        }
    }

    /// Sets a list of texts.
    func set(_ option: CURLoption, _ texts: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for text in texts { unsafe list = unsafe curl_slist_append(list, text) ?? list }
        guard let list = unsafe list else { return }
        unsafe lists.append(list)
        unsafe curl_set_pointer(pointer, option, list)
    }

    /// Stores cookies in the jar, and sends those in it where they belong.
    func use(_ jar: CookieJar) {
        self.jar = jar
        unsafe curl_set_pointer(pointer, CURLOPT_SHARE, jar.pointer)
        // An empty name turns cookies on, and reads no file.
        set(CURLOPT_COOKIEFILE, "")
    }

    /// The cookies in the jar, without the times at which they expire.
    var cookies: [String] {
        let list = unsafe curl_get_cookies(pointer)
        defer { unsafe curl_slist_free_all(list) }
        var cookies: [String] = []
        var next = unsafe list
        while let cookie = unsafe next?.pointee {
            var fields = unsafe String(cString: cookie.data).streamSafe
                .split(separator: "\t", omittingEmptySubsequences: false)
            if fields.count > 4 { fields.remove(at: 4) }
            cookies.append(fields.joined(separator: "\t"))
            unsafe next = unsafe cookie.next
        }
        return cookies.sorted()
    }

    /// The fields of each certificate of the server, its own first, such as `Subject:CN =
    /// a.example`. Empty on a connection of an earlier transfer.
    var certificates: [[String]] {
        guard let chain = unsafe curl_get_certificates(pointer)?.pointee else { return [] }
        return (0..<max(0, Int(unsafe chain.num_of_certs))).map { index in
            var fields: [String] = []
            var next = unsafe chain.certinfo?[index]
            while let field = unsafe next?.pointee {
                if let text = unsafe field.data {
                    fields.append(unsafe String(cString: text).streamSafe)
                }
                unsafe next = unsafe field.next
            }
            return fields
        }
    }

    func result(_ code: CURLcode) -> CurlResult {
        CurlResult(
            code: code,
            errorNumber: CInt(
                truncatingIfNeeded: unsafe curl_get_number(pointer, CURLINFO_OS_ERRNO)),
            isNameKnown: unsafe curl_get_time(pointer, CURLINFO_NAMELOOKUP_TIME_T) > 0,
            tunnelStatus: unsafe curl_get_number(pointer, CURLINFO_HTTP_CONNECTCODE),
            isConnectionReused: unsafe curl_get_number(pointer, CURLINFO_NUM_CONNECTS) == 0,
            // 1, X509_V_ERR_UNSPECIFIED, remains if libcurl refuses the host name.
            isChainTrusted: unsafe (0...1).contains(
                curl_get_number(pointer, CURLINFO_SSL_VERIFYRESULT)),
            words: unsafe String(cString: message).streamSafe)
    }

    /// Returns the number of bytes that were taken; any other than all of them ends the transfer.
    private func give(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int,
        to receiver: KeyPath<CurlHandle, (Span<UInt8>) -> Bool>
    ) -> Int {
        let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
        let mayGoOn = unsafe self[keyPath: receiver](buffer.bindMemory(to: UInt8.self).span)
        return mayGoOn ? count : count + 1
    }

    private func openSocket(to place: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else {
            return CURL_SOCKET_BAD
        }
        // An IPv6 address is longer than the type of the field.
        let bytes = unsafe UnsafeRawBufferPointer(
            start: UnsafeRawPointer(place) + offset, count: Int(place.pointee.addrlen))
        guard let address = unsafe HostAddress(socketAddress: bytes), permits(address) else {
            return CURL_SOCKET_BAD
        }
        let number = unsafe socket(
            place.pointee.family, place.pointee.socktype | CInt(SOCK_CLOEXEC.rawValue),
            place.pointee.protocol)
        if number >= 0 { watchdog.note(opened: number) }
        return number
    }
}

/// The end of a transfer.
struct CurlResult {
    let code: CURLcode
    /// The errno of the last attempt to connect; 0 without one.
    var errorNumber: CInt = 0
    /// Whether the host name was resolved.
    var isNameKnown = false
    /// The proxy's answer to CONNECT; 0 without one.
    var tunnelStatus = 0
    /// Whether the transfer used an existing connection.
    var isConnectionReused = false
    /// Whether the certificates up to an authority are valid.
    var isChainTrusted = true
    /// libcurl's description of the error.
    var words = ""
}
