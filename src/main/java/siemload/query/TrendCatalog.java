package siemload.query;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The trends that a database can store: how many events each hour has, by a field. Each has the name of a search, the one whose
 * events it sums up; nobody asks for it as one. Stateless and thread-safe.
 */
public final class TrendCatalog {
    private static final Map<SearchName, Summary.Hours> SUMMARIES =
            Arrays.stream(Field.values()).collect(Collectors.toUnmodifiableMap(TrendCatalog::name, Summary.Hours::new));

    private TrendCatalog() {}

    /** The name of the trend of a field. */
    public static SearchName name(Field field) {
        return new SearchName(field.name() + "TREND");
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
                        "a trend: the events of each hour, stored "
                                + (summary.field() == Field.HOUR ? "as one number" : "by " + words(summary.field())),
                        List.of(),
                        Optional.of(summary)));
    }

    private static String words(Field field) {
        return field == Field.PORT ? "transport port" : field == Field.SOURCE ? "source address" : field.label();
    }
}
