#!/usr/bin/env python3
"""Hostile clients of HTTP/2 over TLS. Usage: frames.py SCENARIO PORT. Prints a JSON object."""

import json
import socket
import ssl
import struct
import sys
import time

SCENARIO, PORT = sys.argv[1:]
DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, CONTINUATION = 0, 1, 3, 4, 6, 7, 9
END_STREAM, END_HEADERS, ACK = 1, 4, 1
# :method GET, :scheme https, :path / (RFC 7541, appendix A), and :authority a.
GET = bytes([0x82, 0x87, 0x84, 0x41, 0x01]) + b"a"
POST = bytes([0x83, 0x87, 0x44, 0x07]) + b"/v1/log" + bytes([0x41, 0x01]) + b"a"
CONNECTION = None


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def connect():
    global CONNECTION
    context = ssl._create_unverified_context()
    context.set_alpn_protocols(["h2", "http/1.1"])
    plain = socket.create_connection(("127.0.0.1", int(PORT)), timeout=20)
    CONNECTION = context.wrap_socket(plain, server_hostname="localhost")
    assert CONNECTION.selected_alpn_protocol() == "h2"
    CONNECTION.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS, 0, 0))


def frames():
    """Frames until the server closes."""
    rest = b""
    while True:
        while len(rest) >= 9:
            length = int.from_bytes(rest[:3], "big")
            if len(rest) < 9 + length:
                break
            yield rest[3], rest[4], int.from_bytes(rest[5:9], "big"), rest[9:9 + length]
            rest = rest[9 + length:]
        try:
            piece = CONNECTION.recv(65536)
        except (ConnectionError, ssl.SSLError):
            return
        if not piece:
            return
        rest += piece


def settings():
    connect()
    for kind, flags, _, payload in frames():
        if kind == SETTINGS and not flags & ACK:
            pairs = [struct.unpack(">HI", payload[place:place + 6]) for place in range(0, len(payload), 6)]
            return {"streams": dict(pairs).get(3), "fields": dict(pairs).get(6)}


def flood(count, make):
    """Sends frames until the server closes the connection."""
    connect()
    start, sent = time.monotonic(), 0
    try:
        for number in range(count):
            CONNECTION.sendall(make(number))
            sent += 1
    except (ConnectionError, ssl.SSLError):
        pass
    CONNECTION.settimeout(10)
    ended = False
    try:
        for kind, _, _, _ in frames():
            ended = ended or kind == GOAWAY
        closed = True
    except TimeoutError:
        closed = False
    return {"sent": sent, "ended": ended, "closed": closed, "seconds": time.monotonic() - start}


def streams(count):
    """Opens streams, none of which ends."""
    connect()
    for number in range(count):
        CONNECTION.sendall(frame(HEADERS, END_HEADERS, 2 * number + 1, POST))
    CONNECTION.settimeout(10)
    refused = set()
    start = time.monotonic()
    try:
        for kind, _, stream, _ in frames():
            if kind == RESET:
                refused.add(stream)
            if kind == GOAWAY or len(refused) == count:
                break
    except TimeoutError:
        pass
    return {"refused": len(refused), "seconds": time.monotonic() - start}


def handshake():
    """A connection without a TLS handshake."""
    plain = socket.create_connection(("127.0.0.1", int(PORT)), timeout=20)
    plain.sendall(b"\x16")
    start = time.monotonic()
    try:
        closed = plain.recv(100) == b""
    except ConnectionError:
        closed = True
    except TimeoutError:
        closed = False
    return {"closed": closed, "seconds": time.monotonic() - start}


RESULT = {
    "settings": settings,
    "resets": lambda: flood(2000, lambda number: frame(
        HEADERS, END_HEADERS | END_STREAM, 2 * number + 1, GET) + frame(
        RESET, 0, 2 * number + 1, struct.pack(">I", 8))),
    "continuations": lambda: flood(2000, lambda number: frame(
        HEADERS, END_STREAM, 1, GET) if number == 0 else frame(CONTINUATION, 0, 1, b"")),
    "fields": lambda: flood(64, lambda number: frame(
        HEADERS, END_STREAM, 1, GET) if number == 0 else frame(
        CONTINUATION, 0, 1, b"\x00\x01a\x7f\x81\x7e" + b"a" * 16000)),
    "settings frames": lambda: flood(5000, lambda number: frame(SETTINGS, 0, 0)),
    "pings": lambda: flood(5000, lambda number: frame(PING, 0, 0, b"12345678")),
    "streams": lambda: streams(80),
    "too many streams": lambda: flood(150, lambda number: frame(HEADERS, END_HEADERS, 2 * number + 1, POST)),
    "silent": lambda: flood(0, None),
    "handshake": handshake,
}[SCENARIO]()
print(json.dumps(RESULT))
