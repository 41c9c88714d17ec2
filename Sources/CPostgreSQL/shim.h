#include <libpq-fe.h>

/* Without it, libpq prints the notices of the server to standard error. */
static void postgresql_ignore_notice(void *owner, const PGresult *notice) {
    (void)owner;
    (void)notice;
}

static inline void postgresql_ignore_notices(PGconn *connection) {
    PQsetNoticeReceiver(connection, postgresql_ignore_notice, NULL);
}
