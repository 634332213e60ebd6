package siemload.database.oracle;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import siemload.database.ServerUse;
import siemload.database.ServerUseSampler;

/** Finds out who uses a server, over one connection. Used by one thread. */
final class OracleServerUse {
    private final Statement statement;
    private final List<String> others = new ArrayList<>();
    private final Set<String> gaps = new LinkedHashSet<>();

    private OracleServerUse(Statement statement) {
        this.statement = statement;
    }

    /** Takes about a second. */
    static ServerUse at(OracleConnections connections) {
        try (Connection connection = connections.openQuick();
                Statement statement = connection.createStatement()) {
            return new OracleServerUse(statement).use();
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot see who uses the server", e);
        }
    }

    private ServerUse use() {
        ServerUseSampler.Seen seen = new ServerUseSampler(
                        this::working, () -> number("commits", "v$sysstat").orElse(0))
                .look();
        return new ServerUse(
                List.of(
                        "tables SL_... for the data set in its own schema, kept for later runs",
                        "tables SL_... that are a copy of them, dropped at the end",
                        "a table SIEMLOAD_TABLES that lists what it has made, kept"),
                "",
                number("quota", "user_ts_quotas"),
                others,
                seen.working(),
                seen.perSecond(),
                List.copyOf(gaps));
    }

    private double working() {
        others.clear();
        long working = 0;
        try (ResultSet rows = statement.executeQuery(text("other-sessions"))) {
            while (rows.next()) {
                working += rows.getLong("working");
                others.add(rows.getString("program") + " of " + rows.getString("username") + " ("
                        + rows.getLong("sessions") + " sessions)");
            }
        } catch (SQLException invisible) {
            gaps.add("v$session (GRANT SELECT ON v_$session)");
        }
        return working;
    }

    private OptionalLong number(String file, String view) {
        try (ResultSet row = statement.executeQuery(text(file))) {
            row.next();
            long number = row.getLong(1);
            return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(number);
        } catch (SQLException invisible) {
            gaps.add(view + " (an administrator may grant SELECT on it)");
            return OptionalLong.empty();
        }
    }

    private static String text(String file) {
        return TableGroup.FILES.read("server/" + file + ".sql").sql();
    }
}
