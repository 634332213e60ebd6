package siemload.database.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import siemload.database.IndexSet;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.SqlStatement;

/**
 * The tables of one data set, or of one run's copy of it, in the user's own schema: their names and the statements for
 * them. Immutable and thread-safe.
 *
 * @param prefix how their names begin
 */
record TableGroup(String prefix, Tablespaces tablespaces) {
    static final SqlFiles FILES = new SqlFiles(TableGroup.class);

    private static final List<String> TABLES = List.of("event", "addr", "list");
    private static final List<String> NAMES = List.of(
            "event",
            "addr",
            "list",
            "event_pk",
            "addr_event",
            "list_event",
            "event_time",
            "event_receipt",
            "event_source",
            "event_target",
            "event_category",
            "event_device",
            "event_source_port",
            "event_target_port");

    /** The name of a table or index in the database. */
    String name(String object) {
        return prefix + "_" + object.toUpperCase(Locale.ROOT);
    }

    /** The names and clauses that the files of the layout leave open. */
    Map<String, String> parts() {
        Map<String, String> parts = new HashMap<>(tablespaces.clauses());
        NAMES.forEach(object -> parts.put(object, name(object)));
        return parts;
    }

    /** A statement of the layout for these tables. */
    SqlStatement statement(String file) {
        return FILES.read("arc_event/" + file + ".sql", parts());
    }

    /** Creates the empty tables. */
    void create(Connection connection) throws SQLException {
        for (String table : TABLES) {
            execute(connection, statement("table-" + table).sql());
        }
    }

    /** Makes room for the events that the days do not reach, unless there is some. */
    void addLatePartition(Connection connection) throws SQLException {
        if (count(connection, statement("find-late-partition"), name("event")) > 0) {
            return;
        }
        for (Step step : steps("late-partition")) {
            execute(connection, step.sql());
        }
    }

    /** Fills these empty tables with the rows of others. */
    void copyFrom(TableGroup kept, Connection connection) throws SQLException {
        Map<String, String> parts = parts();
        TABLES.forEach(table -> parts.put("kept_" + table, kept.name(table)));
        for (String table : TABLES) {
            execute(
                    connection,
                    FILES.read("arc_event/copy-" + table + ".sql", parts).sql());
        }
        if (count(connection, FILES.read("arc_event/count-late.sql", parts)) > 0) {
            addLatePartition(connection);
            execute(connection, FILES.read("arc_event/copy-late.sql", parts).sql());
        }
    }

    /** Builds the keys and the indexes, then collects statistics. */
    void complete(Connection connection, IndexSet indexes, Consumer<String> told) throws SQLException {
        for (Step step : indexSteps(indexes)) {
            told.accept(step.name());
            execute(connection, step.sql());
        }
        told.accept("statistics");
        gatherStatistics(connection);
    }

    void gatherStatistics(Connection connection) throws SQLException {
        try (PreparedStatement gather =
                connection.prepareStatement(statement("statistics").sql())) {
            for (String table : TABLES) {
                gather.setString(1, name(table));
                gather.execute();
            }
        }
    }

    /** The steps that build the keys and the indexes. */
    List<Step> indexSteps(IndexSet indexes) {
        List<Step> steps = new ArrayList<>(steps("keys"));
        if (indexes != IndexSet.NONE) {
            steps.addAll(steps("indexes-" + indexes.label()));
        }
        return steps;
    }

    /** Drops whichever of the keys and the indexes are there. */
    void dropIndexes(Connection connection, IndexSet indexes) throws SQLException {
        for (Step step : indexSteps(indexes)) {
            String object = step.name().substring(step.name().lastIndexOf(' ') + 1);
            String file = step.name().startsWith("index ") ? "drop-index" : "drop-key";
            Map<String, String> parts = parts();
            parts.put("index", name(object));
            try {
                execute(
                        connection,
                        FILES.read("arc_event/" + file + ".sql", parts).sql());
            } catch (SQLException e) {
                if (!OracleErrors.isMissingIndex(e)) {
                    throw e;
                }
            }
        }
    }

    /** Deletes all rows of the tables, one by one, in one transaction. @return how many events there were */
    long deleteAll(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        long deleted = 0;
        for (String table : List.of("list", "addr", "event")) {
            try (Statement statement = connection.createStatement()) {
                deleted = statement.executeLargeUpdate(
                        FILES.read("arc_event/delete-all.sql", Map.of("table", name(table)))
                                .sql());
            }
        }
        connection.commit();
        return deleted;
    }

    /** Drops whichever of these tables are there. */
    static void drop(List<String> tables, Connection connection) throws SQLException {
        for (String table : tables) {
            try {
                execute(
                        connection,
                        FILES.read("arc_event/drop-table.sql", Map.of("table", table))
                                .sql());
            } catch (SQLException e) {
                if (!OracleErrors.isMissingTable(e)) {
                    throw e;
                }
            }
        }
    }

    /** How many events are stored. */
    long events(Connection connection) throws SQLException {
        return count(connection, statement("events"));
    }

    private static long count(Connection connection, SqlStatement question, String... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(question.sql())) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            try (var row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The statements of a file; each has its name in the comment line before it, where it has one. */
    private List<Step> steps(String file) {
        List<Step> steps = new ArrayList<>();
        for (String part : FILES.filled("arc_event/" + file + ".sql", parts()).split(";\\s*", -1)) {
            if (!part.isBlank()) {
                String[] lines = part.strip().split("\\R", 2);
                boolean named = lines[0].startsWith("-- ");
                steps.add(named ? new Step(lines[0].substring(3), lines[1]) : new Step(file, part.strip()));
            }
        }
        return steps;
    }

    /**
     * One statement of a file of several.
     *
     * @param name what it makes, for people: {@code index event_time}
     */
    record Step(String name, String sql) {}
}
