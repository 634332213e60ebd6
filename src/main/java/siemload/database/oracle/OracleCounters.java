package siemload.database.oracle;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import siemload.database.Counters;
import siemload.database.Counters.CheckpointReading;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.CounterReading.Blocks;
import siemload.database.Counters.CounterReading.Category;
import siemload.database.Counters.CounterReading.Io;
import siemload.database.Counters.CounterReading.Relation;
import siemload.database.StatementStore.StatementSource;
import siemload.database.StatementStore.StatementTime;
import siemload.database.oracle.CountedObjects.Question;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlStatement.RowReading;

/**
 * Reads the dynamic performance views. Each needs a right that an administrator grants; what this user may not see is
 * left out and not asked for again. Reads and writes are blocks of the files; of the redo log, they are writes.
 */
final class OracleCounters implements Counters {
    private static final Question START = new Question("v$instance", "start", List.of());
    private static final Question SYSTEM = new Question("v$sysstat", "system", List.of());
    private static final Question SGA = new Question("v$sga", "sga", List.of());
    private static final Question PGA = new Question("v$pgastat", "pga", List.of());
    private static final Question FILES = new Question(
            "v$filestat, v$tempstat, dba_data_files, dba_temp_files or dba_tablespaces", "files", List.of());

    private final RunConnection connection;
    private final CountedObjects objects;
    private final OracleStatementTimes statements;
    private final Map<String, String> refused = new LinkedHashMap<>();

    OracleCounters(RunConnection connection, CountedObjects objects) {
        this.connection = connection;
        this.objects = objects;
        this.statements = new OracleStatementTimes(objects.statements());
    }

    @Override
    public CounterReading read() {
        return connection.answer(open -> {
            Map<String, Long> system = new HashMap<>();
            ask(open, SYSTEM, row -> system.put("v$sysstat." + row.getString(1), row.getLong(2)));
            Map<String, Io> files = new HashMap<>();
            ask(open, FILES, row -> {
                Io io = new Io(row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5), 0);
                return files.put(row.getString(1), io);
            });
            Segments segments = new Segments();
            ask(open, objects.segments(), segments::add);
            Map<String, Long> memory = new HashMap<>();
            ask(open, SGA, row -> memory.put("v$sga", row.getLong(1)));
            ask(open, PGA, row -> memory.put("v$pgastat." + row.getString(1), row.getLong(2)));
            StringBuilder started = new StringBuilder();
            ask(open, START, row -> started.append(row.getString(1)));
            Map<String, StatementTime> times = new HashMap<>();
            unlessRefused(objects.statements().views(), () -> times.putAll(statements.read(open)));
            return reading(system, files, segments).with(times).holding(memory).startedAt(started.toString());
        });
    }

    @Override
    public StatementSource statements() {
        String views = objects.statements().views();
        return refused.containsKey(views)
                ? StatementSource.none(refusal(views))
                : StatementSource.of(
                        views, "parsing, planning, execution and fetching, as elapsed time in the instance");
    }

    @Override
    public List<String> gaps() {
        List<String> gaps = new ArrayList<>();
        refused.keySet().stream()
                .filter(what -> !what.equals(objects.statements().views()))
                .forEach(what -> gaps.add(refusal(what)));
        return gaps;
    }

    private String refusal(String what) {
        return "this user may not see " + what + " (an administrator may grant SELECT on it, or the role"
                + " SELECT_CATALOG_ROLE): " + refused.get(what);
    }

    @Override
    public void close() {
        connection.close();
    }

    private void ask(Connection open, Question question, RowReading<?> taker) throws SQLException {
        unlessRefused(question.views(), () -> question.statement().rows(open, taker, question.given()));
    }

    /** A question about views. */
    @FunctionalInterface
    private interface Asking {
        void ask() throws SQLException;
    }

    private void unlessRefused(String views, Asking question) throws SQLException {
        if (refused.containsKey(views)) {
            return;
        }
        try {
            question.ask();
        } catch (SQLException e) {
            if (OracleErrors.INSTANCE.isLost(e)) {
                throw e;
            }
            refused.put(
                    views, String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
    }

    /** Tables and indexes. */
    static final class Segments {
        private final Map<Relation, Io> io = new HashMap<>();

        Io add(ResultSet row) throws SQLException {
            return add(row.getString(1), row.getString(2), row.getString(3), row.getLong(4), row.getLong(5));
        }

        /** Hits are logical reads less physical ones, which are known only when both rows were seen. */
        Io add(String name, String type, String statistic, long blocks, long blockSize) {
            Relation.Kind kind = type.startsWith("INDEX") ? Relation.Kind.INDEX : Relation.Kind.TABLE;
            Io counted = switch (statistic) {
                case "physical reads" -> new Io(blocks, blocks * blockSize, 0, 0, -blocks);
                case "physical writes" -> new Io(0, 0, blocks, blocks * blockSize, 0);
                default -> new Io(0, 0, 0, 0, blocks);
            };
            return io.merge(new Relation(name, kind), counted, Io::plus);
        }

        Io of(Relation.Kind kind) {
            Io sum = Io.NONE;
            for (Map.Entry<Relation, Io> relation : io.entrySet()) {
                if (relation.getKey().kind() == kind) {
                    sum = sum.plus(relation.getValue());
                }
            }
            return sum;
        }

        Map<Relation, Blocks> relations() {
            Map<Relation, Blocks> relations = new HashMap<>();
            io.forEach((relation, counted) ->
                    relations.put(relation, new Blocks(counted.reads(), Math.max(0, counted.hits()))));
            return relations;
        }
    }

    /** What the views come to; a category that could not be seen is missing. */
    static CounterReading reading(Map<String, Long> system, Map<String, Io> files, Segments segments) {
        Map<Category, Io> io = new EnumMap<>(Category.class);
        Io data = segments.of(Relation.Kind.TABLE);
        Io index = segments.of(Relation.Kind.INDEX);
        if (!segments.io.isEmpty()) {
            io.put(Category.DATA, data);
            io.put(Category.INDEX, index);
        }
        if (!system.isEmpty()) {
            long writes = system.getOrDefault("v$sysstat.redo writes", 0L);
            io.put(Category.REDO, new Io(0, 0, writes, system.getOrDefault("v$sysstat.redo size", 0L), 0));
        }
        files.forEach((contents, counted) -> {
            switch (contents) {
                case "UNDO" -> io.put(Category.UNDO, counted);
                case "TEMPORARY" -> io.put(Category.TEMP, counted);
                default -> io.merge(Category.REST, counted, Io::plus);
            }
        });
        io.computeIfPresent(Category.REST, (rest, all) -> all.less(data).less(index));
        Map<String, Long> counters = new HashMap<>(system);
        named(system, "background checkpoints completed")
                .ifPresent(completed -> counters.putAll(new CheckpointReading(
                                completed,
                                OptionalDouble.empty(),
                                named(system, "DBWR checkpoint buffers written"),
                                OptionalLong.empty(),
                                OptionalLong.empty())
                        .counters()));
        return new CounterReading(io, segments.relations(), counters);
    }

    private static OptionalLong named(Map<String, Long> system, String statistic) {
        Long value = system.get("v$sysstat." + statistic);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }
}
