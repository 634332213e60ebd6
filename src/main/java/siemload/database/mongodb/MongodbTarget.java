package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ServerDescription;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import siemload.database.DatasetKey;
import siemload.database.DatasetLoad;
import siemload.database.ServerUse;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.TargetOptions;
import siemload.database.Transport;
import siemload.database.Variant;
import siemload.database.registry.Entry;

/** A MongoDB server, with a client for what happens outside runs. */
final class MongodbTarget implements Target {
    private static final int OLDEST_VERSION = 6;

    private final MongodbConnections connections;
    private final MongoClient client;
    private final Variant variant;
    private final String version;
    private final MongodbDatasets datasets;
    private final MongodbRunParameters parameters;
    private final Transport transport;

    private MongodbTarget(
            MongodbConnections connections,
            MongoClient client,
            MongodbDatasets datasets,
            Variant variant,
            String version,
            MongodbRunParameters parameters,
            Transport transport) {
        this.connections = connections;
        this.client = client;
        this.variant = variant;
        this.version = version;
        this.parameters = parameters;
        this.transport = transport;
        this.datasets = datasets;
    }

    static MongodbTarget connect(MongodbConnections connections, TargetOptions options) {
        MongoClient client = connections.open();
        try {
            String version = command(client.getDatabase(connections.database()), "buildInfo")
                    .getString("version")
                    .getValue();
            requireVersion(version, connections.where());
            Variant variant = options.variant();
            MongodbDatasets datasets = new MongodbDatasets(client, connections.database(), variant.indexes());
            MongodbRunParameters set = MongodbRunParameters.set(client.getDatabase("admin"), options.parameters());
            Transport transport = connections.transport(client.getClusterDescription());
            return new MongodbTarget(connections, client, datasets, variant, version, set, transport);
        } catch (MongoException e) {
            String tried = "cannot connect to MongoDB at " + connections.where();
            TargetException failed = e instanceof MongoTimeoutException
                    ? unreachable(tried, client, e)
                    : MongodbErrors.outsideRun(tried, e);
            client.close();
            throw failed;
        } catch (TargetException e) {
            client.close();
            throw e;
        }
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public Transport transport() {
        return transport;
    }

    @Override
    public SortedMap<String, String> settings() {
        try {
            SortedMap<String, String> settings =
                    new TreeMap<>(MongodbServerSettings.of(command(client.getDatabase("admin"), "getCmdLineOpts")));
            settings.putAll(parameters.values());
            return settings;
        } catch (MongoException e) {
            if (e.getCode() == MongodbErrors.UNAUTHORIZED) {
                return new TreeMap<>(Map.of("settings", "unknown: the user lacks the role clusterMonitor"));
            }
            throw MongodbErrors.outsideRun("cannot read the settings of MongoDB at " + connections.where(), e);
        }
    }

    @Override
    public Optional<ServerUse> use() {
        try {
            return Optional.of(MongodbServerUse.at(datasets.database(), client.getDatabase("admin")));
        } catch (MongoException e) {
            throw MongodbErrors.outsideRun("cannot see who uses MongoDB at " + connections.where(), e);
        }
    }

    @Override
    public boolean holds(DatasetKey key) {
        return datasets.kept(key).isPresent();
    }

    @Override
    public void discard(DatasetKey key) {
        datasets.discard(key);
    }

    @Override
    public List<String> strangers() {
        try {
            return datasets.strangers();
        } catch (MongoException e) {
            throw MongodbErrors.outsideRun("cannot list the collections of " + connections.where(), e);
        }
    }

    @Override
    public DatasetLoad load(DatasetKey key) {
        return MongodbLoad.start(datasets, key);
    }

    @Override
    public Store copy(DatasetKey key, String runId) {
        Entry kept = datasets.kept(key)
                .orElseThrow(() -> new TargetException("the data set '" + key.label()
                        + "' is not loaded into MongoDB at " + connections.where() + "; load it first"));
        return new MongodbStore(connections, new RunCopy(datasets, datasets.copy(kept, runId)), variant);
    }

    @Override
    public Store emptyStore(String runId) {
        return new MongodbStore(connections, new RunCopy(datasets, datasets.createForRun(runId)), variant);
    }

    @Override
    public void close() {
        parameters.close();
        datasets.close();
        client.close();
    }

    private static BsonDocument command(MongoDatabase database, String name) {
        return database.runCommand(new BsonDocument(name, new BsonInt32(1)), BsonDocument.class);
    }

    private static void requireVersion(String version, String where) {
        if (Integer.parseInt(version.split("\\.", 2)[0]) < OLDEST_VERSION) {
            throw new TargetException(
                    "MongoDB at " + where + " is version " + version + "; version 6.0 or newer is needed");
        }
    }

    /** The driver's own words are a dump of all it knows; the reason is what it met at the server. */
    private static TargetException unreachable(String tried, MongoClient client, MongoException e) {
        String reason = client.getClusterDescription().getServerDescriptions().stream()
                .map(ServerDescription::getException)
                .filter(met -> met != null)
                .findFirst()
                .map(met -> ": " + rootOf(met).getMessage())
                .orElse("");
        return new TargetException(tried + reason + ". Check host and port in the url, and that the server runs.", e);
    }

    private static Throwable rootOf(Throwable error) {
        Throwable cause = error.getCause();
        return cause == null || cause == error ? error : rootOf(cause);
    }
}
