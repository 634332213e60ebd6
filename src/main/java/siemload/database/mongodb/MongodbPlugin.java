package siemload.database.mongodb;

import java.util.List;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.TargetPlugin;

/** MongoDB 6.0 or newer. Stateless and thread-safe. */
public final class MongodbPlugin implements TargetPlugin {
    @Override
    public List<String> programsWithPasswords() {
        return List.of("mongo", "mongosh");
    }

    @Override
    public Target connect(ServerAddress address, Target.TargetOptions options) {
        return new MongodbServer(address, options);
    }
}
