package siemload.database.sql;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.server.Portions;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.WholeText;
import siemload.query.Field;

/**
 * The tables of one data set, or of one run's copy of it, in the user's own schema: their names and the statements for
 * them. Immutable and thread-safe.
 *
 * @param prefix how their names begin
 */
public record TableGroup(Dialect dialect, String prefix, Partitions partitions) {
    /** The table with a row for each event. */
    public static final String EVENT = "event";
    /** Below the limit of 1,000 that some have for a list. */
    private static final int PORTION = 500;
    /** Those that refer to others behind them. */
    public static final List<String> TABLES = List.of(EVENT, "addr", "list");

    /** The name of a table or index in the database. */
    public String name(String object) {
        return prefix + "_" + object.toUpperCase(Locale.ROOT);
    }

    /** The name of the table with a row for each event. */
    public String events() {
        return name(EVENT);
    }

    /** The names and clauses that the blocks leave open. */
    public Map<String, String> parts() {
        Map<String, String> parts = new HashMap<>(dialect.clauses(partitions));
        dialect.blocks().names().forEach(name -> parts.put(name, name(name)));
        return parts;
    }

    /** A statement for these tables. */
    public SqlStatement statement(String block) {
        return dialect.blocks().read(block, parts());
    }

    /** A statement that is the same for each table. */
    public SqlStatement ofTable(String block, String table) {
        return dialect.blocks().read(block, Map.of("table", name(table)));
    }

    /** The steps that build the keys and the indexes. */
    public List<SqlStatement.Step> indexSteps(IndexSet indexes) {
        return Stream.of("keys", "indexes-" + indexes.label())
                .flatMap(block -> dialect.blocks().steps(block, parts()).stream())
                .toList();
    }

    /** How often each of these ids is stored; those that are not are missing. The last portion is filled up, so that servers parse one statement. */
    Map<String, Long> stored(Collection<String> ids, Connection open) throws SQLException {
        Map<String, String> places = parts();
        places.put("ids", String.join(", ", Collections.nCopies(PORTION, "?")));
        Map<String, Long> stored = new HashMap<>();
        try (PreparedStatement present =
                open.prepareStatement(dialect.blocks().read("present", places).sql())) {
            for (List<String> portion : Portions.ofIds(ids, PORTION)) {
                for (int i = 0; i < PORTION; i++) {
                    present.setBytes(i + 1, ColumnValues.id(portion.get(Math.min(i, portion.size() - 1))));
                }
                SqlStatement.rows(present, row -> stored.put(ColumnValues.readId(row.getBytes(1)), row.getLong(2)));
            }
        }
        return stored;
    }

    /** How values stand in the columns. Stateless and thread-safe. */
    static final class ColumnValues {
        /** Stands in a column instead of several values; no text has this form. */
        static final String SEVERAL = "\0*";
        /** Stands in the column of a port instead of several ports. */
        static final int SEVERAL_PORTS = -1;

        private static final String NUL = "\0";

        private ColumnValues() {}

        /**
         * A category or a name. To some databases an empty text is NULL; so it becomes a NUL character, and a text that starts with
         * NUL gets one more. Binary order stays.
         */
        static String text(String text) {
            return text.isEmpty() || text.startsWith(NUL) ? NUL + WholeText.of(text) : WholeText.of(text);
        }

        /** What {@link #text} was made of. */
        static String readText(String stored) {
            return stored.startsWith(NUL) ? stored.substring(1) : stored;
        }

        /** What a field of a summary stands for. */
        static String readValue(Field field, String stored) {
            return switch (field) {
                case SOURCE -> readAddress(HexFormat.of().parseHex(stored)).toString();
                case CATEGORY, DETECTOR, PORT, HOUR -> readText(stored);
            };
        }

        static byte[] id(String id) {
            return WholeText.of(id).getBytes(StandardCharsets.UTF_8);
        }

        static String readId(byte[] stored) {
            return new String(stored, StandardCharsets.UTF_8);
        }

        static LocalDateTime time(Instant instant) {
            return LocalDateTime.ofInstant(instant, ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);
        }

        static Instant readTime(LocalDateTime stored) {
            return stored.toInstant(ZoneOffset.UTC);
        }

        static byte[] first(AddressRange range) {
            return address(range, range.firstBytes());
        }

        static byte[] last(AddressRange range) {
            return address(range, range.lastBytes());
        }

        static AddressRange readAddress(byte[] stored) {
            return AddressRange.ofBytes(Arrays.copyOfRange(stored, 1, stored.length));
        }

        /** After the number of its family, so that all of one family stand together. */
        private static byte[] address(AddressRange range, byte[] address) {
            byte family = (byte) (range.family() == Family.IP4 ? 4 : 6);
            return ByteBuffer.allocate(1 + address.length)
                    .put(family)
                    .put(address)
                    .array();
        }
    }
}
