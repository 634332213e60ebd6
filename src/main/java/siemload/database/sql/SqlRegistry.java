package siemload.database.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import siemload.database.layout.Blocks;
import siemload.database.layout.Blocks.Syntax;
import siemload.database.server.Registry;
import siemload.database.server.Registry.Entry;
import siemload.database.sql.SqlAccess.SqlErrors;
import siemload.database.sql.SqlAccess.SqlErrors.Fault;
import siemload.database.sql.SqlStatement.SqlBlocks;

/**
 * A server of which the registry is a table. It has a connection of its own, which is opened anew after it was lost. Thread-safe; closing
 * it closes the connection.
 */
public abstract class SqlRegistry implements Registry.Server, AutoCloseable {
    private static final SqlBlocks BLOCKS =
            new SqlBlocks(Blocks.ofResource("/siemload/database/sql/registry", Syntax.SQL));
    private static final int VALIDATION_SECONDS = 10;

    private final Map<String, String> table;
    private final SqlStatement now;
    private final SqlErrors errors;
    private Optional<Connection> connection = Optional.empty();

    /**
     * Over a table that is made when something is to be written into it.
     *
     * @param name of the table
     * @param now asks for the server's time
     */
    protected SqlRegistry(String name, SqlStatement now, SqlErrors errors) {
        this.table = Map.of("table", name);
        this.now = now;
        this.errors = errors;
    }

    /** Connects to where the table is, or would be; empty where that is not there. @throws TargetException if something else has its name */
    protected abstract Optional<Connection> home() throws SQLException;

    /** Makes that where it is not there, with the table unless another process does so at the same instant, and connects to it. */
    protected abstract Connection make() throws SQLException;

    @Override
    public final Instant now() {
        return ask("ask the server for its time", open -> now.row(open, row -> row.getObject(1, OffsetDateTime.class)))
                .toInstant();
    }

    @Override
    public final List<Entry> entries() {
        return ask(
                        "read siemload's registry",
                        false,
                        open -> BLOCKS.read("list", table).rows(open, SqlRegistry::entry))
                .stream()
                .flatMap(List::stream)
                .flatMap(Optional::stream)
                .toList();
    }

    @Override
    public final boolean insert(Entry entry) {
        return ask(
                "write into siemload's registry",
                open -> errors.isMade(() -> changed(open, "insert", entry, 0), Fault.DUPLICATE));
    }

    @Override
    public final boolean change(Entry entry, Optional<Entry> changed) {
        String block = changed.isPresent() ? "replace" : "delete";
        return ask(
                "write into siemload's registry",
                open -> changed(open, block, changed.orElse(entry), entry.beat()) == 1);
    }

    /** @param beat the one that the entry must have had still. @return how many rows were */
    private int changed(Connection open, String block, Entry entry, long beat) throws SQLException {
        Map<String, Object> values = entry.values();
        values.put("key", entry.key());
        values.put("earlier_beat", beat);
        return BLOCKS.read(block, table).change(open, values::get);
    }

    @Override
    public final synchronized void close() {
        connection.ifPresent(SqlAccess::closeQuietly);
        connection = Optional.empty();
    }

    /** Some databases keep an empty text as no value. */
    private static Optional<Entry> entry(ResultSet row) throws SQLException {
        Map<String, Object> values = new HashMap<>();
        for (String name : Entry.NAMES) {
            values.put(name, Objects.requireNonNullElse(row.getObject(name), ""));
        }
        return Entry.of(values);
    }

    private <T> T ask(String tried, SqlAccess.Work<T> work) {
        return ask(tried, true, work).orElseThrow();
    }

    /** @param making whether the table is made where it is not there; else there is no answer */
    private synchronized <T> Optional<T> ask(String tried, boolean making, SqlAccess.Work<T> work) {
        return errors.attempt(tried, () -> {
            try {
                if (connection.isPresent() && !connection.orElseThrow().isValid(VALIDATION_SECONDS)) {
                    close();
                }
                if (connection.isEmpty()) {
                    connection = home();
                    if (connection.isPresent()
                            && !errors.isMade(
                                    () -> BLOCKS.read("find", table).execute(connection.orElseThrow()),
                                    Fault.NO_TABLE)) {
                        close();
                    }
                }
                if (connection.isEmpty() && making) {
                    connection = Optional.of(make());
                }
                return connection.isPresent() ? Optional.of(work.on(connection.orElseThrow())) : Optional.empty();
            } catch (SQLException e) {
                close();
                throw e;
            }
        });
    }
}
