"""Checks the samples with openssl, tnef, macutils, and Python's zipfile and email."""

import gzip
import hashlib
import json
import mailbox
import re
import subprocess
import sys
import tempfile
import zipfile
from email import message_from_bytes, policy
from pathlib import Path

from .lost_by_python import LOST_BY_PYTHON
from .passes import own
from .tree import EVERYTHING


def run(root: Path):
    """Prints the errors and returns the exit code."""
    checks = {
        "expectations that fit": expectations(root),
        "trusted passes that openssl verifies": signatures(root),
        "passes of the demo that openssl verifies": demo(root),
        "passes that Python extracts from mails": mails(root),
        "winmail.dat files that tnef unpacks": winmails(root),
        "files of Macs that macutils unpack": mac_files(root),
        "files free of private keys and small": files(root),
    }
    complaints = []
    for name, results in checks.items():
        results = list(results)
        wrong = [complaint for complaint in results if complaint]
        print(f"{len(results) - len(wrong)} {name}")
        complaints += wrong
    for complaint in complaints:
        print(f"make-samples: {complaint}", file=sys.stderr)
    return 1 if complaints else 0


def expectations(root):
    """Each expected record has its sample; if the sample is a single pass, the hashes match."""
    for path in sorted(root.rglob("*.expected")):
        sample = path.with_suffix("")
        records = read(path)
        wrong = None if sample.exists() else f"{sample} is missing"
        for record in records if sample.is_file() else ():
            if record.get("part") == "" and "sha256" in record:
                content = sample.read_bytes()
                if sample.suffix == ".gz":
                    content = gzip.decompress(content)
                content = own(content, record.get("notes", ()))
                if (record["sha256"], record["size"]) != (digest(content), len(content)):
                    wrong = f"{sample} differs from its expectation"
        yield wrong


def signatures(root):
    """Each trusted pass verifies at its signing time and has the files of its manifest."""
    for path in sorted((root / "passes").glob("t*/*.pkpass")):
        if path.parent.name not in ("trusted", "tolerated"):
            continue
        yield verify(path, root / "authority/root.pem")


def demo(root):
    """Each pass of the demo verifies, and has no date before 2040."""
    with tempfile.TemporaryDirectory() as folder:
        for message in mailbox.mbox(root / "demo/inbox.mbox", create=False):
            for part in message.walk():
                if not part.get_filename():
                    continue
                path = Path(folder, part.get_filename())
                path.write_bytes(part.get_payload(decode=True))
                with zipfile.ZipFile(path) as archive:
                    dates = re.findall(rb'"(\d{4})-\d\d-\d\dT', archive.read("pass.json"))
                past = not dates or min(dates) < b"2040"
                yield f"{path.name}: it has a date before 2040" if past else verify(
                    path, root / "demo/root.pem")


def verify(path, anchor):
    with zipfile.ZipFile(path) as archive, tempfile.TemporaryDirectory() as folder:
        if archive.testzip():
            return f"{path}: {archive.testzip()} is damaged"
        prefix = "Ticket/" if "Ticket/pass.json" in archive.namelist() else ""
        listed = archive.read(prefix + "manifest.json")
        hashes = json.loads(listed)
        for name in archive.namelist():
            inner = name.removeprefix(prefix)
            if inner in ("manifest.json", "signature") or name.endswith("/"):
                continue
            if hashlib.sha1(archive.read(name)).hexdigest() != hashes.get(inner, "").lower():
                return f"{path}: {inner} differs from its hash"
        signature, content = Path(folder, "signature"), Path(folder, "manifest")
        signature.write_bytes(archive.read(prefix + "signature"))
        content.write_bytes(listed)
        time = signing_time(signature)
        done = subprocess.run(
            ["openssl", "cms", "-verify", "-binary", "-inform", "DER", "-in", signature,
             "-content", content, "-CAfile", anchor, "-purpose", "any",
             "-attime", time, "-out", "/dev/null"], capture_output=True, text=True)
        return f"{path}: {done.stderr.strip()}" if done.returncode else None


def signing_time(signature):
    """The time in seconds since 1970, from openssl's form."""
    text = subprocess.run(
        ["openssl", "asn1parse", "-inform", "DER", "-in", signature],
        capture_output=True, text=True).stdout
    after = text[text.index(":signingTime"):]
    stamp = after[after.index("UTCTIME"):].split(":", 1)[1].split()[0]
    seconds = subprocess.run(
        ["date", "-u", "-d", f"20{stamp[:2]}-{stamp[2:4]}-{stamp[4:6]} "
         f"{stamp[6:8]}:{stamp[8:10]}:{stamp[10:12]}", "+%s"],
        capture_output=True, text=True, check=True)
    return seconds.stdout.strip()


def mails(root):
    """Python finds the expected pass, byte for byte, in the mails that it understands."""
    for path in sorted((root / "mail").glob("*.eml")):
        expected = {record["sha256"] for record in read(Path(f"{path}.expected"))
                    if "sha256" in record and "!" not in record.get("part", "")}
        if not expected:
            continue
        message = message_from_bytes(path.read_bytes(), policy=policy.compat32)
        if expected <= {digest(content) for content in payloads(message)}:
            yield None
        elif path.stem not in LOST_BY_PYTHON:
            yield f"{path}: Python extracts other bytes"


def payloads(message):
    """The bodies of all parts of a message, and the contents of signed parts from openssl."""
    for part in message.walk():
        if part.is_multipart():
            continue
        content = part.get_payload(decode=True)
        yield content
        if (part.get_filename() or "").endswith(".p7m"):
            done = subprocess.run(
                ["openssl", "cms", "-verify", "-noverify", "-binary", "-inform", "DER"],
                input=content, capture_output=True)
            if done.returncode == 0:
                yield from payloads(message_from_bytes(done.stdout, policy=policy.compat32))


def winmails(root):
    """The program tnef finds the expected passes in a winmail.dat, and no others."""
    for path in sorted((root / "mail").glob("*tnef*.eml")):
        expected = {record["sha256"] for record in read(Path(f"{path}.expected"))
                    if "sha256" in record}
        message = message_from_bytes(path.read_bytes(), policy=policy.compat32)
        got = {digest(content) for part in message.walk()
               if part.get_filename() == "winmail.dat"
               for content in unpacked(part.get_payload(decode=True)) if b"pass.json" in content}
        yield None if got == expected else f"{path}: tnef extracts other passes"


def unpacked(stream):
    """The files of a winmail.dat, and those of the messages in it."""
    waiting = [stream]
    while waiting:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["tnef", "--ignore-checksum", "--directory", folder],
                           input=waiting.pop(), capture_output=True)
            for path in Path(folder).iterdir():
                content = path.read_bytes()
                # tnef does not remove the interface identifier before a message.
                if content[16:20] == b"\x78\x9f\x3e\x22":
                    waiting.append(content[16:])
                else:
                    yield content


def mac_files(root):
    """The macutils find the expected data fork; they do not support AppleSingle, and refuse wrong
    checksums."""
    for program, pattern in (("hexbin", "mac-binhex*.eml"), ("macsave", "mac-binary*.eml")):
        for path in sorted((root / "mail").glob(pattern)):
            expected = {record["sha256"] for record in read(Path(f"{path}.expected"))
                        if "wrong-checksums" not in path.stem}
            message = message_from_bytes(path.read_bytes(), policy=policy.compat32)
            got = {digest(fork) for part in message.walk() if not part.is_multipart()
                   for fork in data_forks(program, part.get_payload(decode=True))}
            yield None if got == expected else f"{path}: {program} extracts other files"


def data_forks(program, content):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "-d"], cwd=folder, input=content, capture_output=True)
        return [path.read_bytes() for path in Path(folder).glob("*.data")]


def files(root):
    total = 0
    for folder in EVERYTHING:
        for path in sorted((root / folder).rglob("*")):
            if not path.is_file():
                continue
            content = path.read_bytes()
            total += len(content)
            is_large = folder == "hostile" and len(content) > 100_000
            if b"PRIVATE KEY" in content:
                yield f"{path} holds a private key"
            else:
                yield f"{path} is larger than 100 KB" if is_large else None
    if total > 7 << 20:
        yield f"the samples are larger than 7 MB: {total}"


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def digest(content):
    return hashlib.sha256(content or b"").hexdigest()
