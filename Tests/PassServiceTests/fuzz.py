#!/usr/bin/env python3
"""Sends random requests. Usage: fuzz.py SEED ROUNDS PORT TYPE SERIAL TOKEN. Prints the number of answers with each
status as JSON.
"""

import collections
import json
import random
import socket
import sys

SEED, ROUNDS, PORT, TYPE, SERIAL, TOKEN = sys.argv[1:]
RANDOM = random.Random(int(SEED))
METHODS = ["GET", "HEAD", "POST", "DELETE", "PUT", "OPTIONS", "PATCH", "TRACE", "CONNECT", "PRI", "get", "G T"]
WORDS = ["v1", "devices", "d1", "registrations", "passes", "log", "download", "pass.pkpass", TYPE, SERIAL, "", ".",
         "..", "%2F", "%00", "%", "%zz", "%FF", "é", "a" * 300, "?", "passesUpdatedSince=9223372036854775808", "*"]
PATHS = [f"/v1/devices/d1/registrations/{TYPE}/{SERIAL}", f"/v1/devices/d1/registrations/{TYPE}",
         f"/v1/devices/d1/registrations/{TYPE}?passesUpdatedSince=", f"/v1/passes/{TYPE}/{SERIAL}", "/v1/log",
         "/download/a", "/download/a/pass.pkpass"]
FIELDS = [f"Authorization: ApplePass {TOKEN}", "Authorization: ApplePass", "Authorization: \t", "If-None-Match: *",
          "If-None-Match: \",,\"", "If-Modified-Since: Thu, 99 Foo 99999999999 99:99:99 GMT",
          "If-Modified-Since: -1", "Content-Type: application/json", "Expect: 100-continue", "Range: bytes=0-",
          "Connection: close, x", "Upgrade: h2c",
          "Transfer-Encoding: chunked", "Transfer-Encoding: gzip", "Content-Length: 5", "Content-Length: -1",
          "Content-Length: 99999999999999999999", "Host: b", "X: \x00", ": empty", "no colon"]
BODIES = [b"", b"{", b'{"pushToken": "00ff"}', b'{"pushToken": null}', b'{"pushToken": 1e999}',
          b'{"logs": ["a", "\\ud800"]}', b'{"logs": [[]]}',
          b"[" * 5000, b'{"logs": ["' + b"\xff" * 50 + b'"]}', b'{"logs":' + b"[" * 2000 + b"]" * 2000 + b"}"]


def noise(count):
    return bytes(RANDOM.randrange(256) for _ in range(count))


def path():
    if RANDOM.random() < 0.3:
        return RANDOM.choice(PATHS)
    if RANDOM.random() < 0.5:
        text = RANDOM.choice(PATHS)
        place = RANDOM.randrange(len(text) + 1)
        return text[:place] + RANDOM.choice(["", "", "/", "%", "\x7f", "a"]) + text[place:]
    return "/" + "/".join(RANDOM.choice(WORDS) for _ in range(RANDOM.randrange(7)))


def request():
    if RANDOM.random() < 0.1:
        return noise(RANDOM.randrange(1, 400))
    body = RANDOM.choice(BODIES) if RANDOM.random() < 0.8 else noise(RANDOM.randrange(200))
    fields = RANDOM.sample(FIELDS, RANDOM.randrange(4)) + FIELDS[:1] * (RANDOM.random() < 0.5)
    if RANDOM.random() < 0.8:
        fields = [field for field in fields if not field.startswith(("Content-Length", "Transfer"))]
        fields.append(f"Content-Length: {len(body)}")
    head = "\r\n".join([f"{RANDOM.choice(METHODS[:RANDOM.choice([4, 12])])} {path()} HTTP/1.1", "Host: a", *fields, "", ""])
    whole = head.encode() + body
    if RANDOM.random() < 0.3:
        place = RANDOM.randrange(len(whole))
        whole = whole[:place] + noise(RANDOM.randrange(4)) + whole[place + RANDOM.randrange(3):]
    return whole


def answer(octets):
    with socket.create_connection(("127.0.0.1", int(PORT)), timeout=20) as connection:
        try:
            place = RANDOM.randrange(len(octets) + 1)
            for part in [octets[:place], octets[place:]]:
                connection.sendall(part)
            connection.shutdown(socket.SHUT_WR)
            got = b""
            while piece := connection.recv(65536):
                got += piece
        except ConnectionError:
            return "reset"
    return got[9:12].decode("latin-1") if got.startswith(b"HTTP/1.1 ") else "none" if not got else "odd"


COUNTS = collections.Counter(answer(request()) for _ in range(int(ROUNDS)))
# The server still answers.
COUNTS["last " + answer(f"GET /v1/passes/{TYPE}/{SERIAL} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: "
                        f"ApplePass {TOKEN}\r\n\r\n".encode())] = 1
print(json.dumps(COUNTS))
