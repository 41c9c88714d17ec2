/// Programs that sign passes without passconduit.
enum SigningSources {
    /// Signs a pass for each row of a piece, with Python's cryptography or with an openssl process
    /// per pass. The images are hashed once, and their part of the archives is written once.
    ///
    /// Arguments: `cryptography` or `openssl`, the folder of the piece, the file for the last pass.
    static let sign = #"""
        import csv, hashlib, io, json, os, re, subprocess, sys, zipfile

        signer, piece, sample = sys.argv[1:]

        def path(name): return os.path.join(piece, name)

        def read(name):
            with open(path(name), "rb") as file: return file.read()

        if signer == "cryptography":
            from cryptography import x509
            from cryptography.hazmat.primitives import hashes, serialization
            from cryptography.hazmat.primitives.serialization import pkcs7
            end = b"-----END CERTIFICATE-----\n"
            leaf, issuer = (
                x509.load_pem_x509_certificate(text + end)
                for text in read("certificates.pem").split(end)[:2])
            key = serialization.load_pem_private_key(read("key.pem"), None)
            options = [
                pkcs7.PKCS7Options.DetachedSignature, pkcs7.PKCS7Options.Binary,
                pkcs7.PKCS7Options.NoCapabilities]

            def sign(manifest):
                return (pkcs7.PKCS7SignatureBuilder().set_data(manifest)
                    .add_signer(leaf, key, hashes.SHA256()).add_certificate(issuer)
                    .sign(serialization.Encoding.DER, options))
        else:
            words = [
                "openssl", "cms", "-sign", "-binary", "-nosmimecap", "-md", "sha256",
                "-outform", "DER", "-signer", path("certificates.pem"), "-inkey", path("key.pem"),
                "-certfile", path("issuer.pem")]

            def sign(manifest):
                return subprocess.run(words, input=manifest, capture_output=True, check=True).stdout

        # The template in pieces: texts at even places, columns at odd ones.
        pieces = re.split(r'("?\{\{\w+(?::number)?\}\}"?)', read("Event.pass/pass.json").decode())
        columns = [re.fullmatch(r'("?)\{\{(\w+)(:number)?\}\}("?)', each) for each in pieces[1::2]]

        def value(row, column):
            before, name, is_number, after = column.groups()
            if is_number: return str(int(row[name]))
            return before + json.dumps(row[name], ensure_ascii=False)[1:-1] + after

        def filled(row):
            values = (value(row, column) for column in columns)
            texts = iter(pieces[::2])
            return (next(texts) + "".join(each + next(texts) for each in values)).encode()

        hashed = {}
        shared = io.BytesIO()
        with zipfile.ZipFile(shared, "w") as archive:
            for folder, _, names in os.walk(path("Event.pass")):
                for name in names:
                    file = os.path.relpath(os.path.join(folder, name), path("Event.pass"))
                    if file == "pass.json": continue
                    content = read(os.path.join("Event.pass", file))
                    hashed[file] = hashlib.sha1(content).hexdigest()
                    archive.writestr(zipfile.ZipInfo(file), content)
            begun, entries = shared.getvalue()[:archive.start_dir], archive.filelist

        def packed(files):
            space = io.BytesIO()
            with zipfile.ZipFile(space, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
                space.write(begun)
                archive.start_dir = len(begun)
                archive.filelist.extend(entries)
                for name, content in files.items():
                    entry = zipfile.ZipInfo(name)
                    if name != "signature": entry.compress_type = zipfile.ZIP_DEFLATED
                    archive.writestr(entry, content, compresslevel=1)
            return space.getvalue()

        count = 0
        with open(path("rows.csv"), newline="", encoding="utf-8") as rows:
            for row in csv.DictReader(rows):
                content = filled(row)
                hashed["pass.json"] = hashlib.sha1(content).hexdigest()
                manifest = json.dumps(hashed).encode()
                last = packed({
                    "pass.json": content, "manifest.json": manifest, "signature": sign(manifest)})
                count += 1
        with open(sample, "wb") as file: file.write(last)
        print(count)

        """#

    /// Compares the files of a pass with its manifest, and extracts manifest and signature.
    ///
    /// Arguments: the pass, and the folder to extract to.
    static let unpack = #"""
        import hashlib, json, os, sys, zipfile

        with zipfile.ZipFile(sys.argv[1]) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        made = {name: files.pop(name) for name in ("manifest.json", "signature")}
        found = {name: hashlib.sha1(content).hexdigest() for name, content in files.items()}
        if found != json.loads(made["manifest.json"]): sys.exit("the manifest is wrong")
        serial = json.loads(files["pass.json"])["serialNumber"]
        if not serial.startswith("N0"): sys.exit("the serial number is wrong")
        for name, content in made.items():
            with open(os.path.join(sys.argv[2], name), "wb") as file: file.write(content)

        """#
}
