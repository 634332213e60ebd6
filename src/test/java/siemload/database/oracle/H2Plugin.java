package siemload.database.oracle;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import siemload.database.Abilities;
import siemload.database.EmbeddedServer;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.Product;
import siemload.database.provision.RealServer;
import siemload.database.sql.JdbcServer;

/** The Oracle target on H2 in the memory of this process. Public, since other processes find it as they find any plugin. */
public final class H2Plugin implements TargetPlugin {
    private static final String MODE = ";MODE=Oracle;NON_KEYWORDS=VALUE;DB_CLOSE_DELAY=-1;DEFAULT_LOCK_TIMEOUT=10000";

    private static int servers;

    @Override
    public Product product() {
        Set<Offer> offers = new OraclePlugin().product().offers();
        return new Product(
                "oracle-on-h2", "H2", "the statements for Oracle, run by H2", "", List.of(), Set.of("h2"), offers);
    }

    @Override
    public Abilities abilities() {
        return new OraclePlugin().abilities();
    }

    @Override
    public EmbeddedServer startEmbedded(EmbeddedOptions options) {
        return RealServer.server(new ServerAddress("jdbc:h2:mem:" + newDatabase() + MODE, "sa", ""), () -> {});
    }

    private static String newDatabase() {
        servers++;
        String database = "oracle" + servers;
        H2Dialect.createDictionary("jdbc:h2:mem:" + database + MODE);
        return database;
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        return JdbcServer.connect(new OnH2(address), options);
    }

    /** The dialect, over connections to H2. */
    static final class OnH2 extends OracleDialect {
        private final String url;

        OnH2(ServerAddress address) {
            super(address);
            this.url = address.url();
        }

        @Override
        public Connection open(long silenceMillis) throws SQLException {
            return H2Dialect.connect(url);
        }
    }
}
