package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.util.Locale;
import java.util.function.Function;
import siemload.database.ReplicaPositions;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.registry.Registry;
import siemload.database.server.EventTables;
import siemload.database.server.RunCopy;
import siemload.database.server.ServerReplica;

/** A hot standby of a PostgreSQL server. */
final class PostgresqlReplica extends ServerReplica {
    private static final double MEGABYTE = 1 << 20;

    private final PostgresqlConnections primary;
    private final PostgresqlConnections own;
    private final String cluster;

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
        super(registry, tables, stores);
        this.primary = primary;
        this.own = own;
        this.cluster = cluster;
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
    protected String followed() {
        return primary.where();
    }

    /** On the primary's disk. */
    @Override
    protected long mark() {
        return primary.quick().get("mark the log of PostgreSQL at " + primary.where(), connection -> {
            connection.setAutoCommit(false);
            FILES.read("server/log-mark-local.sql").execute(connection);
            String unused = FILES.read("server/log-mark.sql").row(connection, row -> row.getString(1));
            connection.commit();
            return FILES.read("server/log-flushed.sql").number(connection);
        });
    }

    @Override
    protected String lack(long there, long end) {
        return String.format(
                Locale.ROOT,
                "%.1f MB of the log (look whether it replays: pg_is_wal_replay_paused(), pg_stat_wal_receiver)",
                (end - there) / MEGABYTE);
    }

    @Override
    public ReplicaPositions openPositions() {
        return PostgresqlReplicaPositions.open(primary, own);
    }

    /** Each piece of work has a connection of its own. */
    @Override
    public void close() {}
}
