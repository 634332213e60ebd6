package siemload.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import siemload.dataset.SeededRandom;
import siemload.event.AddressRange;
import siemload.event.IdeaReader;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressFigured;
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

/** Turns a search into one that is asked after it: with one condition more, or over a slightly other window. Not thread-safe. */
public final class FollowUp {
    /** The part of its length that a window is moved by. */
    private static final int PARTS_OF_WINDOW = 100;

    private final SearchCatalog catalog;
    private final IdeaReader reader = new IdeaReader();

    /** @param catalog says which searches are narrower ones */
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
     * The search with one condition more, from a row of its answer; empty where the row has nothing to narrow it by.
     *
     * @param row the event's JSON
     */
    public Optional<Search> narrow(Search search, byte[] row, Page page, SeededRandom random) {
        SecurityEvent event = reader.read(row);
        List<Search> narrower = new ArrayList<>();
        for (SearchName name : catalog.get(search.name()).refinements()) {
            addedCriterion(search, name, event, random)
                    .map(added -> narrowed(search, name, added, page))
                    .ifPresent(narrower::add);
        }
        return narrower.isEmpty() ? Optional.empty() : Optional.of(narrower.get(random.nextInt(narrower.size())));
    }

    private Search narrowed(Search search, SearchName name, Criterion added, Page page) {
        if (name.equals(SearchName.DETAIL)) {
            return new Search(name, Window.ALWAYS, List.of(added), Order.NEWEST_FIRST, new Page.Numbered(1, 1));
        }
        List<Criterion> criteria = new ArrayList<>(search.criteria());
        criteria.add(added);
        Order order = search.order() == Order.UNSORTED ? Order.NEWEST_FIRST : search.order();
        SearchDefinition definition = catalog.get(name);
        return new Search(name, search.window(), criteria, definition.order(page, order), page, definition.summary());
    }

    private Optional<Criterion> addedCriterion(
            Search search, SearchName name, SecurityEvent event, SeededRandom random) {
        if (name.equals(SearchName.DETAIL)) {
            return Optional.of(CriterionKey.ID.is(event.id()));
        }
        Criterion.Drawn added = catalog.get(search.name())
                .addedBy(catalog.get(name))
                .orElseThrow(() -> new IllegalArgumentException(name + " asks for nothing more than " + search.name()));
        EventSide side = added.side();
        return switch (added.key()) {
            case ADDRESS ->
                pick(side.of(event).flatMap(end -> end.addresses().stream()).filter(AddressRange::isSingle), random)
                        .map(address -> new AddressFigured(List.of(address), side));
            case PORT ->
                pick(side.of(event).flatMap(end -> end.ports().stream()), random)
                        .map(port -> new PortUsed(port, side));
            case CATEGORY -> pick(event.categories().stream(), random).map(CriterionKey.CATEGORY::is);
            case DETECTOR -> event.detector().map(CriterionKey.DETECTOR::is);
            case ID, ADDRESSES, RANGE, SERVICE, TEXT, DESCRIPTION ->
                throw new IllegalArgumentException("a row has no " + added.key().label() + " to narrow a search by");
        };
    }

    private static <T> Optional<T> pick(Stream<T> found, SeededRandom random) {
        List<T> values = found.toList();
        return values.isEmpty() ? Optional.empty() : Optional.of(values.get(random.nextInt(values.size())));
    }
}
