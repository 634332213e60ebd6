package siemload.database.mongodb;

import com.mongodb.client.MongoClient;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ClusterType;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.bson.Document;
import siemload.database.ExistingEvents;
import siemload.database.ExistingTarget;
import siemload.database.ServerUse;
import siemload.database.TargetException;
import siemload.database.TargetOptions;
import siemload.database.Transport;
import siemload.database.Variant;

/**
 * The database of a MongoDB server that the url names, as it is. The server has no sessions that only read: users who may write are
 * refused, and nothing but aggregations without a stage that writes is sent.
 */
final class ExistingMongodb implements ExistingTarget {
    private final MongodbConnections connections;
    private final MongoClient client;
    private final String version;
    private final UserRights rights;
    private final Variant variant;

    private ExistingMongodb(
            MongodbConnections connections, MongoClient client, String version, UserRights rights, Variant variant) {
        this.connections = connections;
        this.client = client;
        this.version = version;
        this.rights = rights;
        this.variant = variant;
    }

    static ExistingMongodb connect(MongodbConnections connections, TargetOptions options) {
        if (!connections.namesDatabase()) {
            throw new TargetException("the url does not say which database is asked (write it behind the host:"
                    + " mongodb://host:port/database, or give -Ddatabase)");
        }
        if (!options.parameters().isEmpty()) {
            throw new TargetException("MongoDB sets parameters for the whole server, on which nothing is changed here"
                    + " (leave -Dparameters out)");
        }
        return connections.connect(client -> {
            String version = MongodbServer.version(client, connections);
            requireOneRouter(client.getClusterDescription());
            UserRights rights = UserRights.of(client.getDatabase("admin")
                    .runCommand(new Document("connectionStatus", 1).append("showPrivileges", true)));
            rights.refusal(connections.where()).ifPresent(why -> {
                throw new TargetException(why);
            });
            return new ExistingMongodb(connections, client, version, rights, options.variant());
        });
    }

    /** Drivers choose a router for each command, and a cursor is read on where it was opened. */
    static void requireOneRouter(ClusterDescription cluster) {
        if (cluster.getType() == ClusterType.SHARDED
                && cluster.getServerDescriptions().size() > 1) {
            throw new TargetException(
                    "the url leads to several mongos, but results can be read to their end at one alone"
                            + " (name one of them: mongodb://host:port/database)");
        }
    }

    @Override
    public List<String> rights() {
        return rights.lines();
    }

    @Override
    public String kept() {
        return "an aggregation that writes nothing";
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public SortedMap<String, String> settings() {
        return MongodbServer.settings(client, connections.where());
    }

    @Override
    public Transport transport() {
        return connections.transport(client.getClusterDescription());
    }

    @Override
    public Optional<ServerUse> use() {
        return Optional.of(MongodbErrors.trying(
                "see who uses MongoDB at " + connections.where(),
                () -> new MongodbServerUse(client.getDatabase(connections.database()), client.getDatabase("admin"))
                        .look(List.of())));
    }

    @Override
    public ExistingEvents openEvents() {
        return MongodbErrors.trying(
                "open the database at " + connections.where(),
                () -> new EventsMongodbStore(connections, DocumentVariant.of(variant)));
    }

    @Override
    public void close() {
        client.close();
    }
}
