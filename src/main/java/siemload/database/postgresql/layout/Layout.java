package siemload.database.postgresql.layout;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import siemload.database.Partitions;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.SqlStatement;

/**
 * The layouts, in one piece and cut into days. Each has folders of files: what a layout does not have in its first one is that of
 * the next.
 */
public enum Layout {
    /** Mentat's: all that is searched stands in one row. */
    MENTAT(Partitions.NONE, Figured.IN_THE_ROW, "mentat"),
    /** NERD's: the same, and a table of addresses, by which events are found. */
    ADDRESS(Partitions.NONE, Figured.IN_A_TABLE, "address", "mentat"),
    /** Mentat's, and the rows of a day lie in partitions of their own, those of the JSON as well. */
    MENTAT_BY_DAY(Partitions.DAY, Figured.IN_THE_ROW, "mentat-day", "mentat"),
    /** NERD's in the same way, and so are the addresses. */
    ADDRESS_BY_DAY(Partitions.DAY, Figured.IN_A_TABLE, "address-day", "address", "mentat-day", "mentat");

    private static final String BY_DAY = "_BY_DAY";

    private final Partitions partitions;
    private final Figured figured;

    @SuppressWarnings("ImmutableEnumChecker") // Never changed.
    private final List<String> folders;

    Layout(Partitions partitions, Figured figured, String... folders) {
        this.partitions = partitions;
        this.figured = figured;
        this.folders = List.of(folders);
    }

    /** Where the addresses are by which events are found. */
    private enum Figured {
        IN_THE_ROW(List.of("events", "events_json")),
        IN_A_TABLE(List.of("events", "events_json", "event_address"));

        @SuppressWarnings("ImmutableEnumChecker") // Never changed.
        private final List<String> tables;

        Figured(List<String> tables) {
            this.tables = tables;
        }
    }

    /** The names of all, the default first. */
    public static List<String> labels() {
        return Arrays.stream(values())
                .filter(layout -> !layout.isByDay())
                .map(layout -> layout.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    /** The one with this name, which is one of {@link #labels}, cut into these partitions. */
    public static Layout of(String label, Partitions partitions) {
        String name = label.toUpperCase(Locale.ROOT);
        return switch (partitions) {
            case NONE -> valueOf(name);
            case DAY -> valueOf(name + BY_DAY);
        };
    }

    /** Whether the rows of each day lie in a partition of their own. */
    public boolean isByDay() {
        return partitions == Partitions.DAY;
    }

    /** Whether events are found by a table of addresses. */
    public boolean hasAddressTable() {
        return figured == Figured.IN_A_TABLE;
    }

    public List<String> tables() {
        return figured.tables;
    }

    /** Creates one of the {@link #tables}; one that is cut into days with a partition for all days that have none. */
    public void create(String table, Connection connection) throws SQLException {
        read(
                        "table-" + table.replace('_', '-'),
                        Map.of("partitioning", read("partitioning").sql()))
                .execute(connection);
        if (isByDay()) {
            DayPartition.OTHER.createOf(table, connection);
        }
    }

    /** Counts and hashes the rows of one of the {@link #tables}. */
    public SqlStatement contents(String table) {
        return read("contents-" + table.replace('_', '-'));
    }

    public SqlStatement read(String name) {
        return FILES.read(file(name));
    }

    public SqlStatement read(String name, Map<String, String> parts) {
        return FILES.read(file(name), parts);
    }

    /** The statements of a file that builds something; none where no layout has it. */
    public List<SqlFiles.Step> steps(String name) {
        return FILES.has(file(name)) ? FILES.steps(file(name), Map.of()) : List.of();
    }

    private String file(String name) {
        return folders.stream()
                .map(folder -> folder + "/" + name + ".sql")
                .filter(FILES::has)
                .findFirst()
                .orElse("mentat/" + name + ".sql");
    }
}
