package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import siemload.database.Pause;
import siemload.database.Replica;
import siemload.database.ReplicaPositions;
import siemload.database.SearchException;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.registry.Registry;
import siemload.database.server.EventTables;
import siemload.database.server.RunCopy;

/** A hot standby of a PostgreSQL server. */
final class PostgresqlReplica implements Replica {
    private static final double MEGABYTE = 1 << 20;
    private static final long BETWEEN_LOOKS_MILLIS = 50;

    private final PostgresqlConnections primary;
    private final PostgresqlConnections own;
    private final String cluster;
    private final Registry registry;
    private final Function<String, EventTables> tables;
    private final Function<RunCopy, Store> stores;

    /**
     * One of which {@link #require} tells that it is a standby.
     *
     * @param registry of the primary
     * @param primary leads to the server that it follows
     * @param own leads to the standby
     * @param cluster what both are of
     * @param tables finds those on the standby by their name
     * @param stores opens the copy of a run there
     */
    PostgresqlReplica(
            Registry registry,
            PostgresqlConnections primary,
            PostgresqlConnections own,
            String cluster,
            Function<String, EventTables> tables,
            Function<RunCopy, Store> stores) {
        this.primary = primary;
        this.own = own;
        this.cluster = cluster;
        this.registry = registry;
        this.tables = tables;
        this.stores = stores;
    }

    /** @param follows whether it is a standby */
    private record Identity(String cluster, boolean follows) {
        static Identity of(PostgresqlConnections server) {
            return server.quick()
                    .get(
                            "ask PostgreSQL at " + server.where() + " which cluster it belongs to",
                            connection -> FILES.read("server/replica-identity.sql")
                                    .row(
                                            connection,
                                            row -> new Identity(row.getString("cluster"), row.getBoolean("follows"))));
        }
    }

    /**
     * Makes sure that it is a standby of the other server, with room for a run, and tells their cluster.
     *
     * @param sessions how many connections must be free there
     * @throws TargetException if it is none, or has none
     */
    static String require(PostgresqlConnections primary, PostgresqlConnections own, int sessions) {
        own.quick()
                .run(
                        "connect to PostgreSQL at " + own.where(),
                        connection -> FILES.read("server/about.sql").row(connection, about -> {
                            PostgresqlServer.requireVersion(about, own.where());
                            PostgresqlServer.requireConnections(about, own.where(), sessions);
                            return true;
                        }));
        Identity replica = Identity.of(own);
        Identity followed = Identity.of(primary);
        if (followed.follows()) {
            throw new TargetException("PostgreSQL at " + primary.where()
                    + " is a standby itself, so that nothing can be loaded there (give the url of the primary)");
        }
        if (!replica.cluster().equals(followed.cluster())) {
            throw new TargetException("PostgreSQL at " + own.where() + " is no replica of " + primary.where()
                    + ": it is of another cluster (system identifier " + replica.cluster() + ", not "
                    + followed.cluster() + ")");
        }
        if (!replica.follows()) {
            throw new TargetException("PostgreSQL at " + own.where()
                    + " is no replica: it takes writes itself (leave it out, or give the url of a standby)");
        }
        return replica.cluster();
    }

    @Override
    public String place() {
        return "PostgreSQL at " + own.where();
    }

    @Override
    public String about() {
        return "standby of the cluster " + cluster;
    }

    @Override
    public Store open(String name) {
        RunCopy copy = RunCopy.joined(name, tables, registry);
        try {
            return stores.apply(copy);
        } catch (TargetException e) {
            copy.close();
            throw e;
        }
    }

    @Override
    public void awaitCaughtUp(Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        try (ReplicaPositions positions = openPositions()) {
            long end = mark();
            for (long there = positions.replayed(); there < end; there = positions.replayed()) {
                if (System.nanoTime() - deadline >= 0) {
                    throw new TargetException(String.format(
                            Locale.ROOT,
                            "%s does not catch up with %s: after %d s it lacks %.1f MB of the log (look whether it"
                                    + " replays: pg_is_wal_replay_paused(), pg_stat_wal_receiver)",
                            place(),
                            primary.where(),
                            atMost.toSeconds(),
                            (end - there) / MEGABYTE));
                }
                Pause.millis(BETWEEN_LOOKS_MILLIS, "the wait for a replica");
            }
        } catch (SearchException silent) {
            throw new TargetException("cannot see how far " + place() + " has come: " + silent.getMessage(), silent);
        }
    }

    /** Where the log on the primary's disk ends that has all which the primary has acknowledged, whether or not more is written. */
    private long mark() {
        return primary.quick().get("mark the log of PostgreSQL at " + primary.where(), connection -> {
            connection.setAutoCommit(false);
            FILES.read("server/log-mark-local.sql").execute(connection);
            String unused = FILES.read("server/log-mark.sql").row(connection, row -> row.getString(1));
            connection.commit();
            return FILES.read("server/log-flushed.sql").number(connection);
        });
    }

    @Override
    public ReplicaPositions openPositions() {
        return PostgresqlReplicaPositions.open(primary, own);
    }

    /** Each piece of work has a connection of its own. */
    @Override
    public void close() {}
}
