package siemload.database.contract;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import siemload.event.AddressRange;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressMatches;
import siemload.query.Criterion.AnyOf;
import siemload.query.Criterion.Drawn;
import siemload.query.Criterion.Missing;
import siemload.query.Criterion.PortUsed;
import siemload.query.CriterionKey;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchCatalog;
import siemload.query.SearchName;
import siemload.query.Window;

/** Searches over the contract's events: the whole catalogue with several values each, and combinations beside it. */
public final class ContractSearches {
    static final Window STUDY = window("2016-06-06T12:00:00Z", "2016-06-12T12:00:00Z");

    private static final List<Function<Drawn, Criterion>> VALUES = List.of(
            values("192.0.2.1", "198.51.100.0/24", "Recon.Scanning", "cz.cesnet.hoststats", 22, "a", "one source"),
            values(
                    "2001:db8::1",
                    "2001:db8::/64",
                    "Attempt.Login",
                    "cz.cesnet.relay",
                    65_535,
                    "😀",
                    "sorts before the face"),
            values("198.51.100.8", "192.0.2.4-192.0.2.130", "Malware", "cz.cesnet", 5_060, "b", "beforeafter"),
            values("255.255.255.255", "0.0.0.0-255.255.255.255", "back\\", "odd \"node\" \\ {1}", 0, "é", "\\"),
            values(
                    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
                    "::/0",
                    "NULL",
                    "cz.cesnet.six",
                    443,
                    "no-format",
                    "ne_s%"),
            values("203.0.113.200", "203.0.113.128/25", "Absent", "absent", 1_234, "absent", "re\0aft"));

    private static final List<List<Criterion>> COMBINATIONS = List.of(
            List.of(new AddressAndPortOnOneSide(AddressRange.parse("192.0.2.1"), 22)),
            List.of(new AddressAndPortOnOneSide(AddressRange.parse("198.51.100.0/24"), 22)),
            List.of(new AddressAndPortOnOneSide(AddressRange.parse("2001:db8:1::5"), 22)),
            List.of(new AddressMatches(
                    List.of(AddressRange.parse("192.0.2.1"), AddressRange.parse("2001:db8::1")), EventSide.EITHER)),
            List.of(new AddressMatches(
                    List.of(AddressRange.parse("2001:db8::1"), AddressRange.parse("::/96")), EventSide.EITHER)),
            on(EventSide.SOURCE, "192.0.2.1", "2001:db8::1"),
            on(EventSide.TARGET, "198.51.100.0/24", "2001:db8::/64"),
            List.of(new PortUsed(22, EventSide.SOURCE), new PortUsed(22, EventSide.TARGET)),
            List.of(
                    new AddressMatches(List.of(AddressRange.parse("192.0.2.0/24")), EventSide.SOURCE),
                    new PortUsed(22, EventSide.TARGET),
                    CriterionKey.CATEGORY.is("Recon.Scanning")),
            List.of(new PortUsed(0, 65_535, EventSide.SOURCE)),
            List.of(new PortUsed(22, 443, EventSide.TARGET)),
            List.of(new PortUsed(443, 5_060, EventSide.EITHER), CriterionKey.CATEGORY.is("Recon.Scanning")),
            List.of(new Missing(CriterionKey.ADDRESS, EventSide.EITHER)),
            List.of(new Missing(CriterionKey.ADDRESS, EventSide.SOURCE)),
            List.of(new Missing(CriterionKey.ADDRESS, EventSide.TARGET)),
            List.of(new Missing(CriterionKey.PORT, EventSide.EITHER)),
            List.of(
                    new Missing(CriterionKey.PORT, EventSide.SOURCE),
                    new Missing(CriterionKey.ADDRESS, EventSide.TARGET)),
            List.of(new Missing(CriterionKey.PORT, EventSide.TARGET)),
            List.of(new Missing(CriterionKey.CATEGORY, EventSide.EITHER)),
            List.of(new Missing(CriterionKey.DESCRIPTION, EventSide.EITHER)),
            List.of(new AnyOf(List.of(
                    List.of(new PortUsed(22, EventSide.TARGET), CriterionKey.CATEGORY.is("Attempt.Login")),
                    List.of(new AddressMatches(List.of(AddressRange.parse("192.0.2.0/24")), EventSide.SOURCE)),
                    List.of(CriterionKey.TEXT.is(""), CriterionKey.ID.is("absent"))))),
            List.of(
                    CriterionKey.CATEGORY.is("Recon.Scanning"),
                    new AnyOf(List.of(
                            List.of(new AnyOf(List.of(
                                    List.of(new AddressMatches(
                                            List.of(
                                                    AddressRange.parse("2001:db8::/64"),
                                                    AddressRange.parse("192.0.2.1")),
                                            EventSide.EITHER)),
                                    List.of(CriterionKey.DETECTOR.is("cz.cesnet.labrea"))))),
                            List.of(new Missing(CriterionKey.PORT, EventSide.EITHER)),
                            List.of(new AddressAndPortOnOneSide(AddressRange.parse("192.0.2.1"), 22)),
                            List.of(CriterionKey.DESCRIPTION.is("long ".repeat(1_000)))))),
            List.of(CriterionKey.DESCRIPTION.is("one source, one target")),
            List.of(CriterionKey.DESCRIPTION.is("sorts before the face in UTF-8, after it in UTF-16")),
            List.of(CriterionKey.DESCRIPTION.is("before\0after")),
            List.of(CriterionKey.DESCRIPTION.is("\\N")),
            List.of(CriterionKey.DESCRIPTION.is(""), CriterionKey.CATEGORY.is("Recon.Scanning")),
            List.of(CriterionKey.DESCRIPTION.is("long ".repeat(1_000))),
            List.of(CriterionKey.DESCRIPTION.is("long ".repeat(999))),
            List.of(CriterionKey.CATEGORY.is("Recon.Scanning"), CriterionKey.CATEGORY.is("Attempt.Login")),
            List.of(
                    CriterionKey.DETECTOR.is("cz.cesnet.labrea"),
                    CriterionKey.DETECTOR.is("cz.cesnet.relay"),
                    new PortUsed(2_222, EventSide.EITHER)),
            List.of(new PortUsed(22, EventSide.EITHER), new PortUsed(443, EventSide.EITHER), CriterionKey.ID.is("A")),
            List.of(CriterionKey.CATEGORY.is(""), CriterionKey.CATEGORY.is("\t\n")),
            List.of(
                    new AddressMatches(List.of(AddressRange.parse("192.0.2.0/24")), EventSide.EITHER),
                    CriterionKey.CATEGORY.is("Attempt.Login"),
                    CriterionKey.DETECTOR.is("cz.cesnet.labrea"),
                    new PortUsed(22, EventSide.EITHER)));

    private static final List<Window> WINDOWS = List.of(
            STUDY,
            Window.ALWAYS,
            window("2016-06-06T12:00:00Z", "2016-06-07T00:00:00.123457Z"),
            window("2016-06-07T00:00:00.1234575Z", "2016-06-08T08:00:00Z"),
            window("2016-06-08T08:00:00Z", "2016-06-08T08:00:00Z"));

    private ContractSearches() {}

    /** All criteria of the contract once, in the study's window and whole, and every name of the catalogue. */
    static List<Search> inTheStudyWindow(Order order) {
        List<Search> searches = new ArrayList<>();
        Set<List<Criterion>> asked = new HashSet<>();
        for (SearchName name : SearchName.builtIn()) {
            for (Function<Drawn, Criterion> values : VALUES) {
                List<Criterion> criteria = SearchCatalog.builtIn().get(name).criteria(values);
                if (asked.add(criteria) || values.equals(VALUES.get(0))) {
                    searches.add(whole(name, STUDY, criteria, order));
                }
            }
        }
        for (List<Criterion> criteria : COMBINATIONS) {
            if (asked.add(criteria)) {
                searches.add(whole(SearchName.MENTAT, STUDY, criteria, order));
            }
        }
        return searches;
    }

    /** Some of them, such as every fifth: for what differs in something else than criteria, all of which are asked elsewhere. */
    static List<Search> every(int step, Order order) {
        List<Search> all = inTheStudyWindow(order);
        return IntStream.range(0, all.size())
                .filter(number -> number % step == 0)
                .mapToObj(all::get)
                .toList();
    }

    /** Every criteria of the contract in this order, in the study's window and without one. */
    public static List<Search> inOrder(Order order) {
        return Stream.concat(
                        inTheStudyWindow(order).stream(),
                        inEveryWindow().stream().filter(search -> search.order() == order))
                .toList();
    }

    /** Some criteria in each window. */
    static List<Search> inEveryWindow() {
        List<Search> searches = new ArrayList<>();
        for (Window window : WINDOWS) {
            searches.add(whole(SearchName.MENTAT, window, List.of(), Order.OLDEST_FIRST));
            for (Order order : Order.values()) {
                searches.add(whole(SearchName.HAWAT3, window, List.of(CriterionKey.CATEGORY.is("Test")), order));
            }
        }
        return searches;
    }

    static Search whole(SearchName name, Window window, List<Criterion> criteria, Order order) {
        return new Search(name, window, criteria, order, new Page.Whole());
    }

    private static List<Criterion> on(EventSide side, String... anyOf) {
        return List.of(
                new AddressMatches(Stream.of(anyOf).map(AddressRange::parse).toList(), side));
    }

    private static Function<Drawn, Criterion> values(
            String address, String range, String category, String detector, int port, String id, String text) {
        List<AddressRange> list = List.of(
                AddressRange.parse(address), AddressRange.parse("192.0.2.3"), AddressRange.parse("192.0.2.200"));
        return drawn -> switch (drawn.key()) {
            case ADDRESS -> new AddressMatches(list.subList(0, 1), drawn.side());
            case ADDRESSES -> new AddressMatches(list, drawn.side());
            case RANGE -> new AddressMatches(List.of(AddressRange.parse(range)), drawn.side());
            case SERVICE -> new AddressAndPortOnOneSide(list.get(0), port);
            case PORT -> new PortUsed(port, drawn.side());
            case CATEGORY -> drawn.key().is(category);
            case DETECTOR -> drawn.key().is(detector);
            case ID -> drawn.key().is(id);
            case TEXT, DESCRIPTION -> drawn.key().is(text);
        };
    }

    private static Window window(String from, String until) {
        return new Window(Instant.parse(from), Instant.parse(until));
    }
}
