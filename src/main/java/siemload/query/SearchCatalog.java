package siemload.query;

import java.util.List;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.IdIs;
import siemload.query.Criterion.PortUsed;

/**
 * What each search asks for, after CESNET's database tests for Mentat. Besides its criteria every search but DETAIL is
 * bounded by a window of detect times. Stateless and thread-safe.
 */
public final class SearchCatalog {
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
        };
    }

    /** The criteria of the search with these values. */
    public static List<Criterion> criteria(SearchName name, SearchValues values) {
        return switch (name) {
            case MENTAT -> List.of();
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
        };
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
            case HAWAT5, HAWAT6, HAWAT7, OTHER1, OTHER2 -> List.of(SearchName.DETAIL);
            case DETAIL -> List.of();
        };
    }

    private static Criterion address(SearchValues values) {
        return new AddressFigured(values.addresses().subList(0, 1));
    }

    private static Criterion range(SearchValues values) {
        return new AddressFigured(List.of(values.range()));
    }
}
