#include <curl/curl.h>

// Wrappers for variadic functions, which Swift does not import, one for each type of argument.

static inline CURLcode curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

/// The callback for the lines of a head (`CURLOPT_HEADERFUNCTION`) or the pieces of a body
/// (`CURLOPT_WRITEFUNCTION`).
static inline CURLcode curl_set_receiver(
    CURL *handle, CURLoption option, curl_write_callback receive) {
    return curl_easy_setopt(handle, option, receive);
}

static inline CURLcode curl_set_socket_opener(CURL *handle, curl_opensocket_callback open) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open);
}

/// `owner` must live until libcurl closes its last connection, which may outlive the handle.
static inline CURLcode curl_set_socket_closer(
    CURL *handle, curl_closesocket_callback close, void *owner) {
    CURLcode result = curl_easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, close);
    return result != CURLE_OK ? result
                              : curl_easy_setopt(handle, CURLOPT_CLOSESOCKETDATA, owner);
}

static inline CURLcode curl_set_connection_check(CURL *handle, curl_prereq_callback check) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, check);
}

static inline long curl_get_number(CURL *handle, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

/// In microseconds.
static inline curl_off_t curl_get_time(CURL *handle, CURLINFO info) {
    curl_off_t value = 0;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

/// The certificates of the server, if the handle made a connection.
static inline struct curl_certinfo *curl_get_certificates(CURL *handle) {
    struct curl_certinfo *chain = NULL;
    return curl_easy_getinfo(handle, CURLINFO_CERTINFO, &chain) == CURLE_OK ? chain : NULL;
}

/// The cookies that the handle may send, as lines of a Netscape cookie file. The caller frees them.
static inline struct curl_slist *curl_get_cookies(CURL *handle) {
    struct curl_slist *cookies = NULL;
    return curl_easy_getinfo(handle, CURLINFO_COOKIELIST, &cookies) == CURLE_OK ? cookies : NULL;
}

/// Gives the handles with this object (`CURLOPT_SHARE`) the same cookies.
static inline CURLSHcode curl_share_cookies(CURLSH *share) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
}

static inline CURLMcode curl_set_most_connections(CURLM *handle, long count) {
    return curl_multi_setopt(handle, CURLMOPT_MAXCONNECTS, count);
}

/// The ways to authenticate to a proxy; the macros are not imported.
static const long curl_proxy_authentication = CURLAUTH_BASIC | CURLAUTH_DIGEST | CURLAUTH_NTLM;
