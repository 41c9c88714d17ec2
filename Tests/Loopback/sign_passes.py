"""Makes passes as an issuer does, thousands in one go.

    sign_passes.py keys FOLDER TYPE TEAM       makes an authority and a certificate for passes
    sign_passes.py passes KEYS FOLDER TEAM     reads a JSON array of recipes, writes a file for each

The signatures are libcrypto's: a process for each would take most of the time.
"""

import ctypes, hashlib, json, os, random, subprocess, sys, time, zipfile

CMS_DETACHED, CMS_BINARY, CMS_NOSMIMECAP, CMS_PARTIAL = 0x40, 0x80, 0x200, 0x4000
NID_SIGNING_TIME, V_ASN1_UTCTIME = 52, 23


def keys(folder, type, team):
    key = lambda name: os.path.join(folder, name)
    run = lambda *words: subprocess.run(words, check=True, stderr=subprocess.PIPE)
    with open(key("leaf.cnf"), "w") as file:
        file.write("[leaf]\nextendedKeyUsage=1.2.840.113635.100.4.14\n"
            "1.2.840.113635.100.6.1.16=ASN1:UTF8String:" + type + "\n")
    # Long ago, so that passes can be signed at any time since.
    old = ("faketime", "-f", "2020-01-01 00:00:00", "openssl")
    run(*old, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key("root.key"), "-out",
        key("authority.pem"), "-days", "36500", "-subj", "/CN=Test Issuer")
    run(*old, "req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", key("leaf.key"), "-out",
        key("leaf.csr"), "-subj", "/UID=" + type + "/CN=Pass Type ID: " + type + "/OU=" + team)
    run(*old, "x509", "-req", "-in", key("leaf.csr"), "-CA", key("authority.pem"), "-CAkey",
        key("root.key"), "-set_serial", "1", "-days", "36500", "-out", key("leaf.pem"), "-extfile",
        key("leaf.cnf"), "-extensions", "leaf")


class Signer:
    def __init__(self, folder):
        crypto = self.crypto = ctypes.CDLL("libcrypto.so.3")
        for name in ("BIO_new_mem_buf", "BIO_new_file", "PEM_read_bio_X509", "CMS_sign",
                "CMS_add1_signer", "PEM_read_bio_PrivateKey"):
            getattr(crypto, name).restype = ctypes.c_void_p
        crypto.BIO_free.argtypes = crypto.CMS_ContentInfo_free.argtypes = [ctypes.c_void_p]
        crypto.CRYPTO_free.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
        self.certificate = self.read("PEM_read_bio_X509", os.path.join(folder, "leaf.pem"))
        self.key = self.read("PEM_read_bio_PrivateKey", os.path.join(folder, "leaf.key"))

    def read(self, function, path):
        bio = self.crypto.BIO_new_file(path.encode(), b"r")
        value = getattr(self.crypto, function)(ctypes.c_void_p(bio), None, None, None)
        self.crypto.BIO_free(bio)
        return ctypes.c_void_p(value)

    def sign(self, octets, moment):
        crypto = self.crypto
        flags = CMS_DETACHED | CMS_BINARY | CMS_NOSMIMECAP | CMS_PARTIAL
        bio = ctypes.c_void_p(crypto.BIO_new_mem_buf(octets, len(octets)))
        cms = ctypes.c_void_p(crypto.CMS_sign(None, None, None, None, flags))
        signer = ctypes.c_void_p(
            crypto.CMS_add1_signer(cms, self.certificate, self.key, None, flags))
        text = time.strftime("%y%m%d%H%M%SZ", time.gmtime(moment)).encode()
        done = crypto.CMS_signed_add1_attr_by_NID(
            signer, NID_SIGNING_TIME, V_ASN1_UTCTIME, text, len(text))
        done = done and crypto.CMS_final(cms, bio, None, flags)
        out = ctypes.c_void_p()
        size = crypto.i2d_CMS_ContentInfo(cms, ctypes.byref(out))
        assert done == 1 and size > 0
        signature = ctypes.string_at(out, size)
        crypto.CRYPTO_free(out, None, 0)
        crypto.CMS_ContentInfo_free(cms)
        crypto.BIO_free(bio)
        return signature


def passes(keys, folder, team):
    signer = Signer(keys)
    for recipe in json.load(sys.stdin):
        # Another picture for another pass, and the same each time.
        noise = random.Random(json.dumps(recipe, sort_keys=True))
        content = dict(formatVersion=1, passTypeIdentifier=recipe["type"],
            serialNumber=recipe["serial"], teamIdentifier=team,
            organizationName=recipe["organization"], description=recipe["description"],
            generic=dict(primaryFields=recipe["fields"]))
        for name in "webServiceURL", "authenticationToken":
            if name in recipe:
                content[name] = recipe[name]
        files = {"pass.json": json.dumps(content).encode(),
            "icon.png": noise.randbytes(recipe["picture"])}
        files["manifest.json"] = json.dumps(
            {name: hashlib.sha1(octets).hexdigest() for name, octets in files.items()}).encode()
        files["signature"] = signer.sign(
            files["manifest.json"], recipe.get("signedAt", time.time()))
        with zipfile.ZipFile(os.path.join(folder, recipe["file"]), "w") as archive:
            for name, octets in files.items():
                archive.writestr(zipfile.ZipInfo(name, (2024, 5, 1, 10, 0, 0)), octets)


globals()[sys.argv[1]](*sys.argv[2:])
