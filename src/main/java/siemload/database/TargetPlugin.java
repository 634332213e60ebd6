package siemload.database;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.query.Paging;

/**
 * A kind of database that the suite can load. Found by {@link java.util.ServiceLoader}; one package per database, which
 * nothing else names. Implementations have a public constructor without arguments, keep no state and are thread-safe.
 */
public interface TargetPlugin {

    /** What it is called. */
    Product product();

    /** The name in settings and results: lower case letters. */
    default String id() {
        return product().id();
    }

    /** The name in sentences, as its makers write it. */
    default String name() {
        return product().name();
    }

    /** What it offers: layouts, index sets, hints, ways of paging, and where its server can come from. */
    Abilities abilities();

    /** What else it offers; {@link Offer} says of each what to implement for it. */
    Set<Offer> offers();

    /** Whether this is among what it {@link #offers()}. */
    default boolean offers(Offer offer) {
        return offers().contains(offer);
    }

    /** What it takes of layouts that are folders of one's own; empty if it takes none. */
    default Optional<OwnLayouts> ownLayouts() {
        return Optional.empty();
    }

    /**
     * What a row of a statement has, for people, where it offers {@link Offer#STATEMENTS}.
     *
     * @param row as {@link RowReader.Row#idea} gives it
     */
    default String rowText(byte[] row) {
        return new String(row, StandardCharsets.UTF_8);
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
        return Optional.of(UrlHost.of(url));
    }

    /**
     * The steps of a plan of {@link Plan.Format#JSON}; empty where they are not known, and the text is read best as it is.
     *
     * @param explained may be any JSON: it comes from a file
     */
    default Optional<PlanTree> planTree(JsonNode explained) {
        return Optional.empty();
    }

    /** The settings of its embedded server that differ from start to start and make no difference to what is measured. */
    default Set<String> settingsByChance() {
        return Set.of();
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
    default ExistingTarget connectExisting(ServerAddress address, TargetOptions options) {
        throw new UnsupportedOperationException(name() + " is not asked for what was there before");
    }
}
