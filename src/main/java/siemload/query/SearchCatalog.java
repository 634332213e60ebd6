package siemload.query;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import siemload.config.Choices;

/**
 * The known searches: siemload's own, which follow CESNET's database tests for Mentat, then the searches of a scenario. Siemload's own
 * include the trends that a database can store: the number of events of each hour by a field. Users cannot ask for a trend by its name.
 * Immutable.
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
        String description = "the stored trend: the number of events of each hour by " + field.label();
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

    /** The summary that a database stores for the trend of this name; empty if no trend has this name. */
    public static Optional<Summary.Hours> trend(SearchName name) {
        return summary(name).filter(Summary.Hours.class::isInstance).map(Summary.Hours.class::cast);
    }

    /** The summary of one of siemload's own searches; empty if it lists events, and for any other name. */
    static Optional<Summary> summary(SearchName name) {
        return BUILT_IN.find(name).flatMap(SearchDefinition::summary);
    }

    /** Returns these searches, followed by other searches with different names. */
    public SearchCatalog with(Collection<SearchDefinition> more) {
        Map<SearchName, SearchDefinition> all = new LinkedHashMap<>(byName);
        more.forEach(definition -> all.put(definition.name(), definition));
        return new SearchCatalog(all);
    }

    /** The definition of a search. @throws IllegalArgumentException if no search has this name */
    public SearchDefinition get(SearchName name) {
        return find(name).orElseThrow(() -> new IllegalArgumentException(name + " is not in the catalogue"));
    }

    /** The definition of a search; empty if no search has this name. */
    public Optional<SearchDefinition> find(SearchName name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** All searches, in their order. */
    public List<SearchDefinition> all() {
        return List.copyOf(byName.values());
    }

    /** The searches that are not siemload's own, in their order. */
    public List<SearchDefinition> own() {
        return byName.values().stream()
                .filter(definition -> !SearchName.builtIn().contains(definition.name()))
                .toList();
    }

    /** The names of the searches that users can ask for, in their order: all except the trends. */
    public Choices<SearchName> names() {
        return SearchName.choices(
                byName.keySet().stream().filter(name -> trend(name).isEmpty()).toList());
    }

    /** The names of the searches that list events, in their order. */
    public Choices<SearchName> listing() {
        return SearchName.choices(byName.keySet().stream()
                .filter(name -> get(name).summary().isEmpty())
                .toList());
    }
}
