package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import siemload.database.ExistingEvents;
import siemload.database.ExistingTarget;
import siemload.database.Replication;
import siemload.database.ServerAddress;
import siemload.database.ServerUse;
import siemload.database.StatementStore;
import siemload.database.TargetException;
import siemload.database.TargetOptions;
import siemload.database.Transport;
import siemload.database.Variant;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.search.PlannerGuide;
import siemload.database.postgresql.server.PostgresqlRunParameters;
import siemload.query.Statement;

/**
 * The database of a PostgreSQL server that the url names, as it is. All of its sessions are read-only from the start, but for those of a
 * run some of whose statements write.
 */
final class ExistingPostgresql implements ExistingTarget {
    private final PostgresqlConnections connections;
    private final PostgresqlConnections writing;
    private final PostgresqlRunParameters parameters;
    private final Variant variant;
    private final int workers;
    private final String version;
    private final Transport transport;
    private final Sessions sessions;

    private ExistingPostgresql(
            PostgresqlConnections connections, PostgresqlConnections writing, TargetOptions options, ResultSet about)
            throws SQLException {
        this.connections = connections;
        this.writing = writing;
        this.parameters = new PostgresqlRunParameters(options.parameters());
        this.variant = options.variant();
        this.workers = PostgresqlServer.workers(about);
        this.version = about.getString("version").split(" ", 2)[0];
        this.transport = connections.transport(about.getString("tls_version"), about.getString("tls_cipher"));
        this.sessions = PostgresqlServer.sessions(about, connections);
    }

    static ExistingPostgresql connect(ServerAddress address, TargetOptions options) {
        List<String> parameters = new PostgresqlRunParameters(options.parameters()).ofConnections();
        PostgresqlConnections connections =
                new PostgresqlConnections(address, options).reading(parameters).inServerTimeZone();
        PostgresqlConnections writing = connections.with(parameters);
        String where = connections.where();
        return connections.quick().get("connect to PostgreSQL at " + where, connection -> {
            requireHarmless(FILES.read("server/rights.sql").row(connection, Rights::of), where);
            return FILES.read("server/about.sql").row(connection, about -> {
                PostgresqlServer.requireVersion(about, where);
                PostgresqlServer.requireConnections(about, where, options.sessions());
                return new ExistingPostgresql(connections, writing, options, about);
            });
        });
    }

    /**
     * What the user could do.
     *
     * @param powers roles that it has, which act outside of the database
     * @param writable how many tables it could write to
     */
    private record Rights(String user, boolean superuser, String powers, long writable) {
        static Rights of(ResultSet row) throws SQLException {
            return new Rights(
                    row.getString("user_name"),
                    row.getBoolean("superuser"),
                    row.getString("powers"),
                    row.getLong("writable"));
        }
    }

    private static void requireHarmless(Rights rights, String where) {
        if (!rights.superuser && rights.powers.isEmpty()) {
            return;
        }
        String what = rights.superuser ? "is a superuser" : "has the rights of " + rights.powers;
        throw new TargetException("the user " + rights.user + " " + what + " on PostgreSQL at " + where
                + ", and could do what no read-only session keeps it from; take a user that can only read, which an"
                + " administrator makes by: CREATE ROLE siemload_reader LOGIN PASSWORD '...'; GRANT pg_read_all_data,"
                + " pg_read_all_stats TO siemload_reader");
    }

    @Override
    public List<String> rights() {
        Rights rights = connections
                .quick()
                .get(
                        "see the rights of the user",
                        connection -> FILES.read("server/rights.sql").row(connection, Rights::of));
        List<String> lines = new ArrayList<>();
        if (connections.isBalanced()) {
            lines.add(
                    "loadBalanceHosts spreads what is asked over the hosts of the url; counters, plans and sizes are those of "
                            + sessions.server() + " alone");
        }
        if (rights.writable > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "the user %s could write to %,d tables; who only reads is kept from it by READ ONLY transactions",
                    rights.user,
                    rights.writable));
        }
        return lines;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public SortedMap<String, String> settings() {
        return connections
                .quick()
                .get("read the settings of PostgreSQL at " + connections.where(), parameters::settings);
    }

    @Override
    public Transport transport() {
        return transport;
    }

    @Override
    public Sessions sessions() {
        return sessions;
    }

    @Override
    public Optional<ServerUse> use() {
        return Optional.of(PostgresqlServerUse.at(connections, List.of()));
    }

    @Override
    public Optional<Replication> openReplication() {
        return Optional.of(PostgresqlReplication.open(connections));
    }

    @Override
    public StatementStore open(List<Statement> statements) {
        boolean writes = statements.stream().anyMatch(Statement::writes);
        return PostgresqlErrors.INSTANCE.attempt(
                "open the database at " + connections.where(),
                () -> new StatementPostgresqlStore(connections, writes ? writing : connections, statements));
    }

    @Override
    public ExistingEvents openEvents() {
        Layout layout = Layout.of(variant);
        PlannerGuide guide = new PlannerGuide(variant.hint(), workers);
        return PostgresqlErrors.INSTANCE.attempt(
                "open the database at " + connections.where(),
                () -> new EventsPostgresqlStore(connections, layout, guide));
    }

    @Override
    public void close() {}
}
