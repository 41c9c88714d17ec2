#!/usr/bin/env python3
"""Opens a connection and keeps it. Then prints the name in the server's certificate and the protocol of a new connection,
and the status of a request on the first one; repeats this for each line of input. Usage: certificates.py PORT AUTHORITY.
"""

import http.client
import socket
import ssl
import sys

PORT, AUTHORITY = int(sys.argv[1]), sys.argv[2]


def context(protocols):
    made = ssl.create_default_context(cafile=AUTHORITY)
    made.set_alpn_protocols(protocols)
    return made


FIRST = http.client.HTTPSConnection("localhost", PORT, context=context(["http/1.1"]), timeout=20)
FIRST.connect()
SOCKET = FIRST.sock
while True:
    FIRST.request("GET", "/")
    answer = FIRST.getresponse()
    answer.read()
    assert FIRST.sock is SOCKET
    plain = socket.create_connection(("127.0.0.1", PORT), timeout=20)
    with context(["h2", "http/1.1"]).wrap_socket(plain, server_hostname="localhost") as new:
        subject = dict(pair for name in new.getpeercert()["subject"] for pair in name)
        sys.stdout.write(f"{subject['commonName']} {new.selected_alpn_protocol()} {answer.status}\n")
        sys.stdout.flush()
    if not sys.stdin.readline():
        break
