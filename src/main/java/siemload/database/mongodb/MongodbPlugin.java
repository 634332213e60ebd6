package siemload.database.mongodb;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.ContainerServer.ContainerOptions;

/** MongoDB 6.0 or newer. Stateless and thread-safe. */
public final class MongodbPlugin implements TargetPlugin {
    @Override
    public List<String> programsWithPasswords() {
        return List.of("mongo", "mongosh");
    }

    @Override
    public Optional<OwnLayouts> ownLayouts() {
        return Optional.of(MongodbSearches.FORMAT);
    }

    /** The image's temporary first server does not listen on the network, so a login over the network reaches the final server. */
    @Override
    public Optional<ContainerServer> container(ContainerOptions options) {
        String password = ContainerServer.newPassword();
        return Optional.of(new ContainerServer(
                "mongo:8",
                27_017,
                Map.of("MONGO_INITDB_ROOT_USERNAME", "siemload", "MONGO_INITDB_ROOT_PASSWORD", password),
                List.of(),
                64L << 20,
                false,
                new ServerAddress("mongodb://{host}:{port}/?authSource=admin", "siemload", password),
                this::probe));
    }

    @Override
    public Target connect(ServerAddress address, Target.TargetOptions options) {
        return new MongodbServer(address, options);
    }
}
