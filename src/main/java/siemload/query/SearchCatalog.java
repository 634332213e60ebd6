package siemload.query;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.config.Choices;

/**
 * The searches that can be asked, each as a file says: those that siemload brings, after CESNET's database tests for
 * Mentat, and behind them those of a scenario. Immutable.
 */
public final class SearchCatalog {
    private final Map<SearchName, SearchDefinition> byName;

    private SearchCatalog(Map<SearchName, SearchDefinition> byName) {
        this.byName = byName;
    }

    /** Read when somebody asks for it. */
    private static final class BuiltIn {
        static final SearchCatalog CATALOG = new SearchCatalog(Map.of())
                .with(SearchName.builtIn().stream()
                        .map(name -> TrendCatalog.definition(name).orElseGet(() -> SearchReader.builtIn(name)))
                        .toList());
    }

    /** The searches that siemload brings. */
    public static SearchCatalog builtIn() {
        return BuiltIn.CATALOG;
    }

    /** These searches, and behind them others, none of which has the name of one of these. */
    public SearchCatalog with(Collection<SearchDefinition> more) {
        Map<SearchName, SearchDefinition> all = new LinkedHashMap<>(byName);
        for (SearchDefinition definition : more) {
            if (all.put(definition.name(), definition) != null) {
                throw new IllegalArgumentException("two searches have the name " + definition.name());
            }
        }
        return new SearchCatalog(all);
    }

    /**
     * What the search asks for.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    public SearchDefinition get(SearchName name) {
        return find(name).orElseThrow(() -> new IllegalArgumentException(name + " is not in the catalogue"));
    }

    /** What the search asks for; empty if there is none of this name. */
    public Optional<SearchDefinition> find(SearchName name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** All searches, in their order. */
    public List<SearchDefinition> all() {
        return List.copyOf(byName.values());
    }

    /** Those that siemload does not bring, in their order. */
    public List<SearchDefinition> own() {
        return byName.values().stream()
                .filter(definition -> !SearchName.builtIn().contains(definition.name()))
                .toList();
    }

    /** The names of those that somebody can ask for, in their order: of all but the trends. */
    public Choices<SearchName> names() {
        return SearchName.choices(byName.keySet().stream()
                .filter(name -> TrendCatalog.summary(name).isEmpty())
                .toList());
    }

    /** The names of those that list events, in their order. */
    public Choices<SearchName> listing() {
        return SearchName.choices(byName.keySet().stream()
                .filter(name -> get(name).summary().isEmpty())
                .toList());
    }
}
