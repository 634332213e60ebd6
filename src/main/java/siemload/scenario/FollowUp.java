package siemload.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import siemload.dataset.SeededRandom;
import siemload.event.AddressRange;
import siemload.event.IdeaReader;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressMatches;
import siemload.query.Criterion.PortUsed;
import siemload.query.CriterionKey;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchCatalog;
import siemload.query.SearchDefinition;
import siemload.query.SearchName;
import siemload.query.Window;

/** Turns a search into its follow-up: with one more criterion, or over a slightly different window. Not thread-safe. */
public final class FollowUp {
    /** The part of its length by which a window is moved. */
    private static final int PARTS_OF_WINDOW = 100;

    private final SearchCatalog catalog;
    private final IdeaReader reader = new IdeaReader();

    /** @param catalog has the narrower searches */
    public FollowUp(SearchCatalog catalog) {
        this.catalog = catalog;
    }

    /** The same search over a window that lies a hundredth of its length earlier. */
    public static Search earlier(Search search) {
        Window window = search.window();
        Duration step = Duration.between(window.from(), window.until()).dividedBy(PARTS_OF_WINDOW);
        return search.with(new Window(window.from().minus(step), window.until().minus(step)));
    }

    /**
     * The search with one more criterion, from a row of its answer; empty if the row has no value for it.
     *
     * @param row the event's JSON
     */
    public Optional<Search> narrow(Search search, byte[] row, Page page, SeededRandom random) {
        SecurityEvent event = reader.read(row);
        List<Search> narrower = catalog.get(search.name()).refinements().stream()
                .flatMap(name -> narrowed(search, catalog.get(name), event, page, random).stream())
                .toList();
        return pick(narrower.stream(), random);
    }

    private Optional<Search> narrowed(
            Search search, SearchDefinition finer, SecurityEvent event, Page page, SeededRandom random) {
        if (finer.name().equals(SearchName.DETAIL)) {
            List<Criterion> id = List.of(CriterionKey.ID.is(event.id()));
            return Optional.of(
                    new Search(finer.name(), Window.ALWAYS, id, Order.NEWEST_FIRST, new Page.Numbered(1, 1)));
        }
        Criterion.Drawn added = catalog.get(search.name()).addedBy(finer).orElseThrow();
        Order order = search.order() == Order.UNSORTED ? Order.NEWEST_FIRST : search.order();
        return seen(added, event, random)
                .map(criterion -> new Search(
                        finer.name(),
                        search.window(),
                        Stream.concat(search.criteria().stream(), Stream.of(criterion))
                                .toList(),
                        finer.order(page, order),
                        page,
                        finer.summary()));
    }

    private static Optional<Criterion> seen(Criterion.Drawn wanted, SecurityEvent event, SeededRandom random) {
        EventSide side = wanted.side();
        return switch (wanted.key()) {
            case ADDRESS ->
                pick(side.of(event).flatMap(end -> end.addresses().stream()).filter(AddressRange::isSingle), random)
                        .map(address -> new AddressMatches(List.of(address), side));
            case PORT ->
                pick(side.of(event).flatMap(end -> end.ports().stream()), random)
                        .map(port -> new PortUsed(port, side));
            case CATEGORY -> pick(event.categories().stream(), random).map(CriterionKey.CATEGORY::is);
            case DETECTOR -> event.detector().map(CriterionKey.DETECTOR::is);
            case ID, ADDRESSES, RANGE, SERVICE, TEXT, DESCRIPTION ->
                throw new IllegalArgumentException(
                        "a row has no " + wanted.key().label() + " to narrow a search by");
        };
    }

    private static <T> Optional<T> pick(Stream<T> found, SeededRandom random) {
        List<T> values = found.toList();
        return values.isEmpty() ? Optional.empty() : Optional.of(values.get(random.nextInt(values.size())));
    }
}
