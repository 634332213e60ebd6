package siemload.database.oracle;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import siemload.database.ContainerOptions;
import siemload.database.ContainerServer;
import siemload.database.ServerAddress;

/** Oracle Database Free in an image that makes a user of its own, with the memory that Oracle gives itself. */
final class OracleContainer {
    private static final String IMAGE = "gvenzl/oracle-free:23-slim-faststart";
    private static final int PORT = 1521;
    private static final String USER = "siemload";
    private static final String URL = "jdbc:oracle:thin:@//{host}:{port}/FREEPDB1";
    private static final int SHARED_PART = 2;

    private OracleContainer() {}

    /** @param probe connects as a run would */
    static ContainerServer of(ContainerOptions options, Consumer<ServerAddress> probe) {
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
                probe);
    }
}
