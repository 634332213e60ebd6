package siemload.database.postgresql;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.postgresql.copy.CopyIn;
import siemload.database.Partitions;
import siemload.database.layout.EventField;
import siemload.database.layout.LayoutAbout.LayoutTable;
import siemload.database.postgresql.PostgresqlBulkLoad.CopyRows;
import siemload.database.sql.SqlStatement;
import siemload.dataset.DatasetReader;
import siemload.dataset.EventGenerator;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/**
 * Writes the rows of a data set into files for psql to load: {@code events.copy} in COPY's own text form, as one would
 * prepare such a file, and {@code events_json.copy} in the binary one, since bytes take twice the room as text. With them
 * the statements that make the tables and fill them, {@code events.sql} and {@code events_json.sql}. Arguments: the data
 * set file and the directory.
 */
final class CopyFiles {
    private static final int BATCH = 1_000;

    private CopyFiles() {}

    public static void main(String[] arguments) throws IOException {
        EventGenerator events = new EventGenerator(DatasetReader.read(Path.of(arguments[0])));
        Path directory = Files.createDirectories(Path.of(arguments[1]));
        LayoutTable rows = Layout.of("mentat", Partitions.NONE).tables().get(0);
        LayoutTable jsons = Layout.of("mentat", Partitions.NONE).tables().get(1);
        writeStatements(
                directory,
                "events",
                Layout.of("mentat", Partitions.NONE).read("table-events", Map.of("partitioning", "")),
                copy(rows).replace("FORMAT binary, ", ""));
        writeStatements(
                directory,
                "events_json",
                Layout.of("mentat", Partitions.NONE).read("table-events-json", Map.of("partitioning", "")),
                copy(jsons));
        try (Writer table = Files.newBufferedWriter(directory.resolve("events.copy"));
                OutputStream json = Files.newOutputStream(directory.resolve("events_json.copy"))) {
            List<EventField> columns = List.copyOf(rows.columns().values());
            Rows jsonRows = new Rows(jsons, json);
            events.read(BATCH, batch -> {
                batch.forEach(event -> writeText(event, columns, table));
                jsonRows.add(batch);
            });
            jsonRows.end();
        }
        System.out.println(events.count());
    }

    private static String copy(LayoutTable table) {
        return Layout.of("mentat", Partitions.NONE)
                .read("copy", Map.of("table", table.name(), "columns", table.columnNames(), "freeze", "true"))
                .sql();
    }

    private static void writeText(SecurityEvent event, List<EventField> columns, Writer table) {
        StringJoiner row = new StringJoiner("\t", "", "\n");
        for (EventField column : columns) {
            row.add(SqlText.of(column, event)
                    .replace("\\", "\\\\")
                    .replace("\t", "\\t")
                    .replace("\n", "\\n")
                    .replace("\r", "\\r"));
        }
        try {
            table.write(row.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** In one transaction, as a load does, since only then COPY can write frozen rows. */
    private static void writeStatements(Path directory, String table, SqlStatement create, String copy)
            throws IOException {
        String file = directory.resolve(table + ".copy").toAbsolutePath().toString();
        String fromFile = copy.replace("FROM STDIN", "FROM '" + file + "'").replaceAll("\\s+", " ");
        Files.writeString(
                directory.resolve(table + ".sql"), "BEGIN;\n" + create.sql() + ";\n\\" + fromFile + "\nCOMMIT;\n");
    }

    /** The rows of one table on their way into a file. */
    private static final class Rows {
        private final LayoutTable table;
        private final IdeaWriter writer = new IdeaWriter();
        private final OutputStream file;

        Rows(LayoutTable table, OutputStream file) {
            this.table = table;
            this.file = file;
            append(CopyRows.HEADER);
        }

        void add(List<SecurityEvent> events) {
            CopyRows rows = new CopyRows(table, 1 << 20);
            events.forEach(event -> rows.append(event, writer));
            try {
                append(sent(rows));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        void end() {
            append(CopyRows.END);
        }

        private void append(byte[] bytes) {
            try {
                file.write(bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** What a server would get. */
        private static byte[] sent(CopyRows buffer) throws SQLException {
            ByteArrayOutputStream sent = new ByteArrayOutputStream();
            CopyIn copy = (CopyIn) Proxy.newProxyInstance(
                    CopyIn.class.getClassLoader(), new Class<?>[] {CopyIn.class}, (proxy, method, arguments) -> {
                        sent.write((byte[]) arguments[0], (int) arguments[1], (int) arguments[2]);
                        return null;
                    });
            buffer.send(copy);
            return sent.toByteArray();
        }
    }
}
