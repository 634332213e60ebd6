package siemload.target.oracle;

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
import siemload.event.SecurityEvent;
import siemload.target.BulkLoad;
import siemload.target.TargetException;

/** Inserts batches into the tables over several connections at once. */
final class OracleBulkLoad implements BulkLoad {
    private static final int LANES = 3;
    /** The first instant that has no partition of a day; {@code copy-event.sql} knows it too. */
    private static final Instant LATE = Instant.parse("4000-01-01T00:00:00Z");

    private static final int MOST_LATE = 100_000;

    private final Connections connections;
    private final TableGroup tables;
    private final String label;
    private final BlockingQueue<Lane> idle = new ArrayBlockingQueue<>(LANES);
    private final List<Lane> lanes = new ArrayList<>();
    private final List<Future<?>> running = new ArrayList<>();
    private final List<SecurityEvent> late = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(LANES, task -> {
        Thread thread = new Thread(task, "oracle-load");
        thread.setDaemon(true);
        return thread;
    });

    private OracleBulkLoad(Connections connections, TableGroup tables, String label) {
        this.connections = connections;
        this.tables = tables;
        this.label = label;
    }

    /** @param label what is loaded, for messages: {@code the data set 'smoke'} */
    static OracleBulkLoad start(Connections connections, TableGroup tables, String label) throws SQLException {
        OracleBulkLoad load = new OracleBulkLoad(connections, tables, label);
        try {
            for (int i = 0; i < LANES; i++) {
                load.addLane();
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
            Lane lane = idle.take();
            running.add(threads.submit(() -> {
                try {
                    lane.insert(batch);
                } finally {
                    idle.add(lane);
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
                lanes.get(0).insert(late);
                late.clear();
            } catch (SQLException e) {
                throw SqlErrors.outsideRun("cannot store the events after " + LATE, e);
            }
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        lanes.forEach(Lane::close);
        lanes.clear();
    }

    private void addLane() throws SQLException {
        Connection connection = connections.open();
        connection.setAutoCommit(false);
        Lane lane = new Lane(connection, new EventInsert(connection, tables));
        lanes.add(lane);
        idle.add(lane);
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
                throw SqlErrors.outsideRun("cannot load " + label, error);
            }
            throw new TargetException("cannot load " + label + ": " + e.getCause(), e);
        }
    }

    private static TargetException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new TargetException("the load was interrupted", e);
    }

    private record Lane(Connection connection, EventInsert events) implements AutoCloseable {
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
