/** Accounts in PostgreSQL: tables, loading by COPY, transactions, checkpoints. Start at {@code PostgresqlAccounts}. */
@NullMarked
package siemload.database.postgresql.accounts;

import org.jspecify.annotations.NullMarked;
