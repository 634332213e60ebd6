package siemload.database.postgresql;

import static siemload.database.postgresql.PostgresqlConnections.SQL;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.PGConnection;
import siemload.database.Hint;
import siemload.database.Provision;
import siemload.database.ResourceFile;
import siemload.database.sql.SqlStatement;

/**
 * Parameters that a run gives the server: those that are read at its start, and those that hold in the run's own database.
 * Immutable and thread-safe.
 *
 * @param values by name in lower case
 */
public record PostgresqlRunParameters(Map<String, String> values) {
    /** What PostgreSQL 18 reads at its start or from its files alone: its contexts postmaster and sighup. */
    private static final Set<String> AT_START = ResourceFile.text(
                    PostgresqlRunParameters.class, "/siemload/database/postgresql/server/start-parameters.txt")
            .lines()
            .collect(Collectors.toUnmodifiableSet());

    /**
     * Those of PostgreSQL 18 whose value is a number, a switch or one of a few words, but for such as make a server less
     * safe. Those with any text hold commands, paths,
     * libraries and addresses.
     */
    private static final Set<String> WITHOUT_TEXT = ResourceFile.text(
                    PostgresqlRunParameters.class, "/siemload/database/postgresql/server/file-parameters.txt")
            .lines()
            .collect(Collectors.toUnmodifiableSet());

    /** Where a server of ours is and what it works on. */
    private static final Set<String> OURS = Set.of(("config_file data_directory external_pid_file hba_file ident_file"
                    + " listen_addresses log_destination logging_collector port unix_socket_directories")
            .split(" "));

    /** What every connection of a run sets for itself, so that a database's own value would not hold. */
    private static final Map<String, String> PER_CONNECTION = Map.of(
            "plan_cache_mode", "every search gets a fresh plan",
            "statement_timeout", "use -Dtimeout");

    /** Begins the settings that are none of a container's. */
    private static final String OF_EMBEDDED = "# Of the embedded server alone";

    private static final int SERVER_CONNECTIONS = 10;

    public PostgresqlRunParameters {
        SortedMap<String, String> lower = new TreeMap<>();
        values.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
        values = Collections.unmodifiableSortedMap(lower);
    }

    /**
     * Why they cannot be set, as far as that is known without a server.
     *
     * @param ofHint the settings that the hint is made of, as {@code name=value}
     */
    public Optional<String> refusal(Hint hint, List<String> ofHint, Provision provision) {
        for (String name : values.keySet()) {
            String parameter = "parameter " + name + " is ";
            if (PER_CONNECTION.containsKey(name)) {
                return Optional.of(parameter + "siemload's own (" + PER_CONNECTION.get(name) + ")");
            } else if (ofHint.stream().anyMatch(setting -> setting.startsWith(name + "="))) {
                return Optional.of(parameter + "what hint '" + hint.label() + "' is made of: leave one of them out");
            } else if (AT_START.contains(name) && provision == Provision.EXTERNAL) {
                return Optional.of(parameter + "read when the server starts, and this server is yours: set it there"
                        + " (allowed here: what ALTER DATABASE can set)");
            } else if (AT_START.contains(name) && OURS.contains(name)) {
                return Optional.of(parameter + "siemload's own");
            }
        }
        return Optional.empty();
    }

    /** Why they cannot be set by a file. */
    public Optional<String> refusalFromFile() {
        return values.keySet().stream()
                .filter(name -> !WITHOUT_TEXT.contains(name))
                .findFirst()
                .map(name ->
                        name + " cannot be set by a file: only parameters that are numbers, switches or one of a few"
                                + " words can, since others name commands, libraries and paths");
    }

    /** Those that a server of ours gets when it starts, or those that hold in one database. */
    private SortedMap<String, String> those(boolean atStart) {
        SortedMap<String, String> some = new TreeMap<>(values);
        some.keySet().removeIf(name -> AT_START.contains(name) != atStart);
        return some;
    }

    /**
     * The arguments of the server program: what an expert would set on a machine that it shares with the load, and those of the run, which win.
     *
     * @param port of the embedded server; 0 in a container, which listens as its image wants it to
     */
    public List<String> arguments(int port, long memoryBytes, int sessions) {
        String all =
                ResourceFile.text(PostgresqlRunParameters.class, "/siemload/database/postgresql/server/embedded.conf");
        long memory = memoryBytes >> 20;
        Map<String, String> parts = Map.of(
                "port", Integer.toString(port),
                // In hundreds, or every number of users, and cursors beside them, would make another server to compare
                // runs on.
                "max_connections", Integer.toString((sessions + SERVER_CONNECTIONS + 99) / 100 * 100),
                "shared_buffers", between(128, memory / 4, 4_096),
                "effective_cache_size", between(128, memory / 2, Integer.MAX_VALUE),
                "maintenance_work_mem", between(64, memory / 16, 1_024),
                "work_mem", between(4, memory / 256, 32));
        return Stream.concat(
                        SqlStatement.fill(port == 0 ? all.split(OF_EMBEDDED, 2)[0] : all, parts)
                                .lines()
                                .filter(line -> line.contains(" =") && !line.startsWith("#"))
                                .map(line -> line.replaceFirst(" = ?", "=")),
                        those(true).entrySet().stream().map(PostgresqlRunParameters::assignment))
                .flatMap(setting -> Stream.of("-c", setting))
                .toList();
    }

    private static String between(long least, long megabytes, long most) {
        return Math.max(least, Math.min(megabytes, most)) + "MB";
    }

    private static String assignment(Map.Entry<String, String> parameter) {
        return parameter.getKey() + "=" + parameter.getValue();
    }

    /** Sets those of a database; connections that are made afterwards have them. */
    public void setFor(String database, Connection connection) throws SQLException {
        for (Map.Entry<String, String> parameter : those(false).entrySet()) {
            String literal = connection.unwrap(PGConnection.class).escapeLiteral(parameter.getValue());
            String name = parameter.getKey().replace(".", "\".\"");
            SqlStatement.execute(
                    connection, "ALTER DATABASE \"" + database + "\" SET \"" + name + "\" = '" + literal + "'");
        }
    }

    /** Those of a database, as {@code name=value}, for connections that ask for them themselves. */
    public List<String> ofConnections() {
        return those(false).entrySet().stream()
                .map(PostgresqlRunParameters::assignment)
                .toList();
    }

    /** The settings of the server that matter to a run, with these parameters, as they hold on this connection. */
    public SortedMap<String, String> settings(Connection connection) throws SQLException {
        String own = String.join(",", values.keySet());
        return SQL.read("settings").map(connection, row -> row.getString(2), own);
    }
}
