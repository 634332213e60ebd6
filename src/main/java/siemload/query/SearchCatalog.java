package siemload.query;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import siemload.config.Choices;

/**
 * The known searches, each from a file: siemload's own, after CESNET's database tests for Mentat, followed by those of a scenario. Among
 * them are the trends that a database can store, the number of events of each hour by a field: each has the name of a search that users
 * cannot ask for. Immutable.
 */
public final class SearchCatalog {
    private static final SearchCatalog BUILT_IN = new SearchCatalog(Map.of())
            .with(SearchDefinition.builtIn())
            .with(Stream.of(Field.values()).map(SearchCatalog::storing).toList());

    /** Siemload's own searches, in their order. */
    static final List<SearchName> NAMES = List.copyOf(BUILT_IN.byName.keySet());

    private final Map<SearchName, SearchDefinition> byName;

    private SearchCatalog(Map<SearchName, SearchDefinition> byName) {
        this.byName = byName;
    }

    private static SearchDefinition storing(Field field) {
        String description = "a trend: the events of each hour by " + field.label() + ", stored";
        return new SearchDefinition(trend(field), description, List.of(), Optional.of(new Summary.Hours(field)));
    }

    /** Siemload's own searches. */
    public static SearchCatalog builtIn() {
        return BUILT_IN;
    }

    /** The name of the trend of a field. */
    public static SearchName trend(Field field) {
        return new SearchName(field.name() + "TREND");
    }

    /** What the database is to sum up and store; empty if the name is not that of a trend. */
    public static Optional<Summary.Hours> trend(SearchName name) {
        return builtIn()
                .find(name)
                .flatMap(SearchDefinition::summary)
                .filter(Summary.Hours.class::isInstance)
                .map(Summary.Hours.class::cast);
    }

    /** These searches, followed by others with different names. */
    public SearchCatalog with(Collection<SearchDefinition> more) {
        Map<SearchName, SearchDefinition> all = new LinkedHashMap<>(byName);
        more.forEach(definition -> all.put(definition.name(), definition));
        return new SearchCatalog(all);
    }

    /**
     * The definition of a search.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    public SearchDefinition get(SearchName name) {
        return find(name).orElseThrow(() -> new IllegalArgumentException(name + " is not in the catalogue"));
    }

    /** The definition of a search; empty if there is none of this name. */
    public Optional<SearchDefinition> find(SearchName name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** All searches, in their order. */
    public List<SearchDefinition> all() {
        return List.copyOf(byName.values());
    }

    /** Those that are not siemload's own, in their order. */
    public List<SearchDefinition> own() {
        return byName.values().stream()
                .filter(definition -> !SearchName.builtIn().contains(definition.name()))
                .toList();
    }

    /** The names of those that users can ask for, in their order: all but the trends. */
    public Choices<SearchName> names() {
        return SearchName.choices(
                byName.keySet().stream().filter(name -> trend(name).isEmpty()).toList());
    }

    /** The names of those that list events, in their order. */
    public Choices<SearchName> listing() {
        return SearchName.choices(byName.keySet().stream()
                .filter(name -> get(name).summary().isEmpty())
                .toList());
    }
}
