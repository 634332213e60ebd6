package siemload.database.oracle;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import siemload.database.ContainerOptions;
import siemload.database.ContainerServer;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.ServerAddress;
import siemload.database.TargetOptions;
import siemload.database.Variant;
import siemload.query.Paging;

/** Oracle Database Free in an image that makes a user of its own, with the memory that Oracle gives itself. */
final class OracleContainer {
    private static final String IMAGE = "gvenzl/oracle-free:23-slim-faststart";
    private static final int PORT = 1521;
    private static final String USER = "siemload";
    private static final String URL = "jdbc:oracle:thin:@//{host}:{port}/FREEPDB1";
    private static final int SHARED_PART = 2;

    private static final TargetOptions PROBE = new TargetOptions(
            new Variant("arc_event", IndexSet.NONE, Hint.NONE, Paging.OFFSET), Duration.ofSeconds(5), 1);

    private OracleContainer() {}

    static ContainerServer of(ContainerOptions options) {
        return new ContainerServer(
                IMAGE,
                PORT,
                Map.of(
                        "ORACLE_PASSWORD", options.password(),
                        "APP_USER", USER,
                        "APP_USER_PASSWORD", options.password()),
                List.of(),
                options.memoryBytes() / SHARED_PART,
                // The listener and external jobs start with the rights of their files' owner.
                ContainerServer.Rights.USUAL,
                new ServerAddress(URL, USER, options.password()),
                OracleContainer::login);
    }

    /** The image makes the user and then grants its rights, which connecting asks for. */
    private static void login(ServerAddress address) {
        OracleConnections connections = OracleConnections.of(address, PROBE);
        OracleServer.connect(connections, Tablespaces.of(address.url()), PROBE.variant())
                .close();
    }
}
