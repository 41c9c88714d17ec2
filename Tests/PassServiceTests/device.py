#!/usr/bin/env python3
"""A device, after Apple's "Adding a Web Service to Update Passes".

Usage: device.py install|update PORT TYPE SERIAL TOKEN. `install` prints what the device remembers as JSON, which
`update` reads from standard input after the pass was updated.
"""

import email.utils
import http.client
import io
import json
import sys
import zipfile

PHASE, PORT, TYPE, SERIAL, TOKEN = sys.argv[1:]
DEVICE = "a1b2c3d4e5f60718293a4b5c6d7e8f90"
REGISTRATIONS = f"/wallet/v1/devices/{DEVICE}/registrations/{TYPE}"
PASS = f"/wallet/v1/passes/{TYPE}/{SERIAL}"
AUTHORIZATION = {"Authorization": f"ApplePass {TOKEN}"}
CONNECTION = http.client.HTTPConnection("127.0.0.1", int(PORT), timeout=20)


def ask(method, path, headers={}, body=None):
    if body is not None:
        headers = headers | {"Content-Type": "application/json"}
        body = json.dumps(body)
    CONNECTION.request(method, path, body, headers)
    answer = CONNECTION.getresponse()
    return answer, answer.read()


def status(*arguments):
    return ask(*arguments)[0].status


def fetch(condition={}):
    answer, body = ask("GET", PASS, AUTHORIZATION | condition)
    assert answer.status == 200, answer.status
    assert answer.getheader("Content-Type") == "application/vnd.apple.pkpass"
    contents = json.loads(zipfile.ZipFile(io.BytesIO(body)).read("pass.json"))
    assert contents["serialNumber"] == SERIAL
    modified = answer.getheader("Last-Modified")
    moment = email.utils.parsedate_to_datetime(modified)
    assert email.utils.format_datetime(moment, usegmt=True) == modified
    return {"etag": answer.getheader("ETag"), "modified": modified}


def changes(since=None):
    answer, body = ask("GET", REGISTRATIONS + (f"?passesUpdatedSince={since}" if since else ""))
    assert answer.status == 200, answer.status
    content = json.loads(body)
    assert content["serialNumbers"] == [SERIAL]
    assert isinstance(content["lastUpdated"], str)
    return content["lastUpdated"]


def install():
    path = f"{REGISTRATIONS}/{SERIAL}"
    token = {"pushToken": "00" * 32}
    assert status("POST", path, {}, token) == 401
    assert status("POST", path, AUTHORIZATION, token) == 201
    assert status("POST", path, AUTHORIZATION, {"pushToken": "01" * 32}) == 200
    memory = fetch() | {"tag": changes()}
    assert status("GET", f"{REGISTRATIONS}?passesUpdatedSince={memory['tag']}") == 204
    assert status("GET", PASS, AUTHORIZATION | {"If-None-Match": memory["etag"]}) == 304
    assert status("GET", PASS, AUTHORIZATION | {"If-Modified-Since": memory["modified"]}) == 304
    answer, body = ask("HEAD", PASS, AUTHORIZATION)
    assert (answer.status, body) == (200, b"") and int(answer.getheader("Content-Length")) > 0
    print(json.dumps(memory))


def update():
    memory = json.load(sys.stdin)
    tag = changes(memory["tag"])
    assert int(tag) > int(memory["tag"])
    new = fetch({"If-Modified-Since": memory["modified"]})
    assert new["etag"] != memory["etag"]
    moments = [email.utils.parsedate_to_datetime(each["modified"]) for each in (memory, new)]
    assert moments[0] < moments[1]
    assert status("POST", "/wallet/v1/log", {}, {"logs": [f"updated to {tag}"]}) == 200
    assert status("DELETE", f"{REGISTRATIONS}/{SERIAL}") == 401
    assert status("DELETE", f"{REGISTRATIONS}/{SERIAL}", AUTHORIZATION) == 200
    assert status("GET", REGISTRATIONS) == 204


{"install": install, "update": update}[PHASE]()
