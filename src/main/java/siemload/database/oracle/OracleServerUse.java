package siemload.database.oracle;

import java.sql.Connection;
import java.util.List;
import java.util.OptionalLong;
import siemload.database.ServerUse;
import siemload.database.server.ServerUseSurvey;
import siemload.database.server.ServerUseSurvey.Client;
import siemload.database.server.ServerUseSurvey.Question;
import siemload.database.sql.SqlStatement.RowReading;

/** Finds out who uses a server, over one connection. Used by one thread. */
record OracleServerUse(Connection connection) {

    /** Takes about a second. */
    static ServerUse at(OracleConnections connections) {
        return connections
                .quick()
                .get("see who uses the server", connection -> new OracleServerUse(connection).use());
    }

    private ServerUse use() {
        return ServerUseSurvey.of(
                List.of(
                        "tables SL_... for the data set in its own schema, kept for later runs",
                        "tables SL_... that are a copy of them, dropped at the end",
                        "a table SIEMLOAD_TABLES that lists what it has made, kept"),
                "",
                new Question<>(
                        () -> rows(
                                "other-sessions",
                                row -> new Client(
                                        row.getString("program") + " of " + row.getString("username") + " ("
                                                + row.getLong("sessions") + " sessions)",
                                        row.getLong("working"))),
                        List.of(),
                        "v$session (GRANT SELECT ON v_$session)"),
                new Question<>(() -> number("commits").orElse(0), 0L, gap("v$sysstat")),
                new Question<>(() -> number("quota"), OptionalLong.empty(), gap("user_ts_quotas")));
    }

    private static String gap(String view) {
        return view + " (an administrator may grant SELECT on it)";
    }

    private OptionalLong number(String file) {
        return rows(file, row -> {
                    long number = row.getLong(1);
                    return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(number);
                })
                .get(0);
    }

    private <T> List<T> rows(String file, RowReading<T> reading) {
        return OracleErrors.INSTANCE.attempt(
                "see the " + file,
                () -> TableGroup.FILES.read("server/" + file + ".sql").rows(connection, reading));
    }
}
