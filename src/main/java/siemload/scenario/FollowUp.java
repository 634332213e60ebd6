package siemload.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import siemload.dataset.SeededRandom;
import siemload.event.AddressRange;
import siemload.event.IdeaReader;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchCatalog;
import siemload.query.SearchName;
import siemload.query.Window;

/** Turns a search into one that is asked after it: with one condition more, or over a slightly other window. Not thread-safe. */
public final class FollowUp {
    /** The part of its length that a window is moved by. */
    private static final int PARTS_OF_WINDOW = 100;

    private final IdeaReader reader = new IdeaReader();

    /** The same search over a window that lies a hundredth of its length earlier. */
    public static Search earlier(Search search) {
        Window window = search.window();
        Duration step = Duration.between(window.from(), window.until()).dividedBy(PARTS_OF_WINDOW);
        return new Search(
                search.name(),
                new Window(window.from().minus(step), window.until().minus(step)),
                search.criteria(),
                search.order(),
                search.page());
    }

    /**
     * The search with one condition more, from a row of its answer; empty where the row has nothing to narrow it by.
     *
     * @param row the event's JSON
     */
    public Optional<Search> narrow(Search search, byte[] row, Page page, SeededRandom random) {
        SecurityEvent event = reader.read(row);
        List<Search> narrower = new ArrayList<>();
        for (SearchName name : SearchCatalog.refinements(search.name())) {
            addedCriterion(search, name, event, random)
                    .map(added -> narrowed(search, name, added, page))
                    .ifPresent(narrower::add);
        }
        return narrower.isEmpty() ? Optional.empty() : Optional.of(narrower.get(random.nextInt(narrower.size())));
    }

    private static Search narrowed(Search search, SearchName name, Criterion added, Page page) {
        if (name.equals(SearchName.DETAIL)) {
            return new Search(name, Window.ALWAYS, List.of(added), Order.NEWEST_FIRST, new Page.Numbered(1, 1));
        }
        List<Criterion> criteria = new ArrayList<>(search.criteria());
        criteria.add(added);
        Order order = search.order() == Order.UNSORTED ? Order.NEWEST_FIRST : search.order();
        return new Search(name, search.window(), criteria, order, page);
    }

    private static Optional<Criterion> addedCriterion(
            Search search, SearchName name, SecurityEvent event, SeededRandom random) {
        return switch (name.name()) {
            case "DETAIL" -> Optional.of(new Criterion.IdIs(event.id()));
            case "OTHER2" -> pick(ports(event), random).map(Criterion.PortUsed::new);
            case "HAWAT4" -> detector(event);
            case "HAWAT5" -> search.name().equals(SearchName.HAWAT3) ? detector(event) : category(event, random);
            case "HAWAT1" -> address(event, random);
            case "HAWAT6" -> search.name().equals(SearchName.HAWAT3) ? address(event, random) : category(event, random);
            case "HAWAT3", "HAWAT7" -> category(event, random);
            default -> throw new IllegalArgumentException(name + " asks for nothing more than " + search.name());
        };
    }

    private static Optional<Criterion> detector(SecurityEvent event) {
        return event.detector().map(Criterion.DetectorIs::new);
    }

    private static Optional<Criterion> category(SecurityEvent event, SeededRandom random) {
        return pick(event.categories(), random).map(Criterion.CategoryIs::new);
    }

    private static Optional<Criterion> address(SecurityEvent event, SeededRandom random) {
        List<AddressRange> singles = event.endpoints()
                .flatMap(endpoint -> endpoint.addresses().stream())
                .filter(AddressRange::isSingle)
                .toList();
        return pick(singles, random).map(address -> new Criterion.AddressFigured(List.of(address)));
    }

    private static List<Integer> ports(SecurityEvent event) {
        return event.endpoints().flatMap(endpoint -> endpoint.ports().stream()).toList();
    }

    private static <T> Optional<T> pick(List<T> values, SeededRandom random) {
        return values.isEmpty() ? Optional.empty() : Optional.of(values.get(random.nextInt(values.size())));
    }
}
