package siemload.query;

import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import siemload.config.Choices;

/**
 * The name of a search in files and results; case matters. Siemload's own searches come first, in the order of the catalogue: the ten of
 * the CESNET study with the study's names, more of Hawat's pages, then the trends that databases store. New searches are added at the end,
 * so that earlier draws do not change. Other names follow alphabetically. {@link SearchCatalog} has the definitions. Immutable.
 *
 * @param name an ASCII letter, then up to 39 ASCII letters, digits and {@code _}; in the name of a log, a dash would end the search's name
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
    public static final SearchName SOURCE = new SearchName("SOURCE");

    public SearchName {
        if (!ALLOWED.matcher(name).matches()) {
            throw new IllegalArgumentException("'" + name
                    + "' is not a name of a search (allowed: a letter of A to Z, then up to 39 letters, digits and _)");
        }
    }

    /** Siemload's own searches, in their order. Immutable. */
    public static List<SearchName> builtIn() {
        return SearchCatalog.NAMES;
    }

    /** Returns these names as the allowed values, in their order. */
    public static Choices<SearchName> choices(Collection<SearchName> names) {
        return Choices.of(names, SearchName::name);
    }

    @Override
    public int compareTo(SearchName other) {
        int byPlace = Integer.compare(place(), other.place());
        return byPlace == 0 ? name.compareTo(other.name) : byPlace;
    }

    @Override
    public String toString() {
        return name;
    }

    private int place() {
        int place = builtIn().indexOf(this);
        return place < 0 ? Integer.MAX_VALUE : place;
    }
}
