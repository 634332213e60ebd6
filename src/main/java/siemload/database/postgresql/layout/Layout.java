package siemload.database.postgresql.layout;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.SqlStatement;

/** The layouts. Each has a folder of files; what a layout does not have itself is that of {@link #MENTAT}. */
public enum Layout {
    /** Mentat's: all that is searched stands in one row. */
    MENTAT(List.of("events", "events_json")),
    /** NERD's: the same, and a table of addresses, by which events are found. */
    ADDRESS(List.of("events", "events_json", "event_address"));

    @SuppressWarnings("ImmutableEnumChecker") // Never changed.
    private final List<String> tables;

    Layout(List<String> tables) {
        this.tables = tables;
    }

    /** The names of all, the default first. */
    public static List<String> labels() {
        return Arrays.stream(values()).map(Layout::label).toList();
    }

    /** The one with this name, which is one of {@link #labels}. */
    public static Layout of(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT));
    }

    private String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public List<String> tables() {
        return tables;
    }

    /** Creates one of the {@link #tables}. */
    public SqlStatement table(String table) {
        return read("table-" + table.replace('_', '-'));
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
        String own = label() + "/" + name + ".sql";
        return FILES.has(own) ? own : "mentat/" + name + ".sql";
    }
}
