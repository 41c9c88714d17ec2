"""The sample authority. Its private keys are in a temporary folder, which is deleted after the run."""

import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2] / ".build/release/passconduit"

FIRST_DAY = "2020-01-01 00:00:00"
DAYS = 9132  # to 2045-01-01

PASS_PURPOSE = "1.2.840.113635.100.4.14"
PASS_TYPE = "1.2.840.113635.100.6.1.16"


@dataclass
class Certificate:
    path: Path
    key: Path
    issuer: "Certificate | None" = None

    @property
    def pem(self):
        return self.path.read_bytes()


class Authority:
    """A root, an intermediate, and pass certificates on request."""

    def __init__(self, name="sample"):
        self.name = name

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="sample-authority-")
        self.folder = Path(self._folder.name)
        self._serial = 0
        self._issuers: dict[tuple, Certificate] = {}
        subject = f"/CN=passconduit {self.name} {{}}/O=passconduit samples"
        self.root = self.certify(subject.format("root, not Apple"), CA_EXTENSIONS)
        self.intermediate = self.certify(subject.format("intermediate"), CA_EXTENSIONS, self.root)
        self.stranger = self.certify(
            "/CN=passconduit sample stranger, not kept/O=passconduit samples", CA_EXTENSIONS)
        return self

    def __exit__(self, *_):
        self._folder.cleanup()

    def certify(self, subject, extensions, issuer=None, start=FIRST_DAY, days=DAYS):
        self._serial += 1
        name = self.folder / str(self._serial)
        certificate = Certificate(name.with_suffix(".pem"), name.with_suffix(".key"), issuer)
        config = name.with_suffix(".cnf")
        config.write_text(f"[req]\ndistinguished_name=dn\nutf8=yes\n[dn]\n[ext]\n{extensions}")
        request = name.with_suffix(".csr")
        openssl("req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", certificate.key,
                "-config", config, "-utf8", "-subj", subject, "-out", request)
        signer = ["-signkey", certificate.key]
        if issuer:
            signer = ["-CA", issuer.path, "-CAkey", issuer.key]
        openssl("x509", "-req", "-in", request, *signer, "-set_serial", self._serial,
                "-sha256", "-days", days, "-extfile", config, "-extensions", "ext",
                "-out", certificate.path, at=start)
        return certificate

    def issuer_of(self, pass_type, team, *, issuer=None, start=FIRST_DAY, days=DAYS,
                  purpose=PASS_PURPOSE, extension=True):
        """The certificate for a pass type and a team; made once for each set of arguments."""
        issuer = issuer or self.intermediate
        key = (pass_type, team, issuer.path, start, days, purpose, extension)
        if key not in self._issuers:
            extensions = LEAF_EXTENSIONS.format(purpose=purpose)
            if extension:
                extensions += f"{PASS_TYPE}=ASN1:UTF8String:{pass_type}\n"
            subject = f"/UID={pass_type}/CN=Pass Type ID: {pass_type}/OU={team}/O=Sample"
            self._issuers[key] = self.certify(subject, extensions, issuer, start, days)
        return self._issuers[key]

    def issue(self, files, certificate: Certificate, at: str):
        """The pass that `passconduit sign` makes of these files at this time (UTC)."""
        with tempfile.TemporaryDirectory(dir=self.folder) as home:
            folder, output = Path(home, "Sample.pass"), Path(home, "sample.pkpass")
            for name, content in files.items():
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            run(PROGRAM, "sign", folder, "--certificate", certificate.path,
                "--key", certificate.key, "--intermediate", certificate.issuer.path,
                "--trust-root", self.root.path, "-o", output, at=at, home=home)
            return output.read_bytes()

    def sign(self, manifest: bytes, certificate: Certificate, at: str, *, digest="sha256",
             options=("-binary",), chain=True):
        """The detached CMS signature over a manifest, signed at this time (UTC), as DER."""
        content = self.folder / "manifest"
        signature = self.folder / "signature"
        content.write_bytes(manifest)
        embedded = []
        if chain and certificate.issuer and certificate.issuer.issuer:
            embedded = ["-certfile", certificate.issuer.path]
        openssl("cms", "-sign", *options, "-in", content, "-signer", certificate.path,
                "-inkey", certificate.key, *embedded, "-md", digest, "-nosmimecap",
                "-outform", "DER", "-out", signature, at=at)
        return signature.read_bytes()


CA_EXTENSIONS = """\
basicConstraints=critical,CA:TRUE
keyUsage=critical,keyCertSign,cRLSign
subjectKeyIdentifier=hash
"""

LEAF_EXTENSIONS = """\
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature
extendedKeyUsage=critical,{purpose}
"""


def openssl(*arguments, at=None):
    return run("openssl", *arguments, at=at)


def run(program, *arguments, at=None, home=None):
    """The output of a program, with the clock stopped at a moment if one is given."""
    clock = ["faketime", "-f", at] if at else []
    place = {"HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home} if home else {}
    done = subprocess.run(
        [*clock, *map(str, (program, *arguments))], capture_output=True,
        env={**os.environ, **place, "TZ": "UTC", "LC_ALL": "C"})
    if done.returncode != 0:
        raise RuntimeError(
            f"{program} {arguments[0]}: {done.stderr.decode(errors='replace')}")
    return done.stdout
