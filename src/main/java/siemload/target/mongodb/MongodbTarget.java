package siemload.target.mongodb;

import com.mongodb.MongoException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ServerDescription;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import siemload.target.DatasetKey;
import siemload.target.DatasetLoad;
import siemload.target.Store;
import siemload.target.Target;
import siemload.target.TargetException;
import siemload.target.TargetOptions;
import siemload.target.Variant;

/** A MongoDB server, with a client for what happens outside runs. */
final class MongodbTarget implements Target {
    private static final int OLDEST_VERSION = 6;

    private final Connections connections;
    private final MongoClient client;
    private final Variant variant;
    private final String version;
    private final Datasets datasets;
    private final RunParameters parameters;

    private MongodbTarget(
            Connections connections, MongoClient client, Variant variant, String version, RunParameters parameters) {
        this.connections = connections;
        this.client = client;
        this.variant = variant;
        this.version = version;
        this.parameters = parameters;
        this.datasets = new Datasets(client.getDatabase(connections.database()), variant.indexes());
    }

    static MongodbTarget connect(Connections connections, TargetOptions options) {
        MongoClient client = connections.open();
        try {
            String version = command(client.getDatabase(connections.database()), "buildInfo")
                    .getString("version")
                    .getValue();
            requireVersion(version, connections.where());
            RunParameters set = RunParameters.set(client.getDatabase("admin"), options.parameters());
            return new MongodbTarget(connections, client, options.variant(), version, set);
        } catch (MongoException e) {
            String tried = "cannot connect to MongoDB at " + connections.where();
            TargetException failed = e instanceof MongoTimeoutException
                    ? unreachable(tried, client, e)
                    : MongoErrors.outsideRun(tried, e);
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
    public SortedMap<String, String> settings() {
        try {
            SortedMap<String, String> settings =
                    new TreeMap<>(ServerSettings.of(command(client.getDatabase("admin"), "getCmdLineOpts")));
            settings.putAll(parameters.values());
            return settings;
        } catch (MongoException e) {
            if (e.getCode() == MongoErrors.UNAUTHORIZED) {
                return new TreeMap<>(Map.of("settings", "unknown: the user lacks the role clusterMonitor"));
            }
            throw MongoErrors.outsideRun("cannot read the settings of MongoDB at " + connections.where(), e);
        }
    }

    @Override
    public boolean holds(DatasetKey key) {
        return datasets.holds(key);
    }

    @Override
    public DatasetLoad load(DatasetKey key) {
        return MongodbLoad.start(datasets, key);
    }

    @Override
    public Store copy(DatasetKey key, String runId) {
        if (!holds(key)) {
            throw new TargetException("the data set '" + key.label() + "' is not loaded into MongoDB at "
                    + connections.where() + "; load it first");
        }
        return new MongodbStore(connections, RunCopy.of(datasets, key, runId), variant);
    }

    @Override
    public Store emptyStore(String runId) {
        return new MongodbStore(connections, RunCopy.empty(datasets, runId), variant);
    }

    @Override
    public void close() {
        parameters.close();
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
