package siemload.query;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a search is called in files and results. Names are the same if their letters are. The searches that siemload brings
 * come first, in the order of the catalogue: first the ten of the CESNET study by its names, then what the Hawat pages ask
 * beside them, then the trends that databases store, for which nobody can ask; new ones come last, what is drawn for the others
 * stays as it is. After them come all other names, by their letters. {@link SearchCatalog} says what each asks for. Immutable.
 *
 * @param name a letter, and up to 39 letters, digits and {@code _} of ASCII: a dash ends it in the names of logs
 */
public record SearchName(String name) implements Comparable<SearchName> {
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,39}");

    public static final SearchName MENTAT = new SearchName("MENTAT");
    public static final SearchName HAWAT1 = new SearchName("HAWAT1");
    public static final SearchName HAWAT2 = new SearchName("HAWAT2");
    public static final SearchName HAWAT3 = new SearchName("HAWAT3");
    public static final SearchName HAWAT4 = new SearchName("HAWAT4");
    public static final SearchName HAWAT5 = new SearchName("HAWAT5");
    public static final SearchName HAWAT6 = new SearchName("HAWAT6");
    public static final SearchName HAWAT7 = new SearchName("HAWAT7");
    public static final SearchName OTHER1 = new SearchName("OTHER1");
    public static final SearchName OTHER2 = new SearchName("OTHER2");
    public static final SearchName DETAIL = new SearchName("DETAIL");
    public static final SearchName TEXT = new SearchName("TEXT");
    public static final SearchName TIMELINE = new SearchName("TIMELINE");
    public static final SearchName TOPLIST = new SearchName("TOPLIST");
    public static final SearchName SERVICE = new SearchName("SERVICE");
    public static final SearchName TOPPORTS = new SearchName("TOPPORTS");
    public static final SearchName SOURCE = new SearchName("SOURCE");
    public static final SearchName TARGET = new SearchName("TARGET");
    public static final SearchName SOURCENET = new SearchName("SOURCENET");
    public static final SearchName TARGETNET = new SearchName("TARGETNET");
    public static final SearchName WITHIN = new SearchName("WITHIN");
    public static final SearchName SOURCELIST = new SearchName("SOURCELIST");
    public static final SearchName TARGETLIST = new SearchName("TARGETLIST");
    public static final SearchName PORT = new SearchName("PORT");
    public static final SearchName SOURCEPORT = new SearchName("SOURCEPORT");
    public static final SearchName TARGETPORT = new SearchName("TARGETPORT");
    public static final SearchName DESCRIPTION = new SearchName("DESCRIPTION");
    public static final SearchName TOPCATEGORIES = new SearchName("TOPCATEGORIES");
    public static final SearchName TOPSOURCES = new SearchName("TOPSOURCES");
    public static final SearchName TOPHOURS = new SearchName("TOPHOURS");
    public static final SearchName ADDRESSTIMELINE = new SearchName("ADDRESSTIMELINE");
    public static final SearchName CATEGORYSOURCES = new SearchName("CATEGORYSOURCES");
    public static final SearchName DETECTORHOURS = new SearchName("DETECTORHOURS");
    public static final SearchName CATEGORYTREND = new SearchName("CATEGORYTREND");
    public static final SearchName DETECTORTREND = new SearchName("DETECTORTREND");
    public static final SearchName PORTTREND = new SearchName("PORTTREND");
    public static final SearchName SOURCETREND = new SearchName("SOURCETREND");
    public static final SearchName HOURTREND = new SearchName("HOURTREND");

    private static final List<SearchName> BUILT_IN = List.of(
            MENTAT,
            HAWAT1,
            HAWAT2,
            HAWAT3,
            HAWAT4,
            HAWAT5,
            HAWAT6,
            HAWAT7,
            OTHER1,
            OTHER2,
            DETAIL,
            TEXT,
            TIMELINE,
            TOPLIST,
            SERVICE,
            TOPPORTS,
            SOURCE,
            TARGET,
            SOURCENET,
            TARGETNET,
            WITHIN,
            SOURCELIST,
            TARGETLIST,
            PORT,
            SOURCEPORT,
            TARGETPORT,
            DESCRIPTION,
            TOPCATEGORIES,
            TOPSOURCES,
            TOPHOURS,
            ADDRESSTIMELINE,
            CATEGORYSOURCES,
            DETECTORHOURS,
            CATEGORYTREND,
            DETECTORTREND,
            PORTTREND,
            SOURCETREND,
            HOURTREND);
    private static final Map<String, Integer> PLACES = places();

    /** @throws IllegalArgumentException with a message for people if the text cannot be a name */
    public SearchName {
        refusal(name).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
    }

    /** Why a text cannot be the name of a search; empty if it can. */
    public static Optional<String> refusal(String text) {
        return ALLOWED.matcher(text).matches()
                ? Optional.empty()
                : Optional.of(
                        "'" + text + "' is no name of a search (allowed: a letter of A to Z, then up to 39 letters,"
                                + " digits and _)");
    }

    /** The searches that siemload brings, in their order. Immutable. */
    public static List<SearchName> builtIn() {
        return BUILT_IN;
    }

    @Override
    public int compareTo(SearchName other) {
        int byPlace = Integer.compare(place(), other.place());
        return byPlace == 0 ? name.compareTo(other.name) : byPlace;
    }

    /** By hand, and {@link #equals} too: a record's own ones are slow, and every search is looked up by its name. */
    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof SearchName that && name.equals(that.name));
    }

    @Override
    public String toString() {
        return name;
    }

    private int place() {
        return PLACES.getOrDefault(name, BUILT_IN.size());
    }

    private static Map<String, Integer> places() {
        Map<String, Integer> places = new HashMap<>();
        BUILT_IN.forEach(search -> places.put(search.name(), places.size()));
        return Map.copyOf(places);
    }
}
