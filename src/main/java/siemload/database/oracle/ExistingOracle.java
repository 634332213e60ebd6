package siemload.database.oracle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import siemload.database.ExistingEvents;
import siemload.database.ExistingTarget;
import siemload.database.ServerUse;
import siemload.database.StatementStore;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.database.Variant;
import siemload.query.Statement;

/** What an Oracle user may see, as it is. Each transaction in which a statement is asked begins as READ ONLY. */
record ExistingOracle(OracleConnections connections, Variant variant, String version, Transport transport)
        implements ExistingTarget {

    static ExistingOracle connect(OracleConnections connections, Variant variant) {
        OracleServer.About about = OracleServer.About.of(connections);
        about.requireVersion();
        connections.checkParameters();
        Rights.of(connections).requireHarmless();
        return new ExistingOracle(connections, variant, about.version(), connections.transport(about.protocol()));
    }

    /**
     * What the user could do.
     *
     * @param powers how many rights it has on tables of anybody, or on the server itself
     * @param firstPower one of them; empty where there is none
     * @param writable how many tables it could write to
     */
    private record Rights(String user, long powers, String firstPower, long writable) {
        static Rights of(OracleConnections connections) {
            return connections
                    .quick()
                    .rows("see the rights of the user", TableGroup.FILES.read("server/rights.sql"), Rights::of)
                    .get(0);
        }

        private static Rights of(ResultSet row) throws SQLException {
            return new Rights(
                    row.getString("user_name"),
                    row.getLong("powers"),
                    Objects.requireNonNullElse(row.getString("first_power"), ""),
                    row.getLong("writable"));
        }

        void requireHarmless() {
            if (powers > 0) {
                throw new TargetException(String.format(
                        Locale.ROOT,
                        "the user %s has the right %s%s, and could do what no READ ONLY transaction keeps it from; take a"
                                + " user that can only read, which an administrator makes by: CREATE USER siemload_reader"
                                + " IDENTIFIED BY ...; GRANT CREATE SESSION TO siemload_reader; GRANT READ ON ... TO siemload_reader",
                        user,
                        firstPower,
                        powers > 1 ? String.format(Locale.ROOT, " and %,d more", powers - 1) : ""));
            }
        }
    }

    @Override
    public List<String> rights() {
        Rights rights = Rights.of(connections);
        return rights.writable == 0
                ? List.of()
                : List.of(String.format(
                        Locale.ROOT,
                        "the user %s could write to %,d tables; who only reads is kept from it by READ ONLY transactions",
                        rights.user,
                        rights.writable));
    }

    @Override
    public SortedMap<String, String> settings() {
        return connections.settings();
    }

    @Override
    public Optional<ServerUse> use() {
        return Optional.of(OracleServerUse.at(connections, List.of()));
    }

    @Override
    public StatementStore open(List<Statement> statements) {
        return new ExistingOracleStore(connections, statements);
    }

    @Override
    public ExistingEvents openEvents() {
        return new EventsOracleStore(connections, OracleLayout.of(variant), variant.hint());
    }

    @Override
    public void close() {}
}
