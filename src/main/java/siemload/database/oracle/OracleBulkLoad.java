package siemload.database.oracle;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import siemload.database.BulkLoad;
import siemload.database.PreparedEvents;
import siemload.database.TargetException;
import siemload.database.server.ParallelLoad;
import siemload.event.SecurityEvent;

/** Inserts batches into the tables over several connections at once; events beyond the days' partitions come last. */
final class OracleBulkLoad implements BulkLoad {
    private static final int LOADERS = 3;
    /** The first instant that has no partition of a day; {@code late.sql} knows it too. */
    private static final Instant LATE = Instant.parse("4000-01-01T00:00:00Z");

    private static final int MOST_LATE = 100_000;

    private final OracleTables tables;
    private final String label;
    private final ParallelLoad events;
    private final LateEvents lateEvents;
    private final List<SecurityEvent> late = new ArrayList<>();

    private OracleBulkLoad(OracleTables tables, String label, ParallelLoad events, LateEvents lateEvents) {
        this.tables = tables;
        this.label = label;
        this.events = events;
        this.lateEvents = lateEvents;
    }

    /** What becomes of events beyond the days' partitions. */
    enum LateEvents {
        LAST,
        REFUSED
    }

    static OracleBulkLoad start(OracleTables tables, String label, LateEvents lateEvents) {
        ParallelLoad events = ParallelLoad.start(label, LOADERS, () -> Loader.open(tables, label));
        return new OracleBulkLoad(tables, label, events, lateEvents);
    }

    @Override
    public PreparedEvents prepare(List<SecurityEvent> batch) {
        return new PreparedEvents(batch, this::add);
    }

    private void add(List<SecurityEvent> batch) {
        List<SecurityEvent> usual = new ArrayList<>(batch);
        usual.removeIf(event -> !event.detectTime().isBefore(LATE) && late.add(event));
        if (!late.isEmpty() && lateEvents == LateEvents.REFUSED) {
            throw new TargetException(
                    label + " has an event of " + late.get(0).detectTime() + ", for which tables cut into"
                            + " days have room only when all others are stored, so that several processes cannot load it; give"
                            + " -Dinjectors=1 or -Dpartitions=none, or put its detect time right");
        }
        if (late.size() > MOST_LATE) {
            throw new TargetException("more than " + MOST_LATE + " events of " + label + " were detected after " + LATE
                    + "; put their detect times right");
        }
        events.write(usual);
    }

    @Override
    public long store() {
        long bytes = events.store();
        if (!late.isEmpty()) {
            tables.connections().maintenance().run("store the events after " + LATE, tables::addLatePartition);
            events.write(late);
            late.clear();
            bytes = events.store();
        }
        return bytes;
    }

    @Override
    public void close() {
        events.close();
    }

    private record Loader(Connection connection, EventInsert events, String label) implements ParallelLoad.Writer {

        static Loader open(OracleTables tables, String label) {
            return OracleErrors.INSTANCE.attempt("load " + label, () -> {
                Connection connection =
                        tables.connections().maintenance().opening().open();
                connection.setAutoCommit(false);
                return new Loader(connection, new EventInsert(connection, tables.tables()), label);
            });
        }

        @Override
        public long write(List<SecurityEvent> batch) {
            return OracleErrors.INSTANCE.attempt("load " + label, () -> {
                long bytes = events.insert(batch);
                connection.commit();
                return bytes;
            });
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
