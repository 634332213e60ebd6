package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.bson.Document;
import siemload.database.FirstNames;
import siemload.database.ServerUse;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.database.TargetOptions;
import siemload.database.Transport;
import siemload.database.registry.Entry.Purpose;
import siemload.database.registry.Registry;
import siemload.database.registry.RegistryStorage;
import siemload.database.registry.ServerObjects;
import siemload.database.server.DatabaseServer;
import siemload.database.server.EventTables;
import siemload.database.server.RunCopy;

/**
 * A MongoDB server, with a client for what happens outside runs. In one database lie the collections
 * {@code siemload_data_<fingerprint>_<random>} of data sets, {@code siemload_run_<run id>_<random>} of runs, and
 * {@code siemload_registry}, which knows whose they are. Nobody else's may lie among them.
 */
record MongodbServer(
        MongodbConnections connections,
        MongoClient client,
        DocumentVariant variant,
        String version,
        MongodbRunParameters parameters,
        Transport transport)
        implements DatabaseServer {
    private static final int OLDEST_VERSION = 6;
    private static final String OURS = "siemload_";
    private static final String OF_THE_SERVER = "system.";
    /** The namespace, with the database's name, may have 255 bytes; indexes have longer ones. */
    private static final int LONGEST_NAME = 100;

    private static final int SHOWN = 3;
    private static final Pattern SECRET = Pattern.compile("password|secret", Pattern.CASE_INSENSITIVE);

    /** @throws TargetException also if collections of others lie in the database */
    static MongodbServer connect(MongodbConnections connections, TargetOptions options) {
        DocumentVariant variant = DocumentVariant.of(options.variant());
        return connections.connect(client -> {
            String version = version(client, connections);
            requireOwn(client.getDatabase(connections.database()));
            MongodbRunParameters set = MongodbRunParameters.set(client.getDatabase("admin"), options.parameters());
            Transport transport = connections.transport(client.getClusterDescription());
            return new MongodbServer(connections, client, variant, version, set, transport);
        });
    }

    /** @throws TargetException if it is too old */
    static String version(MongoClient client, MongodbConnections connections) {
        String version = client.getDatabase(connections.database())
                .runCommand(new Document("buildInfo", 1))
                .getString("version");
        requireVersion(version, connections.where());
        return version;
    }

    private static void requireVersion(String version, String where) {
        if (Integer.parseInt(version.split("\\.", 2)[0]) < OLDEST_VERSION) {
            throw new TargetException(
                    "MongoDB at " + where + " is version " + version + "; version 6.0 or newer is needed");
        }
    }

    private static void requireOwn(MongoDatabase database) {
        List<String> others = names(database).stream()
                .filter(name -> !name.startsWith(OURS) && !name.startsWith(OF_THE_SERVER))
                .toList();
        if (!others.isEmpty()) {
            throw new TargetException("the database " + database.getName()
                    + " holds collections that are not siemload's ("
                    + FirstNames.of(others, SHOWN)
                    + "), among which its own would lie; name another database, which need not exist yet:"
                    + " -Ddatabase=siemload");
        }
    }

    private static List<String> names(MongoDatabase database) {
        return database.listCollectionNames().into(new ArrayList<>()).stream()
                .sorted()
                .toList();
    }

    private MongoDatabase database() {
        return client.getDatabase(connections.database());
    }

    @Override
    public String place() {
        return "MongoDB at " + connections.where();
    }

    @Override
    public SortedMap<String, String> settings() {
        SortedMap<String, String> settings = settings(client, connections.where());
        settings.putAll(parameters.values());
        return settings;
    }

    /** As the server was started, where the user may see that. */
    static SortedMap<String, String> settings(MongoClient client, String where) {
        try {
            return settings(client.getDatabase("admin").runCommand(new Document("getCmdLineOpts", 1)));
        } catch (MongoException e) {
            if (e.getCode() == MongodbErrors.UNAUTHORIZED) {
                return new TreeMap<>(Map.of("settings", "unknown: the user lacks the role clusterMonitor"));
            }
            throw MongodbErrors.outsideRun("cannot read the settings of MongoDB at " + where, e);
        }
    }

    /** From the answer of {@code getCmdLineOpts}, by dotted names; without those settings that could be a secret. */
    static SortedMap<String, String> settings(Document started) {
        SortedMap<String, String> settings = new TreeMap<>();
        addSettings(settings, "", started.get("parsed", new Document()));
        return settings;
    }

    private static void addSettings(SortedMap<String, String> settings, String prefix, Document options) {
        options.forEach((key, value) -> {
            String name = prefix + key;
            if (value instanceof Document section) {
                addSettings(settings, name + ".", section);
            } else if (!SECRET.matcher(name).find()) {
                settings.put(name, String.valueOf(value));
            }
        });
    }

    @Override
    public ServerUse use() {
        return MongodbErrors.trying(
                "see who uses " + place(), () -> new MongodbServerUse(database(), client.getDatabase("admin")).look());
    }

    @Override
    public RegistryStorage registry() {
        return new CollectionRegistry(database());
    }

    @Override
    public ServerObjects objects() {
        return new RegisteredCollections(database(), client.getDatabase("admin"));
    }

    @Override
    public String newName(Purpose purpose, String fingerprint, String runId) {
        return purpose == Purpose.RUN || purpose == Purpose.READING
                ? Registry.name("siemload_run_", runId.replaceAll("[^A-Za-z0-9-]", "-"), LONGEST_NAME)
                : Registry.name("siemload_data_", fingerprint, LONGEST_NAME);
    }

    @Override
    public EventTables tables(String name) {
        return new EventCollection(client.getDatabase(connections.database()), name, variant);
    }

    @Override
    public List<String> strangers(Set<String> ours) {
        return MongodbErrors.trying("list the collections of " + connections.where(), () -> names(database())).stream()
                .filter(name -> name.startsWith(OURS) && !name.equals(CollectionRegistry.COLLECTION))
                .filter(name -> !ours.contains(MongodbTrends.eventsOf(name).orElse(name)))
                .map(name -> "collection " + name)
                .toList();
    }

    @Override
    public Store openStore(RunCopy copy) {
        return new MongodbStore(connections, copy, client, variant);
    }

    @Override
    public void close() {
        parameters.close();
        client.close();
    }
}
