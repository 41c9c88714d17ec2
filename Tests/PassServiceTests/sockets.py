#!/usr/bin/env python3
"""Hostile clients of HTTP/1.1. Usage: sockets.py SCENARIO PORT. Prints a JSON object."""

import json
import socket
import sys
import time

SCENARIO, PORT = sys.argv[1:]
# A test that waits longer than this has failed.
PATIENCE = 20


def connect():
    connection = socket.create_connection(("127.0.0.1", int(PORT)), timeout=PATIENCE)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def read_all(connection):
    """The bytes until the server closes, and whether it closed."""
    answer = b""
    try:
        while piece := connection.recv(65536):
            answer += piece
    except TimeoutError:
        return answer, False
    except ConnectionError:
        pass
    return answer, True


def describe(answer):
    head = answer.split(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    fields = dict(line.lower().split(": ", 1) for line in head[1:])
    return {
        "status": int(head[0].split()[1]) if head[0] else 0, "connection": fields.get("connection", ""),
        "answers": answer.count(b"HTTP/1.1 "),
    }


def flood(head, piece):
    """Sends without end, and reads only after the server stopped reading."""
    connection = connect()
    connection.sendall(head)
    sent, start = 0, time.monotonic()
    try:
        while sent < 200_000_000 and time.monotonic() - start < PATIENCE:
            connection.sendall(piece)
            sent += len(piece)
    except OSError:
        pass
    answer, closed = read_all(connection)
    return {"sent": sent, "closed": closed, "seconds": time.monotonic() - start}


def early(head, rest=b""):
    """Sends a head and part of a body, and reads."""
    connection = connect()
    connection.sendall(head + rest)
    start = time.monotonic()
    answer, closed = read_all(connection)
    return describe(answer) | {"closed": closed, "seconds": time.monotonic() - start}


def drip(head):
    connection = connect()
    connection.sendall(head)
    start = time.monotonic()
    connection.settimeout(0.05)
    while time.monotonic() - start < PATIENCE:
        try:
            connection.sendall(b"a")
            if not connection.recv(1000):
                break
        except TimeoutError:
            pass
        except OSError:
            break
    return {"seconds": time.monotonic() - start}


def silent():
    connection = connect()
    start = time.monotonic()
    _, closed = read_all(connection)
    return {"closed": closed, "seconds": time.monotonic() - start}


def pipelined():
    connection = connect()
    connection.sendall(b"GET /a HTTP/1.1\r\nHost: a\r\n\r\n" * 20)
    time.sleep(0.3)
    connection.sendall(b"GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    answer, closed = read_all(connection)
    return describe(answer) | {"closed": closed}


def unread():
    """Asks again and again, and never reads."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", int(PORT)))
    connection.settimeout(0.2)
    request = sys.stdin.buffer.read()
    start = time.monotonic()
    while time.monotonic() - start < 4:
        try:
            connection.sendall(request)
        except TimeoutError:
            pass
        except OSError:
            break
    return {"seconds": time.monotonic() - start}


POST = b"POST %s HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
LONG = b"Content-Length: 1000000000\r\n\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
REGISTRATION = POST % b"/v1/devices/d/registrations/pass.example/E4"
PIECE = b"a" * 65536
RESULT = {
    "flood unknown path": lambda: flood(POST % b"/nothing" + LONG, PIECE),
    "flood unauthorized": lambda: flood(REGISTRATION + LONG, PIECE),
    "flood log": lambda: flood(POST % b"/v1/log" + LONG, PIECE),
    "flood chunks": lambda: flood(POST % b"/v1/log" + CHUNKED, b"10000\r\n" + PIECE + b"\r\n"),
    "flood head": lambda: flood(b"GET / HTTP/1.1\r\nHost: a\r\nX: ", PIECE),
    "flood fields": lambda: flood(b"GET / HTTP/1.1\r\nHost: a\r\n", b"X: a\r\n" * 1000),
    "early unknown path": lambda: early(POST % b"/nothing" + LONG),
    "early unauthorized": lambda: early(REGISTRATION + LONG, b"{"),
    "early log": lambda: early(POST % b"/v1/log" + LONG, b"a" * 100_000),
    "early head": lambda: early(b"GET / HTTP/1.1\r\nHost: a\r\nX: ", b"a" * 40_000),
    "early garbage": lambda: early(b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n"),
    "drip head": lambda: drip(b"GET / HTTP/1.1\r\nHost: a\r\nX: "),
    "drip body": lambda: drip(POST % b"/v1/log" + b"Content-Length: 100000\r\n\r\n"),
    "silent": silent,
    "pipelined": pipelined,
    "unread": unread,
}[SCENARIO]()
print(json.dumps(RESULT))
