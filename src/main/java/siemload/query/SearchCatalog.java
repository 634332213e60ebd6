package siemload.query;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DescriptionIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.IdIs;
import siemload.query.Criterion.PortUsed;
import siemload.query.Criterion.TextContains;

/**
 * What each search asks for, after CESNET's database tests for Mentat. Besides its criteria every search but DETAIL is
 * bounded by a window of detect times. Stateless and thread-safe.
 */
public final class SearchCatalog {
    /** As many as Hawat draws at most. */
    private static final int TIMELINE_STEPS = 200;

    private static final int TOP_LIST_SIZE = 20;
    private static final Map<SearchName, Summary> SUMMARIES = Map.of(
            SearchName.TIMELINE, new Summary.Timeline(Field.CATEGORY, TIMELINE_STEPS),
            SearchName.TOPLIST, new Summary.TopList(Field.DETECTOR, TOP_LIST_SIZE),
            SearchName.TOPPORTS, new Summary.TopList(Field.PORT, TOP_LIST_SIZE),
            SearchName.TOPCATEGORIES, new Summary.TopList(Field.CATEGORY, TOP_LIST_SIZE),
            SearchName.TOPSOURCES, new Summary.TopList(Field.SOURCE, TOP_LIST_SIZE),
            SearchName.TOPHOURS, new Summary.TopList(Field.HOUR, TOP_LIST_SIZE),
            SearchName.ADDRESSTIMELINE, new Summary.Timeline(Field.CATEGORY, TIMELINE_STEPS),
            SearchName.CATEGORYSOURCES, new Summary.TopList(Field.SOURCE, TOP_LIST_SIZE),
            SearchName.DETECTORHOURS, new Summary.TopList(Field.HOUR, TOP_LIST_SIZE));

    private static final Map<SearchName, Summary.Hours> TRENDS = Map.of(
            SearchName.CATEGORYTREND, new Summary.Hours(Field.CATEGORY),
            SearchName.DETECTORTREND, new Summary.Hours(Field.DETECTOR),
            SearchName.PORTTREND, new Summary.Hours(Field.PORT),
            SearchName.SOURCETREND, new Summary.Hours(Field.SOURCE),
            SearchName.HOURTREND, new Summary.Hours(Field.HOUR));

    private static final Map<SearchName, EventSide> SIDES = Map.of(
            SearchName.SOURCE, EventSide.SOURCE,
            SearchName.SOURCENET, EventSide.SOURCE,
            SearchName.SOURCELIST, EventSide.SOURCE,
            SearchName.SOURCEPORT, EventSide.SOURCE,
            SearchName.TARGET, EventSide.TARGET,
            SearchName.TARGETNET, EventSide.TARGET,
            SearchName.TARGETLIST, EventSide.TARGET,
            SearchName.TARGETPORT, EventSide.TARGET);
    private static final Set<SearchName> LISTS =
            Set.of(SearchName.OTHER1, SearchName.SOURCELIST, SearchName.TARGETLIST);

    private SearchCatalog() {}

    /** One line on the search for people. */
    public static String describe(SearchName name) {
        return switch (name.name()) {
            case "MENTAT" -> "every event of the window";
            case "HAWAT1" -> "a given address figured as source or target";
            case "HAWAT2" -> "any address of a range figured as source or target";
            case "HAWAT3" -> "events of a category";
            case "HAWAT4" -> "events of a detector";
            case "HAWAT5" -> "events of a detector and a category";
            case "HAWAT6" -> "an address figured, and a category";
            case "HAWAT7" -> "any address of a range figured, and a category";
            case "OTHER1" -> "an address out of a list figured";
            case "OTHER2" -> "an address figured and a transport port was used";
            case "DETAIL" -> "one event by its id";
            case "TEXT" -> "a text in the description";
            case "TIMELINE" -> "how many events over time, by category";
            case "TOPLIST" -> "the most frequent detectors";
            case "SERVICE" -> "an address figured, with a transport port on its side";
            case "TOPPORTS" -> "the most frequent transport ports";
            case "SOURCE" -> "a given address figured as source";
            case "TARGET" -> "a given address figured as target";
            case "SOURCENET" -> "any address of a range figured as source";
            case "TARGETNET" -> "any address of a range figured as target";
            case "WITHIN" -> "addresses of a range figured as source and as target";
            case "SOURCELIST" -> "an address out of a list figured as source";
            case "TARGETLIST" -> "an address out of a list figured as target";
            case "PORT" -> "a transport port was used";
            case "SOURCEPORT" -> "a source used a transport port";
            case "TARGETPORT" -> "a target used a transport port";
            case "DESCRIPTION" -> "events of a description";
            case "TOPCATEGORIES" -> "the most frequent categories";
            case "TOPSOURCES" -> "the most frequent source addresses";
            case "TOPHOURS" -> "the hours with the most events";
            case "ADDRESSTIMELINE" -> "how many events of a given address over time, by category";
            case "CATEGORYSOURCES" -> "the most frequent source addresses of a category";
            case "DETECTORHOURS" -> "the hours with the most events of a detector";
            case "CATEGORYTREND" -> "a trend: the events of each hour, stored by category";
            case "DETECTORTREND" -> "a trend: the events of each hour, stored by detector";
            case "PORTTREND" -> "a trend: the events of each hour, stored by transport port";
            case "SOURCETREND" -> "a trend: the events of each hour, stored by source address";
            case "HOURTREND" -> "a trend: the events of each hour, stored as one number";
            default -> throw unknown(name);
        };
    }

    /** The criteria of the search with these values. */
    public static List<Criterion> criteria(SearchName name, SearchValues values) {
        return switch (name.name()) {
            case "MENTAT", "TIMELINE", "TOPLIST", "TOPPORTS", "TOPCATEGORIES", "TOPSOURCES", "TOPHOURS" -> List.of();
            case "CATEGORYTREND", "DETECTORTREND", "PORTTREND", "SOURCETREND", "HOURTREND" -> List.of();
            case "HAWAT1", "ADDRESSTIMELINE" -> List.of(address(values, EventSide.EITHER));
            case "HAWAT2" -> List.of(range(values, EventSide.EITHER));
            case "HAWAT3", "CATEGORYSOURCES" -> List.of(new CategoryIs(values.category()));
            case "HAWAT4", "DETECTORHOURS" -> List.of(new DetectorIs(values.detector()));
            case "HAWAT5" -> List.of(new DetectorIs(values.detector()), new CategoryIs(values.category()));
            case "HAWAT6" -> List.of(address(values, EventSide.EITHER), new CategoryIs(values.category()));
            case "HAWAT7" -> List.of(range(values, EventSide.EITHER), new CategoryIs(values.category()));
            case "OTHER1" -> List.of(new AddressFigured(values.addresses()));
            case "OTHER2" -> List.of(address(values, EventSide.EITHER), new PortUsed(values.port()));
            case "DETAIL" -> List.of(new IdIs(values.id()));
            case "TEXT" -> List.of(new TextContains(values.text()));
            case "SERVICE" ->
                List.of(new AddressAndPortOnOneSide(values.addresses().get(0), values.port()));
            case "SOURCE", "TARGET" -> List.of(address(values, side(name)));
            case "SOURCENET", "TARGETNET" -> List.of(range(values, side(name)));
            case "WITHIN" -> List.of(range(values, EventSide.SOURCE), range(values, EventSide.TARGET));
            case "SOURCELIST", "TARGETLIST" -> List.of(new AddressFigured(values.addresses(), side(name)));
            case "PORT", "SOURCEPORT", "TARGETPORT" -> List.of(new PortUsed(values.port(), side(name)));
            case "DESCRIPTION" -> List.of(new DescriptionIs(values.text()));
            default -> throw unknown(name);
        };
    }

    /** How the events of the search are summed up, for the searches that do not list them. */
    public static Optional<Summary> summary(SearchName name) {
        Summary summary = SUMMARIES.get(name);
        return Optional.ofNullable(summary == null ? TRENDS.get(name) : summary);
    }

    /** What the database is to sum up and store, for the trends. */
    public static Optional<Summary.Hours> trend(SearchName name) {
        return Optional.ofNullable(TRENDS.get(name));
    }

    /** The name of the trend of a field. */
    public static SearchName trendOf(Field field) {
        return switch (field) {
            case CATEGORY -> SearchName.CATEGORYTREND;
            case DETECTOR -> SearchName.DETECTORTREND;
            case PORT -> SearchName.PORTTREND;
            case SOURCE -> SearchName.SOURCETREND;
            case HOUR -> SearchName.HOURTREND;
        };
    }

    /** The search whose events a trend sums up. */
    public static Search ofTrend(SearchName name, Window window) {
        return new Search(name, window, List.of(), Order.NEWEST_FIRST, new Page.Whole());
    }

    /** The searches that somebody can ask for: all that siemload brings but the trends. */
    public static List<SearchName> asked() {
        return SearchName.builtIn().stream()
                .filter(name -> !TRENDS.containsKey(name))
                .toList();
    }

    /**
     * The searches that ask for one thing more than this one; a user who has seen a row narrows the search to one of
     * them. Where the catalogue has none, the user opens the event itself. Empty for DETAIL.
     */
    public static List<SearchName> refinements(SearchName name) {
        return switch (name.name()) {
            case "MENTAT" -> List.of(SearchName.HAWAT1, SearchName.HAWAT3, SearchName.HAWAT4);
            case "HAWAT1" -> List.of(SearchName.HAWAT6, SearchName.OTHER2);
            case "HAWAT2" -> List.of(SearchName.HAWAT7);
            case "HAWAT3" -> List.of(SearchName.HAWAT5, SearchName.HAWAT6);
            case "HAWAT4" -> List.of(SearchName.HAWAT5);
            case "HAWAT5", "HAWAT6", "HAWAT7", "OTHER1", "OTHER2", "TEXT", "SERVICE" -> List.of(SearchName.DETAIL);
            case "SOURCE", "TARGET", "SOURCENET", "TARGETNET", "WITHIN", "SOURCELIST", "TARGETLIST" ->
                List.of(SearchName.DETAIL);
            case "PORT", "SOURCEPORT", "TARGETPORT", "DESCRIPTION" -> List.of(SearchName.DETAIL);
            case "DETAIL", "TIMELINE", "TOPLIST", "TOPPORTS", "TOPCATEGORIES", "TOPSOURCES", "TOPHOURS" -> List.of();
            case "ADDRESSTIMELINE", "CATEGORYSOURCES", "DETECTORHOURS" -> List.of();
            case "CATEGORYTREND", "DETECTORTREND", "PORTTREND", "SOURCETREND", "HOURTREND" -> List.of();
            default -> throw unknown(name);
        };
    }

    /** The order of its rows where a user wants this one: OTHER1 read whole is unsorted, as the study has it. */
    public static Order order(SearchName name, Page page, Order wanted) {
        return name.equals(SearchName.OTHER1) && page instanceof Page.Whole ? Order.UNSORTED : wanted;
    }

    /** The one side on which the search looks for its address, range, list or port; either for all others. */
    public static EventSide side(SearchName name) {
        return SIDES.getOrDefault(name, EventSide.EITHER);
    }

    /** Whether the search looks for as many addresses as it is given, not for one. */
    public static boolean hasList(SearchName name) {
        return LISTS.contains(name);
    }

    private static IllegalArgumentException unknown(SearchName name) {
        return new IllegalArgumentException(name + " is not in the catalogue");
    }

    private static Criterion address(SearchValues values, EventSide side) {
        return new AddressFigured(values.addresses().subList(0, 1), side);
    }

    private static Criterion range(SearchValues values, EventSide side) {
        return new AddressFigured(List.of(values.range()), side);
    }
}
