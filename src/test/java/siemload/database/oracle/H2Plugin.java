package siemload.database.oracle;

import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import siemload.database.Abilities;
import siemload.database.EmbeddedOptions;
import siemload.database.EmbeddedServer;
import siemload.database.ExistingTarget;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.Transport;
import siemload.database.server.ServerTarget;

/** The Oracle target on H2 in the memory of this process. */
final class H2Plugin implements TargetPlugin {
    private static int servers;

    @Override
    public String id() {
        return "oracle-on-h2";
    }

    @Override
    public String name() {
        return "H2";
    }

    @Override
    public String title() {
        return "the statements for Oracle, run by H2";
    }

    @Override
    public Abilities abilities() {
        return new OraclePlugin().abilities();
    }

    @Override
    public boolean storesTrends() {
        return new OraclePlugin().storesTrends();
    }

    @Override
    public OptionalInt bytesPerAccount() {
        return new OraclePlugin().bytesPerAccount();
    }

    @Override
    public Set<String> driverJars() {
        return Set.of("h2");
    }

    @Override
    public EmbeddedServer startEmbedded(EmbeddedOptions options) {
        servers++;
        String url = "jdbc:h2:mem:oracle" + servers
                + ";MODE=Oracle;NON_KEYWORDS=VALUE;DB_CLOSE_DELAY=-1;DEFAULT_LOCK_TIMEOUT=10000";
        H2Dialect.createDictionary(url);
        return new EmbeddedServer() {
            @Override
            public ServerAddress address() {
                return new ServerAddress(url, "sa", "");
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public boolean asksStatements() {
        return new OraclePlugin().asksStatements();
    }

    @Override
    public ExistingTarget connectExisting(ServerAddress address, TargetOptions options) {
        return ExistingOracle.connect(connections(address, options));
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        OracleConnections connections = connections(address, options);
        return new ServerTarget(OracleServer.connect(connections, new Tablespaces("", ""), options.variant()));
    }

    private static OracleConnections connections(ServerAddress address, TargetOptions options) {
        return new OracleConnections(
                silenceMillis -> H2Dialect.connect(address.url()),
                options.searchTimeout(),
                options.maintenanceTimeout(),
                Map.of(),
                Transport.Security.UNVERIFIED);
    }
}
