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
import java.util.function.Consumer;
import siemload.event.SecurityEvent;
import siemload.target.DatasetKey;
import siemload.target.DatasetLoad;
import siemload.target.IndexSet;
import siemload.target.TargetException;

/** Inserts batches over several connections at once, then builds the indexes, and keeps the tables. */
final class OracleLoad implements DatasetLoad {
    private static final int LANES = 3;
    /** The first instant that has no partition of a day; {@code copy-event.sql} knows it too. */
    private static final Instant LATE = Instant.parse("4000-01-01T00:00:00Z");

    private static final int MOST_LATE = 100_000;

    private final Connections connections;
    private final Registry registry;
    private final Registry.Claim claim;
    private final DatasetKey key;
    private final IndexSet indexes;
    private final BlockingQueue<Lane> idle = new ArrayBlockingQueue<>(LANES);
    private final List<Lane> lanes = new ArrayList<>();
    private final List<Future<?>> running = new ArrayList<>();
    private final List<SecurityEvent> late = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(LANES, task -> {
        Thread thread = new Thread(task, "oracle-load");
        thread.setDaemon(true);
        return thread;
    });
    private boolean ended;

    private OracleLoad(
            Connections connections, Registry registry, Registry.Claim claim, DatasetKey key, IndexSet indexes) {
        this.connections = connections;
        this.registry = registry;
        this.claim = claim;
        this.key = key;
        this.indexes = indexes;
    }

    static OracleLoad start(Connections connections, Registry registry, DatasetKey key, IndexSet indexes)
            throws SQLException {
        Registry.Claim claim = registry.claim("loading", key.fingerprint(), key.label());
        OracleLoad load = new OracleLoad(connections, registry, claim, key, indexes);
        try (Connection connection = connections.open()) {
            claim.tables().create(connection);
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
            throw new TargetException("more than " + MOST_LATE + " events of the data set '" + key.label()
                    + "' were detected after " + LATE + "; put their detect times right");
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
                claim.tables().addLatePartition(connection);
                lanes.get(0).insert(late);
                late.clear();
            } catch (SQLException e) {
                throw SqlErrors.outsideRun("cannot store the events after " + LATE, e);
            }
        }
    }

    @Override
    public void finish(Consumer<String> step) {
        store();
        closeLanes();
        try (Connection connection = connections.open()) {
            claim.tables().complete(connection, indexes, step);
            step.accept("keep");
            registry.keep(claim, key.fingerprint());
            ended = true;
            claim.close();
        } catch (SQLException e) {
            throw SqlErrors.outsideRun("cannot complete the data set '" + key.label() + "'", e);
        }
    }

    @Override
    public void close() {
        closeLanes();
        if (!ended) {
            ended = true;
            try {
                registry.drop(claim);
            } catch (SQLException e) {
                throw SqlErrors.outsideRun(
                        "cannot drop the tables " + claim.tables().prefix() + "_...", e);
            }
        }
    }

    private void addLane() throws SQLException {
        Connection connection = connections.open();
        connection.setAutoCommit(false);
        Lane lane = new Lane(connection, new EventInsert(connection, claim.tables()));
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
                throw SqlErrors.outsideRun("cannot load the data set '" + key.label() + "'", error);
            }
            throw new TargetException("cannot load the data set '" + key.label() + "': " + e.getCause(), e);
        }
    }

    private void closeLanes() {
        threads.shutdownNow();
        lanes.forEach(Lane::close);
        lanes.clear();
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
