/// Makes passes with distinct contents, signed by a temporary authority whose keys are not stored.
enum PassMakerSource {
    /// Arguments: the output file for the root certificate, a seed, the maximum size of pictures
    /// per pass in bytes, and then folders, each followed by a number of passes.
    static let text = #"""
        #include <openssl/cms.h>
        #include <openssl/pem.h>
        #include <openssl/x509v3.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/wait.h>
        #include <unistd.h>
        #include <zip.h>

        enum { TYPES = 8, FILES = 9 };
        #define TEAM "BENCH00001"
        struct named { X509 *certificate; EVP_PKEY *key; };
        struct file { const char *name; unsigned char *bytes; size_t count; };
        static struct named root, middle, types[TYPES];
        static unsigned char pictures[1 << 20];

        static unsigned long state;
        static unsigned below(unsigned bound) {
            unsigned long word = state += 0x9E3779B97F4A7C15;
            word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9;
            word = (word ^ (word >> 27)) * 0x94D049BB133111EB;
            return (word ^ (word >> 31)) % bound;
        }

        static void extend(X509 *certificate, const char *name, const char *value) {
            ASN1_OBJECT *object = OBJ_txt2obj(name, 0);
            X509_EXTENSION *extension = X509V3_EXT_nconf(NULL, NULL, name, value);
            X509_add_ext(certificate, extension, -1);
            X509_EXTENSION_free(extension);
            ASN1_OBJECT_free(object);
        }

        static struct named certify(const char *name, const char *type, struct named *issuer) {
            struct named made = { X509_new(), EVP_RSA_gen(2048) };
            X509 *certificate = made.certificate;
            X509_set_version(certificate, 2);
            ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1 + below(1 << 30));
            X509_gmtime_adj(X509_getm_notBefore(certificate), -86400);
            X509_gmtime_adj(X509_getm_notAfter(certificate), 86400L * 3650);
            X509_NAME *subject = X509_get_subject_name(certificate);
        #define ADD(key, value) X509_NAME_add_entry_by_txt( \
            subject, key, MBSTRING_UTF8, (const unsigned char *)(value), -1, -1, 0)
            if (type) ADD("UID", type);
            ADD("CN", name);
            ADD("OU", type ? TEAM : "passconduit bench");
            if (!issuer) issuer = &made;
            X509_set_issuer_name(certificate, X509_get_subject_name(issuer->certificate));
            X509_set_pubkey(certificate, made.key);
            extend(certificate, "basicConstraints", type ? "critical,CA:FALSE" : "critical,CA:TRUE");
            extend(certificate, "keyUsage",
                type ? "critical,digitalSignature" : "critical,keyCertSign,cRLSign");
            if (type) {
                char value[200];
                snprintf(value, sizeof value, "ASN1:UTF8String:%s", type);
                extend(certificate, "extendedKeyUsage", "critical,1.2.840.113635.100.4.14");
                extend(certificate, "1.2.840.113635.100.6.1.16", value);
            }
            X509_sign(certificate, issuer->key, EVP_sha256());
            return made;
        }

        static unsigned char *seal(
            int type, const char *manifest, size_t count, size_t *size
        ) {
            STACK_OF(X509) *others = sk_X509_new_null();
            sk_X509_push(others, middle.certificate);
            BIO *content = BIO_new_mem_buf(manifest, (int)count);
            CMS_ContentInfo *cms = CMS_sign(types[type].certificate, types[type].key, others,
                content, CMS_BINARY | CMS_DETACHED | CMS_NOSMIMECAP);
            unsigned char *bytes = NULL;
            *size = i2d_CMS_ContentInfo(cms, &bytes);
            CMS_ContentInfo_free(cms);
            BIO_free(content);
            sk_X509_free(others);
            return bytes;
        }

        static const char *const cities[] = { "Lisbon", "Porto", "Oslo", "Graz", "Lyon", "Turin",
            "Cork", "Ghent", "Basel", "Malmö", "Split", "Bergen", "Gdańsk", "Seville", "Aarhus",
            "Leipzig", "Nantes", "Trieste", "Tartu", "Utrecht" };
        static const char *const names[] = { "Ana", "Boris", "Chiara", "David", "Elif", "Fatma",
            "Georg", "Hanna", "Ivan", "Julia", "Karim", "Lena", "Marek", "Nora", "Omar", "Paula" };

        static const char *pass(long number, int type, char *text, size_t size) {
            const char *from = cities[below(20)], *to = cities[below(20)];
            snprintf(text, size, "{\"formatVersion\":1,\"passTypeIdentifier\":\"pass.example.bench%d\","
                "\"teamIdentifier\":\"" TEAM "\",\"serialNumber\":\"N%07ld\","
                "\"organizationName\":\"Carrier %d\",\"description\":\"Ticket from %s to %s\","
                "\"relevantDate\":\"20%02u-%02u-%02uT%02u:%02u:00Z\","
                "\"backgroundColor\":\"rgb(%u,60,114)\",\"foregroundColor\":\"rgb(255,255,255)\","
                "\"webServiceURL\":\"https://passes.example/v1/\","
                "\"authenticationToken\":\"%08x%08x%08x\",\"barcodes\":[{\"format\":"
                "\"PKBarcodeFormatQR\",\"message\":\"M1%08x%08x\",\"messageEncoding\":\"iso-8859-1\"}],"
                "\"boardingPass\":{\"transitType\":\"PKTransitTypeTrain\",\"headerFields\":[{\"key\":"
                "\"coach\",\"label\":\"Coach\",\"value\":\"%u\"}],\"primaryFields\":[{\"key\":\"from\","
                "\"label\":\"From\",\"value\":\"%s\"},{\"key\":\"to\",\"label\":\"To\",\"value\":\"%s\"}],"
                "\"secondaryFields\":[{\"key\":\"name\",\"label\":\"Passenger\",\"value\":\"%s\"},"
                "{\"key\":\"seat\",\"label\":\"Seat\",\"value\":\"%u%c\"}],\"backFields\":[{\"key\":"
                "\"terms\",\"label\":\"Terms\",\"value\":\"Valid on the day of travel only, with a "
                "document that shows who you are. Changes cost %u euros until departure.\"}]}}",
                type, number, type, from, to, 10 + below(20), 1 + below(12), 1 + below(28), below(24),
                below(60), below(200), below(1u << 31), below(1u << 31), below(1u << 31),
                below(1u << 31), below(1u << 31), 1 + below(20), from, to, names[below(16)],
                1 + below(80), 'A' + below(4), 5 + below(90));
            return text;
        }

        static int write_pass(const char *folder, long number, unsigned most) {
            char json[4096], listed[4096], path[4096];
            const char *strings = "\"Coach\" = \"Wagen\";\n\"Seat\" = \"Platz\";\n\"From\" = \"Von\";\n";
            int type = (int)(number % TYPES);
            struct file files[FILES] = { { "pass.json", (void *)json, 0 },
                { "de.lproj/pass.strings", (void *)strings, strlen(strings) } };
            const char *images[] = { "icon.png", "icon@2x.png", "logo.png", "logo@2x.png",
                "footer@2x.png" };
            files[0].count = strlen(pass(number, type, json, sizeof json));
            unsigned room = most / 4 + below(most * 3 / 4);
            for (int index = 0; index < 5; index++) {
                size_t size = room / 16 * (index * 2 + 1) / 25 * 16 + 64;
                files[2 + index] = (struct file){ images[index],
                    pictures + below(sizeof pictures - size), size };
            }
            size_t length = 0, size;
            for (int index = 0; index < 7; index++) {
                unsigned char digest[20];
                SHA1(files[index].bytes, files[index].count, digest);
                length += sprintf(listed + length, "%s\"%s\":\"", index ? ",\n" : "{", files[index].name);
                for (int byte = 0; byte < 20; byte++)
                    length += sprintf(listed + length, "%02x", digest[byte]);
                listed[length++] = '"';
            }
            listed[length++] = '}';
            unsigned char *signature = seal(type, listed, length, &size);
            files[7] = (struct file){ "manifest.json", (void *)listed, length };
            files[8] = (struct file){ "signature", signature, size };
            snprintf(path, sizeof path, "%s/%07ld.pkpass", folder, number);
            int error;
            zip_t *archive = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &error);
            if (!archive) return 0;
            for (int index = 0; index < FILES; index++)
                zip_file_add(archive, files[index].name, zip_source_buffer(
                    archive, files[index].bytes, files[index].count, 0), 0);
            int closed = zip_close(archive);
            OPENSSL_free(signature);
            return closed == 0;
        }

        int main(int count, char **words) {
            if (count < 4) return 2;
            unsigned long seed = strtoul(words[2], NULL, 10);
            unsigned most = (unsigned)atoi(words[3]);
            state = seed;
            for (size_t index = 0; index < sizeof pictures; index++)
                pictures[index] = (unsigned char)below(256);
            root = certify("passconduit bench root, not Apple", NULL, NULL);
            middle = certify("passconduit bench intermediate", NULL, &root);
            for (int index = 0; index < TYPES; index++) {
                char name[200], type[100];
                snprintf(type, sizeof type, "pass.example.bench%d", index);
                snprintf(name, sizeof name, "Pass Type ID: %s", type);
                types[index] = certify(name, type, &middle);
            }
            FILE *pem = fopen(words[1], "w");
            if (!pem || !PEM_write_X509(pem, root.certificate) || fclose(pem)) return 1;
            // As many processes as there are cores, each with its share.
            long cores = sysconf(_SC_NPROCESSORS_ONLN);
            for (long core = 0; core < cores; core++) {
                if (fork()) continue;
                long number = 0;
                for (int word = 4; word + 1 < count; word += 2)
                    for (long end = number + atol(words[word + 1]); number < end; number++) {
                        if (number % cores != core) continue;
                        state = seed + (unsigned long)number * 1000003;
                        if (!write_pass(words[word], number, most)) _exit(1);
                    }
                _exit(0);
            }
            int status, failed = 0;
            while (wait(&status) > 0) failed |= status != 0;
            return failed;
        }
        """#
}
