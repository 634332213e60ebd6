package siemload.database.postgresql.load;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import siemload.database.DatasetKey;
import siemload.database.DatasetLoad;
import siemload.database.Variant;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.connection.SqlTemplate;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.load.TableCopy.Commits;
import siemload.database.registry.Claim;
import siemload.event.SecurityEvent;

/**
 * Loads all tables at once, each in the transaction that creates it, so that no later VACUUM must touch the rows; then
 * builds the indexes, and keeps the database.
 */
public final class PostgresqlLoad implements DatasetLoad {
    private final PostgresqlConnections connections;
    private final DatasetKey key;
    private final Variant variant;
    private final Layout layout;
    private final Claim claim;
    private final Consumer<TableContents> keep;
    private final List<TableCopy> tableCopies = new ArrayList<>();

    private PostgresqlLoad(
            PostgresqlConnections connections,
            Claim claim,
            DatasetKey key,
            Variant variant,
            Consumer<TableContents> keep) {
        this.connections = connections;
        this.key = key;
        this.variant = variant;
        this.layout = Layout.of(variant.layout());
        this.claim = claim;
        this.keep = keep;
    }

    /**
     * Starts with the tables.
     *
     * @param claim of an empty database, which is released if it is not kept
     * @param keep turns the database, once it is complete, into a kept one
     */
    public static PostgresqlLoad start(
            PostgresqlConnections connections,
            Claim claim,
            DatasetKey key,
            Variant variant,
            Consumer<TableContents> keep) {
        PostgresqlLoad load = new PostgresqlLoad(connections, claim, key, variant, keep);
        try {
            for (String table : load.layout.tables()) {
                load.open(table);
            }
            return load;
        } catch (SQLException e) {
            load.close();
            throw PostgresqlErrors.INSTANCE.outsideRun(
                    "cannot create the tables of the data set '" + key.label() + "'", e);
        }
    }

    @Override
    public void write(List<SecurityEvent> events) {
        List<SecurityEvent> batch = List.copyOf(events);
        tableCopies.forEach(tableCopy -> tableCopy.add(batch));
    }

    @Override
    public void store() {
        tableCopies.forEach(TableCopy::finish);
        closeTableCopies();
    }

    @Override
    public void finish(Consumer<String> step) {
        store();
        TableContents contents = completed(step);
        step.accept("keep");
        keep.accept(contents);
    }

    /** The database as it is to be kept: with indexes and statistics, and nobody connected to it. */
    private TableContents completed(Consumer<String> step) {
        String tried = "complete the data set '" + key.label() + "'";
        return connections.maintenance(claim.name()).get(tried, connection -> {
            for (IndexStep index : IndexStep.of(layout, variant.indexes())) {
                step.accept(index.name());
                index.run(connection);
            }
            step.accept("vacuum and analyze");
            SqlTemplate.execute(connection, "VACUUM (ANALYZE) " + String.join(", ", layout.tables()));
            step.accept("count and hash");
            return TableContents.of(connection, layout);
        });
    }

    @Override
    public void close() {
        closeTableCopies();
        claim.release();
    }

    private void open(String table) throws SQLException {
        Connection connection = connections.maintenance(claim.name()).opening().open();
        try {
            connection.setAutoCommit(false);
            layout.table(table).execute(connection);
            tableCopies.add(new TableCopy(layout, table, Commits.AT_END, List.of(), connection));
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private void closeTableCopies() {
        tableCopies.forEach(TableCopy::close);
        tableCopies.clear();
    }
}
