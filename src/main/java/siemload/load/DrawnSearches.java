package siemload.load;

import siemload.dataset.SeededRandom;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.scenario.AnalystGroup;
import siemload.scenario.DrawRule;
import siemload.scenario.ResultReading;
import siemload.scenario.SearchDraw;

/**
 * The searches that a group begins with, each drawn from its mix with values, window and order. Immutable.
 *
 * @param dataClock the time in the data, at which windows end
 */
record DrawnSearches(AnalystGroup group, SearchDraw draw, DataClock dataClock) {

    /** The search that this randomness gives, due at this instant of the monotonic clock. */
    Search next(SeededRandom random, long dueNanos) {
        Window window =
                group.searched().windows().at(random.nextDouble()).window(draw.dataFirst(), dataClock.at(dueNanos));
        SearchName name = group.searched().mix().at(random.nextDouble());
        Order order = group.searched().orders().at(random.nextDouble());
        return draw.search(
                name,
                new DrawRule(
                        group.searched().values().at(random.nextDouble()),
                        group.searched().listLength(),
                        random),
                window,
                order,
                firstPage());
    }

    /** What of a result is read first. */
    Page firstPage() {
        return group.searched().reading() instanceof ResultReading.Paged paged
                ? new Page.Numbered(paged.size(), 1)
                : new Page.Whole();
    }
}
