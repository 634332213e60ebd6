package siemload.database.oracle;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import siemload.database.BulkLoad;
import siemload.database.TargetException;
import siemload.event.SecurityEvent;

/** Inserts batches into the tables over several connections at once. */
final class OracleBulkLoad implements BulkLoad {
    private static final int LOADERS = 3;
    /** The first instant that has no partition of a day; {@code copy-event.sql} knows it too. */
    private static final Instant LATE = Instant.parse("4000-01-01T00:00:00Z");

    private static final int MOST_LATE = 100_000;

    private final OracleConnections connections;
    private final TableGroup tables;
    private final String label;
    private final BlockingQueue<Loader> idle = new ArrayBlockingQueue<>(LOADERS);
    private final List<Loader> loaders = new ArrayList<>();
    private final List<Future<?>> running = new ArrayList<>();
    private final List<SecurityEvent> late = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(LOADERS, task -> {
        Thread thread = new Thread(task, "oracle-load");
        thread.setDaemon(true);
        return thread;
    });

    private OracleBulkLoad(OracleConnections connections, TableGroup tables, String label) {
        this.connections = connections;
        this.tables = tables;
        this.label = label;
    }

    /** @param label what is loaded, for messages: {@code the data set 'smoke'} */
    static OracleBulkLoad start(OracleConnections connections, TableGroup tables, String label) throws SQLException {
        OracleBulkLoad load = new OracleBulkLoad(connections, tables, label);
        try {
            for (int i = 0; i < LOADERS; i++) {
                load.addLoader();
            }
            return load;
        } catch (SQLException e) {
            load.close();
            throw e;
        }
    }

    @Override
    public void write(List<SecurityEvent> events) {
        List<SecurityEvent> batch = new ArrayList<>(events);
        batch.removeIf(event -> !event.detectTime().isBefore(LATE) && late.add(event));
        if (late.size() > MOST_LATE) {
            throw new TargetException("more than " + MOST_LATE + " events of " + label + " were detected after " + LATE
                    + "; put their detect times right");
        }
        running.removeIf(this::isDone);
        try {
            Loader loader = idle.take();
            running.add(threads.submit(() -> {
                try {
                    loader.insert(batch);
                } finally {
                    idle.add(loader);
                }
                return batch;
            }));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    @Override
    public void store() {
        running.forEach(this::await);
        running.clear();
        if (!late.isEmpty()) {
            try (Connection connection = connections.open()) {
                tables.addLatePartition(connection);
                loaders.get(0).insert(late);
                late.clear();
            } catch (SQLException e) {
                throw OracleErrors.outsideRun("cannot store the events after " + LATE, e);
            }
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        loaders.forEach(Loader::close);
        loaders.clear();
    }

    private void addLoader() throws SQLException {
        Connection connection = connections.open();
        connection.setAutoCommit(false);
        Loader loader = new Loader(connection, new EventInsert(connection, tables));
        loaders.add(loader);
        idle.add(loader);
    }

    private boolean isDone(Future<?> insert) {
        if (insert.isDone()) {
            await(insert);
            return true;
        }
        return false;
    }

    private void await(Future<?> insert) {
        try {
            insert.get();
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException error) {
                throw OracleErrors.outsideRun("cannot load " + label, error);
            }
            throw new TargetException("cannot load " + label + ": " + e.getCause(), e);
        }
    }

    private static TargetException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new TargetException("the load was interrupted", e);
    }

    private record Loader(Connection connection, EventInsert events) implements AutoCloseable {
        void insert(List<SecurityEvent> batch) throws SQLException {
            events.insert(batch);
            connection.commit();
        }

        @Override
        public void close() {
            try {
                connection.rollback();
                connection.close();
            } catch (SQLException alreadyBroken) {
                // Then the server has rolled back.
            }
        }
    }
}
