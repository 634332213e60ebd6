package siemload.database;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import siemload.config.ConfigException;
import siemload.config.DatabaseNotation;
import siemload.config.UrlForm;
import siemload.database.ContainerServer.ContainerOptions;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.Target.TargetOptions;
import siemload.query.PageClass;
import siemload.query.Paging;
import siemload.query.Search;

/**
 * A kind of database that the suite can load. Found by {@link java.util.ServiceLoader}; one package per database, which
 * nothing else names. Implementations have a public constructor without arguments, keep no state and are thread-safe.
 */
public interface TargetPlugin extends DatabaseNotation {
    /** The host in urls of the common form {@code //user@host:port/name}; drivers go to this machine where there is none. */
    Pattern HOST = Pattern.compile("(?<!/)//(?!/)(?:[^/?@]*@)?(\\[[^\\]]+\\]|[^/?:,]+)");

    static List<TargetPlugin> all() {
        return ServiceLoader.load(TargetPlugin.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(TargetPlugin::id))
                .toList();
    }

    /** The names of those of which this holds, for people: with commas between. */
    static String names(Predicate<TargetPlugin> those) {
        return all().stream().filter(those).map(TargetPlugin::id).collect(Collectors.joining(", "));
    }

    static Optional<TargetPlugin> find(String id) {
        return all().stream().filter(plugin -> plugin.id().equals(id)).findFirst();
    }

    /** What it is called, and what it offers beside {@link #abilities}. */
    Product product();

    /** The name in settings and results: lower case letters. */
    default String id() {
        return product().id();
    }

    @Override
    default String target() {
        return id();
    }

    /** None for what lives in this process. */
    @Override
    default List<UrlForm> urlForms() {
        return List.of();
    }

    /** The name in sentences, as its makers write it. */
    default String name() {
        return product().name();
    }

    /** What it offers: layouts, index sets, hints, ways of paging, and where its server can come from. */
    Abilities abilities();

    default boolean offers(Offer offer) {
        return product().offers().contains(offer);
    }

    /** What it takes of layouts that are folders of one's own; empty if it takes none. */
    default Optional<OwnLayouts> ownLayouts() {
        return Optional.empty();
    }

    /**
     * Why this combination of offered parts cannot be had, with what can; empty if it can.
     *
     * @param variant every part of it is offered by {@link #abilities()}
     */
    default Optional<String> refusal(Variant variant) {
        return variant.hint().conflictWith(variant.indexes());
    }

    /**
     * Why the server's own parameters cannot be set for a run, as far as that is known before the server is asked, with what
     * can; empty if nothing speaks against it.
     *
     * @param parameters by name, at least one
     */
    default Optional<String> refusal(Variant variant, Provision provision, Map<String, String> parameters) {
        return Optional.of("it takes no parameters (leave them out)");
    }

    /**
     * Why these parameters cannot be set by a file, which somebody else may have written: only such as cannot make the server
     * execute, read or write anything can; empty if all of them can.
     *
     * @param parameters by name
     */
    default Optional<String> refusalFromFile(Map<String, String> parameters) {
        return Optional.of("no parameter of " + id() + " can be set by a file");
    }

    /**
     * Starts a server of its own on this machine and returns when it accepts connections.
     *
     * @throws TargetException if it cannot be started; the message says why and what can be done
     * @throws UnsupportedOperationException if {@link #abilities()} do not offer {@link Provision#EMBEDDED}
     */
    default EmbeddedServer startEmbedded(EmbeddedOptions options) {
        throw new UnsupportedOperationException("there is no embedded " + name());
    }

    /**
     * Connects as a run would, for a moment.
     *
     * @throws TargetException until the server is ready for a run
     */
    default void probe(ServerAddress address) {
        Variant variant = new Variant(abilities().layouts().get(0), IndexSet.NONE, Hint.NONE, Paging.OFFSET);
        connect(address, new TargetOptions(variant, Duration.ofSeconds(5), 1)).close();
    }

    /**
     * How its server runs in a container; empty if {@link #abilities()} do not offer {@link Provision#CONTAINER}. The
     * server should be set up as the embedded one, where there is one, within the limits of the container.
     */
    default Optional<ContainerServer> container(ContainerOptions options) {
        return Optional.empty();
    }

    /**
     * The host to which a url of its driver leads, the first of several: a name or an address, of IPv6 in brackets; empty
     * where the url does not tell.
     */
    default Optional<String> host(String url) {
        Matcher host = HOST.matcher(url);
        return Optional.of(host.find() ? host.group(1) : "localhost");
    }

    /**
     * Connects to a server.
     *
     * @throws TargetException if it cannot be reached, refuses the user, or is too old or too small for the options
     */
    Target connect(ServerAddress address, TargetOptions options);

    /**
     * Connects to the database that the url names, to ask for what is in it. Nothing is written there.
     *
     * @throws TargetException as {@link #connect}, or if the user could do harm that no read-only session keeps it from
     * @throws UnsupportedOperationException unless it offers {@link Offer#STATEMENTS}, or takes layouts without loading
     */
    default Target connectExisting(ServerAddress address, TargetOptions options) {
        throw new UnsupportedOperationException(name() + " is not asked for what was there before");
    }

    /**
     * What a kind of database is called, by users, by the system it runs on and by Maven, and what it offers. Immutable.
     *
     * @param id the name in settings and results: lower case letters
     * @param name the name in sentences, as its makers write it
     * @param title one line for a list of targets
     * @param howToVerify what makes the driver verify the server, for people, as the end of a sentence that begins with "give";
     *     empty without a network
     * @param processNames how the names of its server's processes begin: whose CPU time the database's is, where it runs on this
     *     machine
     * @param driverJars the jars through which it talks to a server, without versions: {@code ArchitectureTest} checks that none
     *     is missing. The versions of all of them are written down with every run
     */
    record Product(
            String id,
            String name,
            String title,
            String howToVerify,
            List<String> processNames,
            Set<String> driverJars,
            Set<Offer> offers) {

        /** One that works in this process, without a driver. */
        public static Product inProcess(String id, String name, String title, Offer... offers) {
            return new Product(id, name, title, "", List.of(), Set.of(), Set.of(offers));
        }
    }

    /**
     * What a database may have beside loads, feeders and searches. A plugin that {@link Product#offers offers} one implements what
     * stands there; where it does not, whoever asks for it is refused before a server is touched.
     */
    enum Offer {
        /** Transactions of a scenario's own statements: {@link Store#transactions}. */
        TRANSACTIONS,
        /** The events of a day are removed while others search: {@link Store#dayRemoval}. */
        DAY_REMOVAL,
        /** The database itself stores what it sums up: {@link Store#createTrends} and {@link SearchSession#store}. */
        TRENDS,
        /** Replicas of the server are searched: {@link Target#connectReplica}. */
        REPLICAS,
        /** Several processes work on the store of one run: {@link Target#join}. */
        SHARED_STORES,
        /**
         * A database that is there already is asked, also by statements that {@link siemload.query.Statement#writes write}: {@link
         * TargetPlugin#connectExisting}.
         */
        STATEMENTS
    }

    /** What a target takes of layouts of one's own, and the files of its own ones to begin with. Stateless and thread-safe. */
    interface OwnLayouts {

        /**
         * What the target offers with a layout; the only layout is that one, by its label.
         *
         * @throws ConfigException with everything that is wrong with the files
         */
        Abilities abilities(LayoutFolder layout);

        /**
         * Whether a layout says how to search data that are there already, and neither loads nor feeds any: see {@link
         * Target#openEvents}.
         *
         * @throws ConfigException as {@link #abilities}
         */
        boolean isForSearchesAlone(LayoutFolder layout);

        /**
         * Tells which block of its layout a search needs that is not there, for a search that users come to in this way; empty where none
         * is missing. Only a layout for searches alone may lack anything. Thread-safe.
         *
         * @param variant has a layout of one's own
         * @throws ConfigException as {@link #abilities}
         */
        BiFunction<Search, PageClass, Optional<String>> missing(Variant variant);

        /** The files of one of the target's layouts, by their names. */
        SortedMap<String, String> files(String layout, Partitions partitions);
    }
}
