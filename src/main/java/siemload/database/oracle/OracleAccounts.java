package siemload.database.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import siemload.database.AccountScale;
import siemload.database.AccountSession;
import siemload.database.Accounts;
import siemload.database.Books;
import siemload.database.server.RunCopy;
import siemload.database.sql.AccountStatements;
import siemload.database.sql.AccountStatements.Reading;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlAccountSession;
import siemload.database.sql.SqlStatement;

/** Four tables beside those of a run's events, whose names begin alike and which are dropped with them. */
record OracleAccounts(OracleConnections connections, RunCopy copy, TableGroup tables) implements Accounts {
    private static final List<String> TABLES = List.of("account", "teller", "branch", "history");
    /** Deadlock; cannot serialize access. */
    private static final Set<String> CONFLICTS = Set.of("ORA-00060", "ORA-08177");

    private static final int BATCH = 10_000;

    @Override
    public void fill(AccountScale scale, LongConsumer filled) {
        connections
                .maintenance()
                .run("fill the accounts beside " + copy.tables().place(), connection -> {
                    for (String table : TABLES) {
                        statement("table-" + table).execute(connection);
                    }
                    copy.made(RegisteredTables.identity(tables.prefix(), connection));
                    connection.setAutoCommit(false);
                    insert(connection, "fill-account", scale.accounts(), AccountScale::branchOfAccount, filled);
                    insert(connection, "fill-teller", scale.tellers(), AccountScale::branchOfTeller, unused -> {});
                    insert(connection, "fill-branch", scale.branches(), branch -> branch, unused -> {});
                    connection.setAutoCommit(true);
                    for (String table : TABLES) {
                        statement("key-" + table).execute(connection);
                    }
                    SqlStatement statistics = tables.ofEvents("statistics");
                    try (PreparedStatement gather = connection.prepareStatement(statistics.sql())) {
                        for (String table : TABLES) {
                            gather.setString(1, tables.name(table));
                            gather.execute();
                        }
                    }
                });
    }

    private void insert(Connection connection, String file, long rows, LongUnaryOperator branch, LongConsumer inserted)
            throws SQLException {
        SqlStatement text = statement(file);
        try (PreparedStatement insert = connection.prepareStatement(text.sql())) {
            for (long row = 1; row <= rows; row++) {
                insert.setLong(1, row);
                if (text.values().size() > 1) {
                    insert.setLong(2, branch.applyAsLong(row));
                }
                insert.addBatch();
                if (row % BATCH == 0 || row == rows) {
                    int[] unused = insert.executeBatch();
                    connection.commit();
                    inserted.accept(row);
                }
            }
        }
    }

    @Override
    public AccountSession openSession() {
        RunConnection connection = connections.ofRun().connected("open a session for transactions");
        return new SqlAccountSession(
                connection, AccountStatements.of(this::statement), Reading.BEFORE_CHANGE, CONFLICTS::contains);
    }

    @Override
    public Books books() {
        return connections
                .maintenance()
                .get(
                        "add up the accounts beside " + copy.tables().place(),
                        connection -> AccountStatements.books(connection, statement("books")));
    }

    private SqlStatement statement(String file) {
        return TableGroup.FILES.read("accounts/" + file + ".sql", parts(tables));
    }

    /** The names and clauses that the files leave open. */
    static Map<String, String> parts(TableGroup tables) {
        return tables.parts(TABLES.stream()
                .flatMap(table -> Stream.of(table, table + "_pk"))
                .toList());
    }
}
