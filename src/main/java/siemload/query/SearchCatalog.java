package siemload.query;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.CategoryIs;
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
            SearchName.TOPPORTS, new Summary.TopList(Field.PORT, TOP_LIST_SIZE));

    private SearchCatalog() {}

    /** One line on the search for people. */
    public static String describe(SearchName name) {
        return switch (name) {
            case MENTAT -> "every event of the window";
            case HAWAT1 -> "a given address figured as source or target";
            case HAWAT2 -> "any address of a range figured as source or target";
            case HAWAT3 -> "events of a category";
            case HAWAT4 -> "events of a detector";
            case HAWAT5 -> "events of a detector and a category";
            case HAWAT6 -> "an address figured, and a category";
            case HAWAT7 -> "any address of a range figured, and a category";
            case OTHER1 -> "an address out of a list figured";
            case OTHER2 -> "an address figured and a transport port was used";
            case DETAIL -> "one event by its id";
            case TEXT -> "a text in the description";
            case TIMELINE -> "how many events over time, by category";
            case TOPLIST -> "the most frequent detectors";
            case SERVICE -> "an address figured, with a transport port on its side";
            case TOPPORTS -> "the most frequent transport ports";
        };
    }

    /** The criteria of the search with these values. */
    public static List<Criterion> criteria(SearchName name, SearchValues values) {
        return switch (name) {
            case MENTAT, TIMELINE, TOPLIST, TOPPORTS -> List.of();
            case HAWAT1 -> List.of(address(values));
            case HAWAT2 -> List.of(range(values));
            case HAWAT3 -> List.of(new CategoryIs(values.category()));
            case HAWAT4 -> List.of(new DetectorIs(values.detector()));
            case HAWAT5 -> List.of(new DetectorIs(values.detector()), new CategoryIs(values.category()));
            case HAWAT6 -> List.of(address(values), new CategoryIs(values.category()));
            case HAWAT7 -> List.of(range(values), new CategoryIs(values.category()));
            case OTHER1 -> List.of(new AddressFigured(values.addresses()));
            case OTHER2 -> List.of(address(values), new PortUsed(values.port()));
            case DETAIL -> List.of(new IdIs(values.id()));
            case TEXT -> List.of(new TextContains(values.text()));
            case SERVICE ->
                List.of(new AddressAndPortOnOneSide(values.addresses().get(0), values.port()));
        };
    }

    /** How the events of the search are summed up, for the searches that do not list them. */
    public static Optional<Summary> summary(SearchName name) {
        return Optional.ofNullable(SUMMARIES.get(name));
    }

    /**
     * The searches that ask for one thing more than this one; a user who has seen a row narrows the search to one of
     * them. Where the catalogue has none, the user opens the event itself. Empty for DETAIL.
     */
    public static List<SearchName> refinements(SearchName name) {
        return switch (name) {
            case MENTAT -> List.of(SearchName.HAWAT1, SearchName.HAWAT3, SearchName.HAWAT4);
            case HAWAT1 -> List.of(SearchName.HAWAT6, SearchName.OTHER2);
            case HAWAT2 -> List.of(SearchName.HAWAT7);
            case HAWAT3 -> List.of(SearchName.HAWAT5, SearchName.HAWAT6);
            case HAWAT4 -> List.of(SearchName.HAWAT5);
            case HAWAT5, HAWAT6, HAWAT7, OTHER1, OTHER2, TEXT, SERVICE -> List.of(SearchName.DETAIL);
            case DETAIL, TIMELINE, TOPLIST, TOPPORTS -> List.of();
        };
    }

    /** The order of its rows where a user wants this one: OTHER1 read whole is unsorted, as the study has it. */
    public static Order order(SearchName name, Page page, Order wanted) {
        return name == SearchName.OTHER1 && page instanceof Page.Whole ? Order.UNSORTED : wanted;
    }

    private static Criterion address(SearchValues values) {
        return new AddressFigured(values.addresses().subList(0, 1));
    }

    private static Criterion range(SearchValues values) {
        return new AddressFigured(List.of(values.range()));
    }
}
