#!/usr/bin/env python3
"""A computer without a push token, after passconduit-events(7).

Usage: computer.py life PORT TYPE SERIAL TOKEN
       computer.py follow PORT DEVICE EVENTS [LAST-EVENT-ID]
       computer.py poll PORT DEVICE QUERY
       computer.py unread PORT DEVICE SECONDS

`life` is a whole conversation, during which the issuer publishes two new versions. `follow` reads a number of events,
or until the stream ends. `unread` does not read the stream for a time. They print their results as JSON.
"""

import http.client
import json
import socket
import sys
import time

SCENARIO, PORT, *ARGUMENTS = sys.argv[1:]
# A test that waits longer than this has failed.
PATIENCE = 20


def request(method, path, fields={}, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", int(PORT), timeout=PATIENCE)
    connection.request(method, path, None if body is None else json.dumps(body), fields)
    return connection.getresponse()


def stream(device, last=None):
    fields = {"Accept": "text/event-stream"} | ({} if last is None else {"Last-Event-ID": last})
    return request("GET", f"/v1/devices/{device}/events", fields)


class Events:
    """Parses an event stream (WHATWG HTML, 9.2.6)."""

    def __init__(self, response):
        self.response, self.comments, self.last, self.ended = response, 0, "", False

    def __iter__(self):
        kind, data = "", []
        while line := self.response.readline():
            text = line.decode("utf-8")
            assert text.endswith("\n") and not text.endswith("\r\n"), text
            field, colon, value = text[:-1].partition(":")
            value = value.removeprefix(" ")
            if text == "\n":
                if data:
                    yield {"id": self.last, "event": kind or "message", "data": "\n".join(data), "at": time.time()}
                kind, data = "", []
            elif colon and not field:
                self.comments += 1
            elif field == "event":
                kind = value
            elif field == "data":
                data.append(value)
            elif field == "id":
                self.last = value
        self.ended = True


def checked(event):
    assert event["event"] == "changes", event
    contents = json.loads(event["data"])
    assert sorted(contents) == ["lastUpdated", "passTypeIdentifiers"], contents
    assert contents["lastUpdated"] == event["id"], event
    return contents["passTypeIdentifiers"]


def life(type, serial, token):
    device = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
    own = {"Authorization": f"ApplePass {token}"}
    registrations = f"/v1/devices/{device}/registrations/{type}"

    def status(*arguments):
        return request(*arguments).status

    def fetch():
        response = request("GET", f"/v1/passes/{type}/{serial}", own)
        assert response.status == 200 and response.getheader("Passconduit-Events") == "1"

    def changed(tag):
        response = request("GET", f"{registrations}?passesUpdatedSince={tag}")
        assert response.status == 200, response.status
        contents = json.load(response)
        assert contents["serialNumbers"] == [serial], contents
        return contents["lastUpdated"]

    fetch()
    assert stream(device).status == 204
    events = {"events": True}
    assert status("POST", f"{registrations}/{serial}", {}, events) == 401
    assert status("POST", f"{registrations}/{serial}", own, events) == 201
    assert status("POST", f"{registrations}/{serial}", own, events) == 200
    tag = changed(0)
    response = stream(device, tag)
    assert response.status == 200
    assert response.getheader("Content-Type") == "text/event-stream"
    assert response.getheader("Cache-Control") == "no-store"
    assert response.getheader("X-Accel-Buffering") == "no"
    events = iter(Events(response))
    first = next(events)
    assert checked(first) == [] and first["id"] == tag, first
    # The issuer publishes a new version.
    second = next(events)
    assert checked(second) == [type] and int(second["id"]) > int(tag), second
    response.close()
    tag = changed(tag)
    fetch()
    # The test waits until the stream is closed.
    time.sleep(0.5)
    # The issuer publishes another one.
    response = request("GET", f"/v1/devices/{device}/events?since={tag}&wait=15")
    assert response.status == 200 and response.getheader("Content-Type") == "application/json"
    contents = json.load(response)
    assert contents["passTypeIdentifiers"] == [type] and int(contents["lastUpdated"]) > int(tag), contents
    tag = changed(tag)
    assert status("DELETE", f"{registrations}/{serial}", own) == 200
    assert stream(device).status == 204
    assert status("GET", f"/v1/devices/{device}/events?since={tag}") == 204
    return {}


def follow(device, count, last=None):
    start = time.monotonic()
    response = stream(device, last)
    events = Events(response)
    seen = []
    if response.status == 200:
        for event in events:
            seen.append({"types": checked(event), "id": int(event["id"]), "at": event["at"]})
            if len(seen) == int(count):
                break
    return {"status": response.status, "retry": response.getheader("Retry-After", ""), "events": seen,
            "comments": events.comments, "ended": events.ended, "seconds": time.monotonic() - start}


def poll(device, query):
    start = time.monotonic()
    response = request("GET", f"/v1/devices/{device}/events{query}", {"Accept": "application/json"})
    contents = json.loads(response.read() or b"{}")
    return {"status": response.status, "types": contents.get("passTypeIdentifiers"),
            "last": contents.get("lastUpdated", ""), "seconds": time.monotonic() - start}


def unread(device, seconds):
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", int(PORT)))
    connection.sendall(f"GET /v1/devices/{device}/events HTTP/1.1\r\nHost: a\r\n"
                       "Accept: text/event-stream\r\n\r\n".encode())
    time.sleep(float(seconds))
    return {}


print(json.dumps({"life": life, "follow": follow, "poll": poll, "unread": unread}[SCENARIO](*ARGUMENTS)))
