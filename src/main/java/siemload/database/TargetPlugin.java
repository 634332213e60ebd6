package siemload.database;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import siemload.config.ConfigException;
import siemload.config.DatabaseNotation;
import siemload.config.RegularFile;
import siemload.config.UrlForm;
import siemload.database.TargetPlugin.ContainerServer.ContainerOptions;
import siemload.database.TargetPlugin.EmbeddedServer.EmbeddedOptions;
import siemload.query.PageClass;
import siemload.query.Paging;
import siemload.query.Search;

/**
 * A kind of database. The {@link java.util.ServiceLoader} finds plugins; each database has its own package, which no other code names.
 * Implementations have a public constructor without arguments, keep no state and are thread-safe.
 */
public interface TargetPlugin extends DatabaseNotation {
    /** The host in urls of the common form {@code //user@host:port/name}; if a url has no host, drivers connect to this machine. */
    Pattern HOST = Pattern.compile("(?<!/)//(?!/)(?:[^/?@]*@)?(\\[[^\\]]+\\]|[^/?:,]+)");

    static List<TargetPlugin> all() {
        return ServiceLoader.load(TargetPlugin.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(TargetPlugin::id))
                .toList();
    }

    /** Returns the names of the plugins that match, separated by commas, for people. */
    static String names(Predicate<TargetPlugin> those) {
        return all().stream().filter(those).map(TargetPlugin::id).collect(Collectors.joining(", "));
    }

    static Optional<TargetPlugin> find(String id) {
        return all().stream().filter(plugin -> plugin.id().equals(id)).findFirst();
    }

    /** Returns the plugin's names and everything it offers, from the file {@code product.yaml} next to its class. */
    default Product product() {
        return Product.of(getClass());
    }

    default String id() {
        return product().id();
    }

    @Override
    default String target() {
        return id();
    }

    @Override
    default List<UrlForm> urlForms() {
        return product().urls();
    }

    @Override
    default String urlOptions() {
        return product().urlOptions();
    }

    default String name() {
        return product().name();
    }

    /** Returns the layouts, index sets, hints, ways of paging and sources of a server that this plugin offers. */
    default Abilities abilities() {
        return product().abilities();
    }

    default boolean offers(Offer offer) {
        return product().offers().contains(offer);
    }

    /** The reader for users' own layout folders; empty if the target accepts none. */
    default Optional<OwnLayouts> ownLayouts() {
        return Optional.empty();
    }

    /**
     * Returns why this combination is not possible, with the possible combinations; empty if it is possible.
     *
     * @param variant every part of it is offered by {@link #abilities()}
     */
    default Optional<String> refusal(Variant variant) {
        return variant.hint().conflictWith(variant.indexes());
    }

    /**
     * Returns why these parameters of the server cannot be set for a run, and which ones can, as far as known without the server; empty if
     * all can be set.
     *
     * @param parameters by name, at least one
     */
    default Optional<String> refusal(Variant variant, Provision provision, Map<String, String> parameters) {
        return Optional.of("this target takes no parameters (remove them)");
    }

    /**
     * Returns why a file may not set these parameters; empty if the file may. Somebody else may have written the file, so it may set only
     * parameters that cannot make the server execute, read or write anything.
     *
     * @param parameters by name
     */
    default Optional<String> refusalFromFile(Map<String, String> parameters) {
        return Optional.of("no parameter of " + id() + " can be set by a file");
    }

    /** Returns those of a run's parameters that a server has from its start on; runs that agree in them can share the server. */
    default Map<String, String> startParameters(Map<String, String> parameters) {
        return parameters;
    }

    /**
     * Starts a separate server on this machine and returns when it accepts connections.
     *
     * @throws TargetException if it cannot be started; the message says why and what can be done
     * @throws UnsupportedOperationException if {@link #abilities()} do not offer {@link Provision#EMBEDDED}
     */
    default EmbeddedServer startEmbedded(EmbeddedOptions options) {
        throw new UnsupportedOperationException("there is no embedded " + name());
    }

    /**
     * Connects to the server for a moment, as a run would.
     *
     * @throws TargetException until the server is ready for a run
     */
    default void probe(ServerAddress address) {
        Variant variant = new Variant(abilities().layouts().get(0), IndexSet.NONE, Hint.NONE, Paging.OFFSET);
        connect(address, new Target.TargetOptions(variant, Duration.ofSeconds(5), 1))
                .close();
    }

    /**
     * Returns the settings of the database's server in a container; empty if {@link #abilities()} do not offer {@link Provision#CONTAINER}.
     * Within the limits of the container, the server should be configured like the embedded server, if there is one.
     */
    default Optional<ContainerServer> container(ContainerOptions options) {
        return Optional.empty();
    }

    /** Returns the first host in a url of the driver: a name or an address, IPv6 in brackets; empty if it is unknown. */
    default Optional<String> host(String url) {
        Matcher host = HOST.matcher(url);
        return Optional.of(host.find() ? host.group(1) : "localhost");
    }

    /**
     * Connects to a server.
     *
     * @throws TargetException if it cannot be reached, refuses the user, or is too old or too small for the options
     */
    Target connect(ServerAddress address, Target.TargetOptions options);

    /**
     * Connects to the existing database that the url names, and writes nothing there.
     *
     * @throws TargetException as {@link #connect}, or if the user could do harm that no read-only session prevents
     * @throws UnsupportedOperationException unless the target offers {@link Offer#STATEMENTS}, or takes layouts without loading
     */
    default Target connectExisting(ServerAddress address, Target.TargetOptions options) {
        throw new UnsupportedOperationException(name() + " cannot search existing data");
    }

    /**
     * The names of a kind of database, for users, the operating system and Maven, and what it offers. Immutable.
     *
     * @param id the name in settings and results: lower case letters
     * @param name the name for sentences, as its vendor writes it
     * @param title one line for a list of targets
     * @param howToVerify the option that makes the driver verify the server, for people, as the end of a sentence that begins with "give";
     *     empty without a network
     * @param processNames prefixes of the names of its server's processes; their CPU time on this machine counts as the database's
     * @param driverJars the jars of its driver, without versions: {@code ArchitectureTest} checks that none is missing. Every run records
     *     the versions of all of them
     * @param urlOptions the options that its urls may have, separated by white space
     * @param urls the forms of its urls; none for a target within this process
     */
    record Product(
            String id,
            String name,
            String title,
            String howToVerify,
            List<String> processNames,
            Set<String> driverJars,
            Set<Offer> offers,
            String urlOptions,
            List<UrlForm> urls,
            Abilities abilities) {
        private static final ObjectMapper YAML = YAMLMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                .build();
        private static final Map<Class<?>, Product> READ = new ConcurrentHashMap<>();

        static Product of(Class<?> plugin) {
            return READ.computeIfAbsent(plugin, read -> {
                try {
                    return YAML.readValue(RegularFile.resource(read, "product.yaml"), Product.class);
                } catch (JsonProcessingException wrong) {
                    throw new IllegalStateException("product.yaml of " + read.getName() + " cannot be read", wrong);
                }
            });
        }
    }

    /**
     * An optional ability, in addition to loads, feeders and searches. A plugin that {@link Product#offers offers} an ability implements
     * the methods named in the ability's comment. Without the offer, use of the ability is refused before a server is touched.
     */
    enum Offer {
        /** Transactions of a scenario's own statements: {@link Store#transactions}. */
        TRANSACTIONS,
        /** Removing the events of a day while others search: {@link Store#dayRemoval}. */
        DAY_REMOVAL,
        /** Summaries that the database itself stores: {@link Store#createTrends} and {@link SearchSession#store}. */
        TRENDS,
        /** Searching replicas of the server: {@link Target#connectReplica}. */
        REPLICAS,
        /** Several processes on the store of one run: {@link Target#join}. */
        SHARED_STORES,
        /**
         * Statements on an existing database, including those that {@link siemload.query.Statement#writes write}: {@link
         * TargetPlugin#connectExisting}.
         */
        STATEMENTS
    }

    /** Reads users' layouts, and provides the files of the target's own layouts for users to start from. Stateless and thread-safe. */
    interface OwnLayouts {

        /**
         * Returns the abilities of the target with this user's layout, whose label is then the only name in the list of layouts.
         *
         * @throws ConfigException with all problems of the files
         */
        Abilities abilities(LayoutFolder layout);

        /**
         * Returns whether a layout only describes searches of existing data, without loading or feeding: see {@link Target#openEvents}.
         *
         * @throws ConfigException as {@link #abilities}
         */
        boolean isForSearchesAlone(LayoutFolder layout);

        /**
         * Returns a function that names a block that the layout lacks for a search and its class of page; empty if the layout lacks no
         * block. Only a layout without loading may lack blocks. Thread-safe.
         *
         * @param variant with a user's layout
         * @throws ConfigException as {@link #abilities}
         */
        BiFunction<Search, PageClass, Optional<String>> missing(Variant variant);

        /** The files of one of the target's own layouts, by name. */
        SortedMap<String, String> files(String layout, Partitions partitions);
    }

    /**
     * The abilities of a target. In each list the default comes first; anything not listed is refused. Immutable, as its lists are.
     *
     * @param layouts the names of its layouts
     * @param partitions how it can partition the tables of its layouts
     * @param indexSets the index sets it can build
     * @param hints the hints it can express
     * @param pagings the ways of paging it can serve
     * @param provisions where its server can come from
     * @param bytesPerEvent the disk space one loaded event takes with tables and indexes, for the check before a load
     */
    public record Abilities(
            List<String> layouts,
            List<Partitions> partitions,
            List<IndexSet> indexSets,
            List<Hint> hints,
            List<Paging> pagings,
            List<Provision> provisions,
            int bytesPerEvent) {}

    /**
     * The settings of a target's server in a container. The server must store everything in the container or in a volume that the image
     * declares; container and volumes are removed together. The text form never shows the environment, which holds a password. Immutable.
     *
     * @param image the image, with its tag, unless the user names another one
     * @param port the TCP port on which the server listens inside the container
     * @param environment the environment variables for the image; the place for a {@link #newPassword()}
     * @param command the arguments of the image's entry point, without secrets: they are stored with the results
     * @param sharedMemoryBytes the size of {@code /dev/shm}, part of the container's memory
     * @param gainsRights whether the image's programs gain rights while they run; then Docker's default rights are not restricted
     * @param address the server's address, with {@code {host}} and {@code {port}} in its URL for what Docker decides, and a user who may do
     *     everything that a run needs
     * @param probe asks the server for something that only works once it is ready for a run, for instance a login as the user of the
     *     address. The probe must fail while the image's entry point still creates users or restarts a temporary first server: it throws a
     *     {@link TargetException} within half a minute
     */
    public record ContainerServer(
            String image,
            int port,
            Map<String, String> environment,
            List<String> command,
            long sharedMemoryBytes,
            boolean gainsRights,
            ServerAddress address,
            Consumer<ServerAddress> probe) {

        /** Returns a password for one start of a server, in a form that any database accepts: 29 letters and digits, a letter first. */
        public static String newPassword() {
            return "s" + UUID.randomUUID().toString().replace("-", "").substring(0, 28);
        }

        /** Returns the address at which this process can reach the server. */
        public ServerAddress at(String host, int mappedPort) {
            String url = address.url().replace("{host}", host).replace("{port}", Integer.toString(mappedPort));
            return new ServerAddress(url, address.user(), address.password());
        }

        @Override
        public String toString() {
            return "ContainerServer[image=" + image + ", port=" + port + ", command=" + command + "]";
        }

        /**
         * The resources and parameters for the container of a server. Immutable.
         *
         * @param memoryBytes the limit of its memory; the server should use as much of it as an expert would configure
         * @param cpus the limit of its processors
         * @param sessions how many connections the server must accept at once
         * @param parameters the run's parameters by name; the server takes those that can only be set at its start
         */
        public record ContainerOptions(long memoryBytes, double cpus, int sessions, Map<String, String> parameters) {
            public ContainerOptions {
                parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
            }
        }
    }

    /**
     * A server that siemload started, or a server of which only the address is known. Closing stops a started server; closing twice is
     * harmless. Thread-safe.
     */
    @FunctionalInterface
    public interface EmbeddedServer extends AutoCloseable {

        ServerAddress address();

        /** Returns remarks about the starts and the end of the server, for people, each in one line. */
        default List<String> notes() {
            return List.of();
        }

        /** Returns why the server ended by itself, in one line with advice; empty while the server runs, or if the reason is unknown. */
        default String causeOfEnd() {
            return "";
        }

        /** The process that is the ancestor of all server processes; empty if the server has no process of its own. */
        default OptionalLong process() {
            return OptionalLong.empty();
        }

        /** The directory with all files of the server; empty if the server has no files and so cannot be restarted. */
        default Optional<Path> files() {
            return Optional.empty();
        }

        /**
         * Restarts the server at the same address with the same data. All connections to the server break.
         *
         * @param whileStopped runs while the server is stopped; the server is started even if this fails
         * @throws TargetException if it does not stop or start
         * @throws UnsupportedOperationException if it has no {@link #files}
         */
        default void restart(Runnable whileStopped) {
            throw new UnsupportedOperationException("this server cannot be restarted");
        }

        /** Stops the server; does nothing if the server is this process itself, or belongs to somebody else. */
        @Override
        default void close() {}

        /**
         * The options for starting an embedded server. Immutable.
         *
         * @param directory where it keeps its data between runs; created if missing
         * @param sessions how many connections it must accept at once
         * @param parameters the run's parameters by name; the server takes those that can only be set at its start
         */
        record EmbeddedOptions(Path directory, int sessions, Map<String, String> parameters) {

            public EmbeddedOptions {
                parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
            }
        }
    }
}
