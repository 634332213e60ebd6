package siemload.database.postgresql;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import siemload.database.CheckpointReading;
import siemload.database.CounterReading;
import siemload.database.CounterReading.Blocks;
import siemload.database.CounterReading.Category;
import siemload.database.CounterReading.Io;
import siemload.database.CounterReading.Relation;
import siemload.database.SessionCounts;

/**
 * The rows of the server's statistics views, and what they mean as input and output. PostgreSQL has no undo log: old
 * versions of rows lie in the tables. Used by one thread.
 */
final class StatisticsViews {
    /** Numbers that go up and down, or never change. */
    private static final Set<String> LEVELS = Set.of("datid", "numbackends", "op_bytes");

    private final Map<Relation, Blocks> relations = new HashMap<>();
    private final Map<String, Long> counters = new HashMap<>();
    private long bytesOfAnIo = 1;
    private String start = "";
    private final SessionCounts sessions;

    /** @param sessions those found by all readings so far */
    StatisticsViews(SessionCounts sessions) {
        this.sessions = sessions;
    }

    /** Takes {@code counters-relations.sql}. */
    void addRelations(ResultSet row) throws SQLException {
        while (row.next()) {
            Relation relation = new Relation(row.getString(1), Relation.Kind.valueOf(row.getString(2)));
            relations.put(relation, new Blocks(row.getLong(3), row.getLong(4)));
        }
    }

    /** Takes {@code counters-start.sql}. */
    void setStart(ResultSet row) throws SQLException {
        row.next();
        start = row.getString(1);
    }

    /** Takes {@code counters-sessions.sql}. */
    void addSessions(ResultSet row) throws SQLException {
        Map<String, Long> found = new HashMap<>();
        while (row.next()) {
            found.put(row.getString(1), row.getLong(2));
        }
        sessions.add(found);
        counters.putAll(sessions.counters());
    }

    /** Takes what was counted of checkpoints. */
    void addCheckpoints(CheckpointReading checkpoints) {
        counters.putAll(checkpoints.counters());
    }

    /** Takes a view with its own columns behind the column {@code source}, which is the first part of their names. */
    void addCounters(ResultSet row) throws SQLException {
        ResultSetMetaData columns = row.getMetaData();
        Map<Integer, String> numbers = new LinkedHashMap<>();
        OptionalInt bytesColumn = OptionalInt.empty();
        for (int column = 2; column <= columns.getColumnCount(); column++) {
            String name = columns.getColumnName(column);
            if (isNumber(columns.getColumnType(column)) && !LEVELS.contains(name)) {
                numbers.put(column, "." + name);
            } else if (name.equals("op_bytes")) {
                bytesColumn = OptionalInt.of(column);
            }
        }
        while (row.next()) {
            String source = row.getString(1);
            for (Map.Entry<Integer, String> column : numbers.entrySet()) {
                double value = row.getDouble(column.getKey());
                if (!row.wasNull()) {
                    counters.put(source + column.getValue(), Math.round(value));
                }
            }
            if (bytesColumn.isPresent() && row.getLong(bytesColumn.getAsInt()) > 0) {
                bytesOfAnIo = row.getLong(bytesColumn.getAsInt());
            }
        }
    }

    private static boolean isNumber(int type) {
        return switch (type) {
            case Types.INTEGER, Types.BIGINT, Types.NUMERIC, Types.DOUBLE -> true;
            default -> false;
        };
    }

    /** Reads all views. */
    CounterReading reading(long blockSize) {
        Map<Category, Io> io = new EnumMap<>(Category.class);
        Io data = ofRelations(Relation.Kind.TABLE, blockSize);
        Io index = ofRelations(Relation.Kind.INDEX, blockSize);
        io.put(Category.DATA, data);
        io.put(Category.INDEX, index);
        io.put(Category.REDO, redo());
        io.put(Category.TEMP, temp(blockSize));
        io.put(Category.REST, rest(data, index, blockSize));
        return new CounterReading(io, relations, counters).startedAt(start);
    }

    private Io ofRelations(Relation.Kind kind, long blockSize) {
        long read = 0;
        long hit = 0;
        for (Map.Entry<Relation, Blocks> relation : relations.entrySet()) {
            if (relation.getKey().kind() == kind) {
                read += relation.getValue().read();
                hit += relation.getValue().hit();
            }
        }
        return new Io(read, read * blockSize, 0, 0, hit);
    }

    /** Since version 18 in pg_stat_io; before, bytes are those of the records, not of the blocks that hold them. */
    private Io redo() {
        if (counters.containsKey("pg_stat_wal.wal_write")) {
            return new Io(0, 0, counter("pg_stat_wal.wal_write"), counter("pg_stat_wal.wal_bytes"), 0);
        }
        return new Io(
                sum(".wal.", ".reads"),
                sum(".wal.", ".read_bytes"),
                sum(".wal.", ".writes"),
                sum(".wal.", ".write_bytes"),
                0);
    }

    /** Only what was written is counted, when a file is removed; such files are written block by block. */
    private Io temp(long blockSize) {
        long bytes = counter("pg_stat_database.temp_bytes");
        return new Io(0, 0, (bytes + blockSize - 1) / blockSize, bytes, 0);
    }

    /**
     * What the whole server read, found and wrote, less what the tables and indexes of the run account for. Nothing tells
     * whether a written block was one of theirs, so that all of them are here.
     */
    private Io rest(Io data, Io index, long blockSize) {
        boolean wholeServer = counters.keySet().stream().anyMatch(name -> name.startsWith("pg_stat_io."));
        long reads = wholeServer ? blocks("read", blockSize) : counter("pg_stat_database.blks_read");
        long hits = wholeServer ? sum("relation.", ".hits") : counter("pg_stat_database.blks_hit");
        long writes = wholeServer ? blocks("write", blockSize) : 0;
        return new Io(reads, reads * blockSize, writes, writes * blockSize, hits)
                .less(data)
                .less(index);
    }

    /** Version 18 counts operations of several blocks and their bytes, versions 16 and 17 blocks. */
    private long blocks(String direction, long blockSize) {
        boolean countsBytes = counters.keySet().stream().anyMatch(name -> name.endsWith("." + direction + "_bytes"));
        return countsBytes
                ? sum("relation.", "." + direction + "_bytes") / blockSize
                : sum("relation.", "." + direction + "s") * bytesOfAnIo / blockSize;
    }

    /** All counters of pg_stat_io about such objects with this name. */
    private long sum(String object, String name) {
        long sum = 0;
        for (Map.Entry<String, Long> counter : counters.entrySet()) {
            String key = counter.getKey();
            if (key.startsWith("pg_stat_io.") && key.contains(object) && key.endsWith(name)) {
                sum += counter.getValue();
            }
        }
        return sum;
    }

    private long counter(String name) {
        return counters.getOrDefault(name, 0L);
    }
}
