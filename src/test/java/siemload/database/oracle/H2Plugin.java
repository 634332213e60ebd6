package siemload.database.oracle;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.h2.tools.Server;
import siemload.database.Abilities;
import siemload.database.EmbeddedServer;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.Product;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.Transport;
import siemload.database.provision.RealServer;

/** The Oracle target on H2 in the memory of this process. Public, since other processes find it as they find any plugin. */
public final class H2Plugin implements TargetPlugin {
    private static final String MODE = ";MODE=Oracle;NON_KEYWORDS=VALUE;DB_CLOSE_DELAY=-1;DEFAULT_LOCK_TIMEOUT=10000";

    private static int servers;

    @Override
    public Product product() {
        return new Product("oracle-on-h2", "H2", "the statements for Oracle, run by H2", "", List.of(), Set.of("h2"));
    }

    @Override
    public Abilities abilities() {
        return new OraclePlugin().abilities();
    }

    @Override
    public Set<Offer> offers() {
        return new OraclePlugin().offers();
    }

    @Override
    public EmbeddedServer startEmbedded(EmbeddedOptions options) {
        return RealServer.server(new ServerAddress("jdbc:h2:mem:" + newDatabase() + MODE, "sa", ""), () -> {});
    }

    /** The same, which other processes of this machine reach. */
    public static EmbeddedServer listening() throws SQLException {
        String database = newDatabase();
        Server server = Server.createTcpServer("-tcpPort", "0").start();
        String url = "h2://localhost:" + server.getPort() + "/" + database;
        return RealServer.server(new ServerAddress(url, "sa", ""), server::stop);
    }

    /** H2's own urls hold more than users may give. */
    private static String urlOf(ServerAddress address) {
        return address.url().replaceFirst("^h2://(.*)/(.*)$", "jdbc:h2:tcp://$1/mem:$2" + MODE);
    }

    private static String newDatabase() {
        servers++;
        String database = "oracle" + servers;
        H2Dialect.createDictionary("jdbc:h2:mem:" + database + MODE);
        return database;
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        OracleConnections connections = connections(address, options);
        return OracleServer.connect(connections, options.variant());
    }

    private static OracleConnections connections(ServerAddress address, TargetOptions options) {
        return new OracleConnections(
                silenceMillis -> H2Dialect.connect(urlOf(address)),
                options.searchTimeout(),
                options.maintenanceTimeout(),
                Map.of(),
                Transport.Security.UNVERIFIED);
    }
}
