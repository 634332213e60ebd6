package siemload.database.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Plan;
import siemload.database.ServerUse;
import siemload.database.Transport;
import siemload.database.layout.Blocks;
import siemload.database.layout.Blocks.Syntax;
import siemload.query.Search;

/**
 * What one database does in its own way, where {@link JdbcServer} does the rest: how it connects, its statements, its errors, its plans. Thread-safe.
 * Every call that asks the server throws a {@link siemload.database.TargetException} or a {@link SQLException} where it refuses.
 */
public abstract class Dialect extends SqlErrors implements AutoCloseable {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);
    private static final Blocks COMMON = Blocks.ofResource("/siemload/database/sql/tables", Syntax.SQL);

    private final String name;
    private final SqlBlocks blocks;

    /**
     * Of a database.
     *
     * @param name in sentences, as its makers write it
     * @param blocks its statements, and {@code errors} as {@link SqlErrors} has them; those of {@code sql/tables.sql} stand for what it does
     *     not write in its own way
     */
    protected Dialect(String name, Blocks blocks) {
        super(blocks.text("errors"));
        this.name = name;
        this.blocks = new SqlBlocks(blocks.or(COMMON));
    }

    public final String name() {
        return name;
    }

    /** Its statements, and the parts that its searches are made of. */
    public final SqlBlocks blocks() {
        return blocks;
    }

    /**
     * Opens a connection that has not been set up yet.
     *
     * @param silenceMillis how long an answer may take before the network counts as lost
     */
    public abstract Connection open(long silenceMillis) throws SQLException;

    public record About(String version, Transport transport) {}

    /** Asks a server what it is, and makes sure that it can do what a run needs. One in this process has its version alone. */
    public About about(SqlAccess access) {
        String version = access.get("open " + name, open -> blocks.read("about").row(open, row -> row.getString(1)));
        return new About(version, Transport.IN_PROCESS);
    }

    /** The server's settings that differ from its defaults, or that matter. */
    public SortedMap<String, String> settings(SqlAccess access) {
        return access.get(
                "read the settings of " + name, open -> blocks.read("settings").map(open, row -> row.getString(2)));
    }

    /** Who else uses the server; empty where nobody can. */
    public Optional<ServerUse> use(SqlAccess access) {
        return Optional.empty();
    }

    /** What the blocks of tables leave open beside names, by its name. */
    public Map<String, String> clauses(Partitions partitions) {
        return Map.of();
    }

    /** What stands behind SELECT, such as a comment for the optimizer. */
    public String hint(Search search, Hint hint, IndexSet indexes, TableGroup tables) {
        return "";
    }

    /** How the server would go about a statement, which has its values written into it. */
    public abstract Plan explain(Connection open, String statement, TableGroup tables) throws SQLException;

    /** Bytes in a statement. */
    protected abstract String bytes(String hex);

    final String literal(Object value) {
        if (value instanceof String text) {
            return "'" + text.replace("'", "''").replace("\0", "' || CHR(0) || '") + "'";
        } else if (value instanceof byte[] bytes) {
            return bytes(HexFormat.of().withUpperCase().formatHex(bytes));
        } else if (value instanceof LocalDateTime time) {
            return "TIMESTAMP '" + TIME.format(time) + "'";
        }
        return value.toString();
    }

    /** Whether a plan is only good where the limit stands in the statement: one that is bound would have all rows sorted. */
    public boolean plansWithLimits() {
        return false;
    }

    /** Adds rows to a table of a group, in the order of the columns of its block {@code insert-<table>}. */
    public TableGroup.Rows rows(Connection open, TableGroup tables, String table) throws SQLException {
        return new TableGroup.Batch(
                open.prepareStatement(tables.statement("insert-" + table).sql()));
    }

    /** Gives back what it holds itself. */
    @Override
    public void close() {}
}
