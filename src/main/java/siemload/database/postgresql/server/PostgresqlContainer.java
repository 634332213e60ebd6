package siemload.database.postgresql.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import siemload.database.ContainerServer;
import siemload.database.ContainerServer.ContainerOptions;
import siemload.database.ServerAddress;
import siemload.database.postgresql.server.EmbeddedPostgresqlServer.ServerSettings;

/** PostgreSQL in the official image, or in one that takes the same environment, set up as the embedded server. */
public final class PostgresqlContainer {
    private static final String IMAGE = "postgres:18";
    private static final int PORT = 5432;
    private static final String USER = "postgres";
    /** A quarter of the memory for what parallel workers share; Docker's own 64 MB are soon used up. */
    private static final int SHARED_PART = 4;

    private PostgresqlContainer() {}

    public static ContainerServer of(ContainerOptions options) {
        return new ContainerServer(
                IMAGE,
                PORT,
                Map.of(
                        "POSTGRES_PASSWORD",
                        options.password(),
                        "POSTGRES_INITDB_ARGS",
                        "--auth-host=scram-sha-256 --encoding=UTF8 --locale=C"),
                arguments(options),
                options.memoryBytes() / SHARED_PART,
                ContainerServer.Rights.FEW,
                new ServerAddress("jdbc:postgresql://{host}:{port}/postgres", USER, options.password()),
                // The image's first, temporary server does not listen to the network, so that a login reaches the final
                // one.
                EmbeddedPostgresqlServer::makePowerless);
    }

    /** The last of several values counts. */
    private static List<String> arguments(ContainerOptions options) {
        List<String> arguments = new ArrayList<>(ServerSettings.arguments(options.memoryBytes(), options.sessions()));
        arguments.addAll(new PostgresqlRunParameters(options.parameters()).arguments());
        return arguments;
    }
}
