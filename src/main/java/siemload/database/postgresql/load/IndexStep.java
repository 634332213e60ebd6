package siemload.database.postgresql.load;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import siemload.database.IndexSet;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.connection.SqlTemplate;
import siemload.database.postgresql.layout.Layout;

/**
 * One statement after a load.
 *
 * @param name what it makes, for people: {@code index events_detect_time}
 */
public record IndexStep(String name, String sql) {

    /** The steps of an index set in their order. */
    public static List<IndexStep> of(Layout layout, IndexSet indexes) {
        List<IndexStep> steps = new ArrayList<>();
        String set = "indexes-" + indexes.label();
        for (String file : List.of("primary-keys", "keys-address", set, set + "-address")) {
            if (layout.has(file)) {
                steps.addAll(read(layout.text(file)));
            }
        }
        return steps;
    }

    /** Takes it. @throws TargetException if it needs an extension that the server does not give */
    public void run(Connection connection) throws SQLException {
        try {
            SqlTemplate.execute(connection, sql);
        } catch (SQLException e) {
            if (name.startsWith("extension ")) {
                throw PostgresqlErrors.missingExtension(name, e);
            }
            throw e;
        }
    }

    /** Each statement of the file has its name in the comment line before it. */
    private static List<IndexStep> read(String text) {
        List<IndexStep> steps = new ArrayList<>();
        for (String part : text.split(";\\s*", -1)) {
            if (!part.isBlank()) {
                String[] lines = part.strip().split("\\R", 2);
                steps.add(new IndexStep(lines[0].substring("-- ".length()), lines[1]));
            }
        }
        return steps;
    }
}
