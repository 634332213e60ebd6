package siemload.database.postgresql;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import siemload.database.sql.SqlStatement;

/** The layouts. Each has a folder of files; what a layout does not have itself is that of {@link #MENTAT}. */
enum Layout {
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
    static List<String> labels() {
        return Arrays.stream(values()).map(Layout::label).toList();
    }

    /** The one with this name, which is one of {@link #labels}. */
    static Layout of(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT));
    }

    private String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    List<String> tables() {
        return tables;
    }

    /** Creates one of the {@link #tables}. */
    SqlStatement table(String table) {
        return read("table-" + table.replace('_', '-'));
    }

    /**
     * Copies rows into one of the {@link #tables}.
     *
     * @param freeze whether they are frozen: only in the transaction that created the table
     */
    SqlStatement copy(String table, boolean freeze) {
        Map<String, String> parts = Map.of("columns", EventColumn.NAMES, "freeze", Boolean.toString(freeze));
        return read("copy-" + table.replace('_', '-'), parts);
    }

    /** Counts and hashes the rows of one of the {@link #tables}. */
    SqlStatement contents(String table) {
        return read("contents-" + table.replace('_', '-'));
    }

    SqlStatement read(String name) {
        return SqlTemplate.read(file(name));
    }

    SqlStatement read(String name, Map<String, String> parts) {
        return SqlTemplate.read(file(name), parts);
    }

    String text(String name) {
        return SqlTemplate.text(file(name));
    }

    boolean has(String name) {
        return Layout.class.getResource(file(name)) != null;
    }

    private String file(String name) {
        String own = label() + "/" + name + ".sql";
        return Layout.class.getResource(own) == null ? "mentat/" + name + ".sql" : own;
    }
}
