package siemload.database.postgresql.querylog;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.zip.ZipException;
import siemload.database.CountedSpread;
import siemload.event.ByteLines;

/**
 * A copy of the view pg_stat_statements as CSV, whose first row has the names of the columns, in any order; the texts may have line ends.
 * Not thread-safe.
 */
final class SnapshotFile implements Closeable {
    private static final int LONGEST_RECORD = 16 << 20;
    /** Five times as many as a server is told to keep that is told to keep very many. */
    private static final int MOST_ENTRIES = 500_000;

    private static final List<String> NEEDED = List.of("query", "calls", "total_exec_time");
    /** What the others are called that make a file one of these. */
    private static final List<String> TELLING = List.of("query", "calls");

    private final Path file;
    private final ByteLines lines;
    private final Map<String, Integer> columns = new HashMap<>();
    /** How many columns each row has; more than there are names where one stands twice, as the second id of a join does. */
    private int width;

    private long line;
    private long recordLine;

    private SnapshotFile(Path file) throws IOException {
        this.file = file;
        this.lines = ByteLines.open(file, LONGEST_RECORD);
    }

    /** Whether a file begins as such a copy does. */
    static boolean isOne(Path file) throws IOException {
        try (SnapshotFile snapshot = new SnapshotFile(file)) {
            if (!snapshot.lines.next() || snapshot.lines.isTooLong()) {
                return false;
            }
            List<String> names = names(snapshot.lines.text());
            return names.containsAll(TELLING) && names.stream().allMatch(name -> name.matches("[a-z_][a-z0-9_]*"));
        } catch (EOFException | ZipException damaged) {
            return false;
        }
    }

    private static List<String> names(String header) {
        List<String> names = new ArrayList<>();
        for (String name : CsvRow.columns(header.startsWith("\uFEFF") ? header.substring(1) : header)) {
            names.add(name.strip().toLowerCase(Locale.ROOT));
        }
        return names;
    }

    /** All entries, by their keys, in their order. */
    static Map<String, SnapshotEntry> read(Path file) throws IOException {
        try (SnapshotFile snapshot = new SnapshotFile(file)) {
            return snapshot.entries();
        }
    }

    private Map<String, SnapshotEntry> entries() throws IOException {
        readHeader();
        Map<String, SnapshotEntry> entries = new LinkedHashMap<>();
        for (Optional<String> record = record(); record.isPresent(); record = record()) {
            if (!record.get().isBlank()) {
                SnapshotEntry entry = entry(CsvRow.columns(record.get()));
                entries.merge(
                        entry.key(), entry, (one, more) -> one.with(one.counts().plus(more.counts())));
            }
            if (entries.size() > MOST_ENTRIES) {
                throw broken("there are more than 500,000 statements");
            }
        }
        return entries;
    }

    private void readHeader() throws IOException {
        List<String> names = names(record().orElse(""));
        width = names.size();
        for (int i = 0; i < names.size(); i++) {
            columns.putIfAbsent(names.get(i), i);
        }
        List<String> missing =
                NEEDED.stream().filter(name -> !columns.containsKey(name)).toList();
        if (!missing.isEmpty()) {
            throw broken(
                    "there is no column " + String.join(", ", missing)
                            + (columns.containsKey("total_time")
                                    ? ", which pg_stat_statements has since its version 1.8 (PostgreSQL 13)"
                                    : " (needed: what \\copy (SELECT * FROM pg_stat_statements) TO 'FILE.csv' CSV HEADER writes)"));
        }
    }

    private SnapshotEntry entry(String[] row) throws IOException {
        if (row.length != width) {
            throw broken("there are " + row.length + " columns, and not " + width + " as in the first line");
        }
        String query = text(row, "query");
        String identifier = text(row, "queryid");
        String name = text(row, "datname");
        String key = String.join(
                "|",
                text(row, "userid"),
                text(row, "dbid"),
                name,
                text(row, "toplevel"),
                identifier.isEmpty() ? query : identifier);
        long calls = whole(row, "calls");
        return new SnapshotEntry(
                key,
                name.isEmpty() ? text(row, "dbid") : name,
                !text(row, "toplevel").matches("f|false"),
                query,
                text(row, "stats_since"),
                new SnapshotEntry.Counts(
                        calls,
                        columns.containsKey("total_plan_time") ? millis(row, "total_plan_time") : 0,
                        millis(row, "total_exec_time"),
                        columns.containsKey("rows") ? whole(row, "rows") : 0,
                        spread(row, calls)));
    }

    /** The shortest and the longest time may have been forgotten later than all else, since 1.11, and are then of a part. */
    private CountedSpread spread(String[] row, long calls) throws IOException {
        boolean ofAll = text(row, "minmax_stats_since").equals(text(row, "stats_since"));
        OptionalDouble stddev = micros(row, "stddev_exec_time");
        double mean = millis(row, "total_exec_time") * StatementSnapshots.MICROS_OF_A_MILLISECOND / Math.max(1, calls);
        return new CountedSpread(
                stddev.isPresent()
                        ? OptionalDouble.of(CountedSpread.squares(calls, mean, stddev.getAsDouble()))
                        : OptionalDouble.empty(),
                ofAll ? micros(row, "min_exec_time") : OptionalDouble.empty(),
                ofAll ? micros(row, "max_exec_time") : OptionalDouble.empty());
    }

    /** Empty where there is no such column. */
    private OptionalDouble micros(String[] row, String column) throws IOException {
        return columns.containsKey(column)
                ? OptionalDouble.of(millis(row, column) * StatementSnapshots.MICROS_OF_A_MILLISECOND)
                : OptionalDouble.empty();
    }

    private String text(String[] row, String column) {
        Integer index = columns.get(column);
        return index == null ? "" : row[index];
    }

    private long whole(String[] row, String column) throws IOException {
        String text = text(row, column);
        if (!text.matches("[0-9]{1,18}")) {
            throw broken(column + " is '" + shown(text) + "', and no whole number");
        }
        return Long.parseLong(text);
    }

    private double millis(String[] row, String column) throws IOException {
        String text = text(row, column);
        if (!text.matches("[0-9]{1,18}(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?")) {
            throw broken(column + " is '" + shown(text) + "', and no number of milliseconds");
        }
        return Double.parseDouble(text);
    }

    private static String shown(String text) {
        return text.substring(0, Math.min(text.length(), 30)).replaceAll("\\p{Cntrl}", " ");
    }

    /** The next row; empty at the end. */
    private Optional<String> record() throws IOException {
        StringBuilder record = new StringBuilder();
        long quotes = 0;
        recordLine = line + 1;
        while (nextLine()) {
            String written = lines.text();
            record.append(line == recordLine ? "" : "\n").append(written);
            quotes += CsvRow.quotes(written);
            if (quotes % 2 == 0) {
                return Optional.of(record.toString());
            }
            if (record.length() > LONGEST_RECORD) {
                throw broken("a row is longer than 16 MiB");
            }
        }
        if (quotes > 0) {
            throw broken("a row begins here and does not end");
        }
        return Optional.empty();
    }

    private boolean nextLine() throws IOException {
        try {
            if (!lines.next()) {
                return false;
            }
        } catch (EOFException | ZipException damaged) {
            throw broken("the gzip data is damaged, or ends early here");
        }
        line++;
        if (lines.isTooLong()) {
            throw broken("a line is longer than 16 MiB");
        }
        return true;
    }

    private IOException broken(String why) {
        return new IOException(file + ":" + recordLine + ": " + why);
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
