"""Makes certificates, signatures and passes for the tests, with the openssl program and libcrypto.

Each line of the standard input is a request, {"verb": ..., "body": ...}. Its answer, {"answer": ...} or
{"error": ...}, is written to the standard output after its size, in eight hexadecimal digits. Keys and
certificates are stored in the folder PASSCONDUIT_FIXTURES, which several of these processes share, or in a
temporary folder, which is removed when the input ends.
"""

import base64, contextlib, ctypes, fcntl, hashlib, io, json, os, random, shutil, subprocess, sys, tempfile, time, warnings, zipfile

import verdicts

CMS_DETACHED, CMS_BINARY, CMS_PARTIAL = 0x40, 0x80, 0x4000
NID_SIGNING_TIME, V_ASN1_UTCTIME = 52, 23


class Crypto:
    """The functions of libcrypto for signing: starting openssl for each signature would take most of the time."""

    def __init__(self):
        library = self.library = ctypes.CDLL("libcrypto.so.3")
        for name in ("BIO_new_mem_buf", "BIO_new_file", "PEM_read_bio_X509", "CMS_sign",
                "CMS_add1_signer", "PEM_read_bio_PrivateKey"):
            getattr(library, name).restype = ctypes.c_void_p
        library.BIO_free.argtypes = library.CMS_ContentInfo_free.argtypes = [ctypes.c_void_p]
        library.CRYPTO_free.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
        self.known = {}

    def read(self, kind, path):
        """The certificate (X509) or key (PrivateKey) in a file."""
        if path not in self.known:
            bio = ctypes.c_void_p(self.library.BIO_new_file(path.encode(), b"r"))
            value = getattr(self.library, "PEM_read_bio_" + kind)(bio, None, None, None)
            assert value, path
            self.known[path] = ctypes.c_void_p(value)
            self.library.BIO_free(bio)
        return self.known[path]

    def sign(self, content, signers, others, moment):
        """A detached signature in DER, like that of `openssl cms -sign -binary`."""
        library = self.library
        flags = CMS_DETACHED | CMS_BINARY | CMS_PARTIAL
        text = time.strftime("%y%m%d%H%M%SZ", time.gmtime(moment)).encode()
        bio = ctypes.c_void_p(library.BIO_new_mem_buf(content, len(content)))
        cms = ctypes.c_void_p(library.CMS_sign(None, None, None, None, flags))
        done = True
        for each in signers:
            signer = ctypes.c_void_p(library.CMS_add1_signer(cms,
                self.read("X509", each["path"]), self.read("PrivateKey", each["keyPath"]), None, flags))
            done = done and library.CMS_signed_add1_attr_by_NID(
                signer, NID_SIGNING_TIME, V_ASN1_UTCTIME, text, len(text)) == 1
        for each in others:
            done = done and library.CMS_add1_cert(cms, self.read("X509", each["path"])) == 1
        done = done and library.CMS_final(cms, bio, None, flags) == 1
        out = ctypes.c_void_p()
        size = library.i2d_CMS_ContentInfo(cms, ctypes.byref(out))
        assert done and size > 0, "libcrypto did not sign"
        signature = ctypes.string_at(out, size)
        library.CRYPTO_free(out, None, 0)
        library.CMS_ContentInfo_free(cms)
        library.BIO_free(bio)
        return signature


class Issuer:
    def __init__(self, folder):
        self.folder = folder
        self.crypto = Crypto()
        self.is_locked = False

    @contextlib.contextmanager
    def lock(self):
        """Lets only one process at a time create shared files."""
        if self.is_locked:
            yield
            return
        with open(os.path.join(self.folder, "lock"), "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            self.is_locked = True
            try:
                yield
            finally:
                self.is_locked = False

    def run(self, *words, input=b""):
        done = subprocess.run(words, input=input, capture_output=True)
        if done.returncode != 0:
            raise RuntimeError("%s: %s" % (" ".join(words), done.stderr.decode(errors="replace")))
        return done.stdout

    def certificate(self, recipe):
        """The files of a certificate and its key; each recipe is created once."""
        name = hashlib.sha256(json.dumps(recipe, sort_keys=True).encode()).hexdigest()[:16]
        base = os.path.join(self.folder, name)
        made = dict(path=base + ".pem", keyPath=base + ".key")
        if not os.path.exists(made["path"]):
            with self.lock():
                if not os.path.exists(made["path"]):
                    self.make_certificate(recipe, base, made)
        return made

    def make_certificate(self, recipe, base, made):
        issuers = [self.certificate(issuer) for issuer in recipe["issuer"]]
        signer = "-signkey", made["keyPath"]
        for issuer in issuers:
            signer = "-CA", issuer["path"], "-CAkey", issuer["keyPath"]
        self.run("openssl", "req", "-new", "-nodes", "-newkey", *recipe["key"], "-keyout",
            made["keyPath"], "-out", base + ".csr", "-subj", recipe["subject"])
        with open(base + ".ext", "w") as file:
            file.write("\n".join(recipe["extensions"]))
        clock = ("faketime", "-f", recipe["from"]) if "from" in recipe else ()
        self.run(*clock, "openssl", "x509", "-req", "-in", base + ".csr", "-extfile",
            base + ".ext", "-days", str(recipe["days"]), "-" + recipe["digest"], "-out",
            base + ".new", *signer)
        os.rename(base + ".new", made["path"])

    def signed(self, content, signers, others, moment, options=("-binary",)):
        signers = [self.certificate(recipe) for recipe in signers]
        others = [self.certificate(recipe) for recipe in others]
        if list(options) == ["-binary"]:
            return self.crypto.sign(content, signers, others, moment)
        words = ["faketime", "-f", time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(moment)),
            "openssl", "cms", "-sign", "-outform", "DER"]
        for each in signers:
            words += ["-signer", each["path"], "-inkey", each["keyPath"]]
        words += options
        if others:
            bag = os.path.join(self.folder, "bag-%d.pem" % os.getpid())
            with open(bag, "w") as file:
                file.writelines(open(each["path"]).read() for each in others)
            words += ["-certfile", bag]
        return self.run(*words, input=content)

    def new_folder(self, _):
        folder = tempfile.mkdtemp(dir=self.folder)
        # Some programs under test run as another user.
        os.chmod(folder, 0o755)
        return folder

    def sign(self, body):
        return encoded(self.signed(decoded(body["content"]), body["signers"], body["others"],
            body["moment"], body["options"]))

    def manifest(self, files):
        return manifest(contents(files))

    def archive(self, body):
        """An archive of the files `e`; Python code edits them before and while it is written."""
        names = dict(io=io, zipfile=zipfile,
            e=[(file["name"], decoded(file["bytes"])) for file in body["files"]])
        exec(body["edit"], names)
        out = io.BytesIO()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as names["z"]:
                exec(body["write"], names)
        return encoded(out.getvalue())

    def pass_(self, body):
        """A signed pass with these files."""
        files = contents(body["files"])
        files["manifest.json"] = manifest(files).encode()
        files["signature"] = self.signed(
            files["manifest.json"], [body["signer"]], [], body.get("moment", time.time()))
        return encoded(archive(files))

    def repack(self, body):
        """The files of an archive in another order, compressed."""
        old = zipfile.ZipFile(io.BytesIO(decoded(body)))
        return encoded(archive(
            {name: old.read(name) for name in reversed(old.namelist())}, zipfile.ZIP_DEFLATED))

    def passes(self, body):
        """Writes a pass for each recipe, thousands at once."""
        os.makedirs(body["folder"], exist_ok=True)
        for recipe in body["recipes"]:
            # A different picture for each pass, the same in every run.
            noise = random.Random(json.dumps(recipe, sort_keys=True))
            content = dict(formatVersion=1, passTypeIdentifier=recipe["type"],
                serialNumber=recipe["serial"], teamIdentifier=body["team"],
                organizationName=recipe["organization"], description=recipe["description"],
                generic=dict(primaryFields=recipe["fields"]))
            for name in "webServiceURL", "authenticationToken", "voided":
                if name in recipe:
                    content[name] = recipe[name]
            files = {"pass.json": json.dumps(content).encode(),
                "icon.png": noise.randbytes(recipe["picture"])}
            files["manifest.json"] = manifest(files).encode()
            files["signature"] = self.signed(files["manifest.json"], [body["signer"]], [],
                recipe.get("signedAt", time.time()))
            with open(os.path.join(body["folder"], recipe["file"]), "wb") as file:
                file.write(archive(files))
        return len(body["recipes"])

    def verdicts(self, body):
        """Passes with every verdict, and mail with them; see verdicts.py."""
        def sign(content, signer, moment):
            return self.signed(content, [body["signers"][signer]], [], moment)
        folder = os.path.join(self.folder, "verdicts")
        facts = folder + ".json"
        with self.lock():
            if not os.path.exists(facts):
                # Left by a process that was killed before it was done.
                shutil.rmtree(folder, ignore_errors=True)
                made = verdicts.make(folder, sign, archive, manifest)
                shutil.copy(
                    self.certificate(body["authority"])["path"],
                    os.path.join(folder, "authority.pem"))
                with open(facts + ".new", "w") as file:
                    json.dump(made, file)
                os.rename(facts + ".new", facts)
            with open(facts) as file:
                return dict(folder=folder, facts=json.load(file))


def encoded(octets):
    return base64.b64encode(octets).decode()


def decoded(text):
    return base64.b64decode(text)


def contents(files):
    return {file["name"]: decoded(file["bytes"]) for file in files}


def manifest(files):
    hashes = {name: hashlib.sha1(octets).hexdigest() for name, octets in files.items()}
    return json.dumps(hashes, indent=1) + "\n"


def archive(files, compression=zipfile.ZIP_STORED, level=None):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, octets in files.items():
            file.writestr(zipfile.ZipInfo(name, (2024, 5, 1, 10, 0, 0)), octets, compression, level)
    return out.getvalue()


@contextlib.contextmanager
def shared_folder():
    folder = os.environ.get("PASSCONDUIT_FIXTURES")
    if folder:
        os.makedirs(folder, exist_ok=True)
        yield folder
    else:
        with tempfile.TemporaryDirectory(prefix="passconduit-fixtures-") as folder:
            # Some programs under test run as another user.
            os.chmod(folder, 0o755)
            yield folder


def main():
    with shared_folder() as folder:
        issuer = Issuer(folder)
        verbs = dict(folder=issuer.new_folder, certificate=issuer.certificate, sign=issuer.sign,
            manifest=issuer.manifest, archive=issuer.archive, repack=issuer.repack,
            passes=issuer.passes, verdicts=issuer.verdicts)
        verbs["pass"] = issuer.pass_
        for line in sys.stdin.buffer:
            request = json.loads(line)
            try:
                answer = dict(answer=verbs[request["verb"]](request["body"]))
            except Exception as error:
                answer = dict(error="%s: %s" % (type(error).__name__, error))
            octets = json.dumps(answer).encode()
            sys.stdout.buffer.write(b"%08x%s" % (len(octets), octets))
            sys.stdout.buffer.flush()


main()
