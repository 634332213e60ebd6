package siemload.query;

import java.util.ArrayList;
import java.util.Collections;
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

    private static final List<SearchName> BUILT_IN = new ArrayList<>();
    private static final Map<String, Integer> PLACES = new HashMap<>();

    public static final SearchName MENTAT = builtIn("MENTAT");
    public static final SearchName HAWAT1 = builtIn("HAWAT1");
    public static final SearchName HAWAT2 = builtIn("HAWAT2");
    public static final SearchName HAWAT3 = builtIn("HAWAT3");
    public static final SearchName HAWAT4 = builtIn("HAWAT4");
    public static final SearchName HAWAT5 = builtIn("HAWAT5");
    public static final SearchName HAWAT6 = builtIn("HAWAT6");
    public static final SearchName HAWAT7 = builtIn("HAWAT7");
    public static final SearchName OTHER1 = builtIn("OTHER1");
    public static final SearchName OTHER2 = builtIn("OTHER2");
    public static final SearchName DETAIL = builtIn("DETAIL");
    public static final SearchName TEXT = builtIn("TEXT");
    public static final SearchName TIMELINE = builtIn("TIMELINE");
    public static final SearchName TOPLIST = builtIn("TOPLIST");
    public static final SearchName SERVICE = builtIn("SERVICE");
    public static final SearchName TOPPORTS = builtIn("TOPPORTS");
    public static final SearchName SOURCE = builtIn("SOURCE");
    public static final SearchName TARGET = builtIn("TARGET");
    public static final SearchName SOURCENET = builtIn("SOURCENET");
    public static final SearchName TARGETNET = builtIn("TARGETNET");
    public static final SearchName WITHIN = builtIn("WITHIN");
    public static final SearchName SOURCELIST = builtIn("SOURCELIST");
    public static final SearchName TARGETLIST = builtIn("TARGETLIST");
    public static final SearchName PORT = builtIn("PORT");
    public static final SearchName SOURCEPORT = builtIn("SOURCEPORT");
    public static final SearchName TARGETPORT = builtIn("TARGETPORT");
    public static final SearchName DESCRIPTION = builtIn("DESCRIPTION");
    public static final SearchName TOPCATEGORIES = builtIn("TOPCATEGORIES");
    public static final SearchName TOPSOURCES = builtIn("TOPSOURCES");
    public static final SearchName TOPHOURS = builtIn("TOPHOURS");
    public static final SearchName ADDRESSTIMELINE = builtIn("ADDRESSTIMELINE");
    public static final SearchName CATEGORYSOURCES = builtIn("CATEGORYSOURCES");
    public static final SearchName DETECTORHOURS = builtIn("DETECTORHOURS");
    public static final SearchName CATEGORYTREND = builtIn("CATEGORYTREND");
    public static final SearchName DETECTORTREND = builtIn("DETECTORTREND");
    public static final SearchName PORTTREND = builtIn("PORTTREND");
    public static final SearchName SOURCETREND = builtIn("SOURCETREND");
    public static final SearchName HOURTREND = builtIn("HOURTREND");

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
        return Collections.unmodifiableList(BUILT_IN);
    }

    private static SearchName builtIn(String name) {
        SearchName builtIn = new SearchName(name);
        PLACES.put(name, BUILT_IN.size());
        BUILT_IN.add(builtIn);
        return builtIn;
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
}
