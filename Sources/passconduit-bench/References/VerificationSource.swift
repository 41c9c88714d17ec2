/// The minimum work of verifying a pass: opening the archive, inflating and hashing each file with
/// SHA-1, and the RSA operations for the signature and two certificates. Nothing is cached between
/// passes, so a program that caches certificates can be faster than this.
enum VerificationSource {
    /// Arguments: the root certificate, and passes or a folder of them.
    static let text = #"""
        #include <dirent.h>
        #include <openssl/cms.h>
        #include <openssl/pem.h>
        #include <stdio.h>
        #include <string.h>
        #include <zip.h>

        static EVP_PKEY *root;
        static unsigned char piece[64 << 10], signature[1 << 20];

        static int certified(X509 *certificate, STACK_OF(X509) *others) {
            if (X509_verify(certificate, root) == 1) return 1;
            for (int index = 0; index < sk_X509_num(others); index++) {
                X509 *issuer = sk_X509_value(others, index);
                if (X509_check_issued(issuer, certificate) != X509_V_OK) continue;
                return X509_verify(certificate, X509_get0_pubkey(issuer)) == 1
                    && X509_verify(issuer, root) == 1;
            }
            return 0;
        }

        static int signed_by(const unsigned char *bytes, long count) {
            CMS_ContentInfo *cms = d2i_CMS_ContentInfo(NULL, &bytes, count);
            if (!cms) return 0;
            STACK_OF(X509) *certificates = CMS_get1_certs(cms);
            CMS_set1_signers_certs(cms, NULL, 0);
            CMS_SignerInfo *signer = sk_CMS_SignerInfo_value(CMS_get0_SignerInfos(cms), 0);
            X509 *certificate;
            CMS_SignerInfo_get0_algs(signer, NULL, &certificate, NULL, NULL);
            int good = CMS_SignerInfo_verify(signer) == 1 && certified(certificate, certificates);
            sk_X509_pop_free(certificates, X509_free);
            CMS_ContentInfo_free(cms);
            return good;
        }

        static int verify(const char *path) {
            int error;
            zip_t *archive = zip_open(path, ZIP_RDONLY, &error);
            if (!archive) return 0;
            EVP_MD_CTX *hash = EVP_MD_CTX_new();
            unsigned char digest[EVP_MAX_MD_SIZE];
            long count = 0, got, total = zip_get_num_entries(archive, 0);
            for (long index = 0; index < total; index++) {
                zip_file_t *file = zip_fopen_index(archive, index, 0);
                if (!file) return 0;
                int wanted = !strcmp(zip_get_name(archive, index, 0), "signature");
                EVP_DigestInit_ex(hash, EVP_sha1(), NULL);
                while ((got = zip_fread(file, piece, sizeof piece)) > 0) {
                    EVP_DigestUpdate(hash, piece, got);
                    if (wanted && count + got <= (long)sizeof signature)
                        memcpy(signature + count, piece, got), count += got;
                }
                if (got < 0) return 0;
                EVP_DigestFinal_ex(hash, digest, NULL);
                zip_fclose(file);
            }
            EVP_MD_CTX_free(hash);
            zip_discard(archive);
            return signed_by(signature, count);
        }

        int main(int count, char **paths) {
            FILE *pem = count > 2 ? fopen(paths[1], "r") : NULL;
            X509 *certificate = pem ? PEM_read_X509(pem, NULL, NULL, NULL) : NULL;
            if (!certificate) return 2;
            root = X509_get0_pubkey(certificate);
            for (int index = 2; index < count; index++) {
                DIR *folder = opendir(paths[index]);
                if (!folder) {
                    if (!verify(paths[index])) return 1;
                    continue;
                }
                struct dirent *entry;
                char path[4096];
                while ((entry = readdir(folder))) {
                    if (entry->d_name[0] == '.') continue;
                    snprintf(path, sizeof path, "%s/%s", paths[index], entry->d_name);
                    if (!verify(path)) return 1;
                }
                closedir(folder);
            }
            return 0;
        }
        """#
}
