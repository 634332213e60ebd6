package siemload.query;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The trends that a database can store: how many events each hour has, by a field. Each has the name of a search, the one whose
 * events it sums up; nobody asks for it as one. Stateless and thread-safe.
 */
public final class TrendCatalog {
    private static final Map<SearchName, Summary.Hours> SUMMARIES = summaries();

    private TrendCatalog() {}

    private static Map<SearchName, Summary.Hours> summaries() {
        Map<SearchName, Summary.Hours> summaries = new LinkedHashMap<>();
        Arrays.stream(Field.values()).forEach(field -> summaries.put(name(field), new Summary.Hours(field)));
        return Map.copyOf(summaries);
    }

    /** The name of the trend of a field. */
    public static SearchName name(Field field) {
        return switch (field) {
            case CATEGORY -> SearchName.CATEGORYTREND;
            case DETECTOR -> SearchName.DETECTORTREND;
            case PORT -> SearchName.PORTTREND;
            case SOURCE -> SearchName.SOURCETREND;
            case HOUR -> SearchName.HOURTREND;
        };
    }

    /** What the database is to sum up and store; empty where the name is not that of a trend. */
    public static Optional<Summary.Hours> summary(SearchName name) {
        return Optional.ofNullable(SUMMARIES.get(name));
    }

    /** The search whose events a trend sums up. */
    public static Search search(SearchName name, Window window) {
        return new Search(name, window, List.of(), Order.NEWEST_FIRST, new Page.Whole());
    }

    /** What is known of a trend without a file, all of whose events are summed up; empty where the name is not that of one. */
    static Optional<SearchDefinition> definition(SearchName name) {
        return summary(name)
                .map(summary -> new SearchDefinition(
                        name,
                        description(summary.field()),
                        List.of(),
                        Optional.of(summary),
                        OwnOrder.AS_WANTED,
                        Optional.empty(),
                        List.of(),
                        0));
    }

    private static String description(Field field) {
        String stored = switch (field) {
            case CATEGORY -> "by category";
            case DETECTOR -> "by detector";
            case PORT -> "by transport port";
            case SOURCE -> "by source address";
            case HOUR -> "as one number";
        };
        return "a trend: the events of each hour, stored " + stored;
    }
}
