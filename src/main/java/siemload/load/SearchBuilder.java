package siemload.load;

import io.gatling.javaapi.core.ActionBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import siemload.dataset.Popularity;
import siemload.dataset.SeededRandom;
import siemload.event.AddressRange;
import siemload.query.Criterion;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.Asked;
import siemload.scenario.DrawRule;
import siemload.scenario.SearchDraw;
import siemload.scenario.WindowLength;

/**
 * A search as an element of a Gatling chain. Every method returns a builder with one thing changed; builders are
 * immutable. Values that are not given are drawn anew for each execution from what the data set holds.
 */
public final class SearchBuilder implements ActionBuilder {
    private static final int DEFAULT_PAGE = 100;
    private static final int DEFAULT_LIST = 10;

    private final SearchName name;
    private final WindowLength window;
    private final Order order;
    private final Page page;
    private final Popularity popularity;
    private final int listLength;
    private final List<Criterion> given;

    private SearchBuilder(
            SearchName name,
            WindowLength window,
            Order order,
            Page page,
            Popularity popularity,
            int listLength,
            List<Criterion> given) {
        this.name = name;
        this.window = window;
        this.order = order;
        this.page = page;
        this.popularity = popularity;
        this.listLength = listLength;
        this.given = List.copyOf(given);
    }

    static SearchBuilder of(SearchName name) {
        return new SearchBuilder(
                name,
                new WindowLength.Last(Duration.ofDays(7)),
                Order.NEWEST_FIRST,
                new Page.Numbered(DEFAULT_PAGE, 1),
                Popularity.TYPICAL,
                DEFAULT_LIST,
                List.of());
    }

    /** Looks at the last days before now, in the time of the data. */
    public SearchBuilder lastDays(int days) {
        return last(Duration.ofDays(days));
    }

    /** Looks at the last so-and-so long before now, in the time of the data. */
    public SearchBuilder last(Duration length) {
        return with(new WindowLength.Last(length));
    }

    /** Looks at the whole data set. */
    public SearchBuilder everything() {
        return with(new WindowLength.Everything());
    }

    /** Reads the newest events first. */
    public SearchBuilder newestFirst() {
        return new SearchBuilder(name, window, Order.NEWEST_FIRST, page, popularity, listLength, given);
    }

    /** Reads the oldest events first. */
    public SearchBuilder oldestFirst() {
        return new SearchBuilder(name, window, Order.OLDEST_FIRST, page, popularity, listLength, given);
    }

    /** Reads the first page, of this many rows. */
    public SearchBuilder page(int size) {
        return page(size, 1);
    }

    /** Reads a page by its number, 1 for the first. */
    public SearchBuilder page(int size, long number) {
        return with(new Page.Numbered(size, number));
    }

    /** Reads the whole result. */
    public SearchBuilder whole() {
        return with(new Page.Whole());
    }

    /** Draws the values to look for from those as popular as this. */
    public SearchBuilder values(Popularity popular) {
        return new SearchBuilder(name, window, order, page, popular, listLength, given);
    }

    /** Gives a search for a list one of this many addresses, 1 or more. */
    public SearchBuilder listLength(int addresses) {
        return new SearchBuilder(name, window, order, page, popularity, addresses, given);
    }

    /**
     * Looks for this address, network or range, on the sides that the search looks at: {@code 192.0.2.7}, {@code
     * 192.0.2.0/24}, {@code 192.0.2.1-192.0.2.9}.
     */
    public SearchBuilder address(String text) {
        return given(new Criterion.AddressFigured(List.of(AddressRange.parse(text))));
    }

    /** Looks for this category. */
    public SearchBuilder category(String category) {
        return given(new Criterion.CategoryIs(category));
    }

    /** Looks for this detector, by its node name. */
    public SearchBuilder detector(String nodeName) {
        return given(new Criterion.DetectorIs(nodeName));
    }

    /** Looks for this transport port, on the side that the search looks at. */
    public SearchBuilder port(int port) {
        return given(new Criterion.PortUsed(port));
    }

    /** Looks for the event with this id. */
    public SearchBuilder id(String id) {
        return given(new Criterion.IdIs(id));
    }

    @Override
    public io.gatling.core.action.builder.ActionBuilder asScala() {
        return (context, next) -> new SearchAction(context, next, this);
    }

    /** The request for one execution, due now. */
    SearchRequest request(SearchDraw draw, DataClock dataClock, SeededRandom random) {
        long now = System.nanoTime();
        Window bounds = window.window(draw.dataFirst(), dataClock.at(now));
        return new SearchRequest(
                draw.search(name, new DrawRule(popularity, listLength, random), bounds, order, page, given),
                draw.catalog().get(name).summary().isPresent() ? PageClass.SUMMARY : page.pageClass(),
                Asked.FIRST,
                now,
                random.nextDouble());
    }

    private SearchBuilder given(Criterion criterion) {
        List<Criterion> all = new ArrayList<>(given);
        all.removeIf(other -> other.getClass().equals(criterion.getClass()));
        all.add(criterion);
        return new SearchBuilder(name, window, order, page, popularity, listLength, all);
    }

    private SearchBuilder with(WindowLength other) {
        return new SearchBuilder(name, other, order, page, popularity, listLength, given);
    }

    private SearchBuilder with(Page other) {
        return new SearchBuilder(name, window, order, other, popularity, listLength, given);
    }
}
