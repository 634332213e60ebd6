package siemload.database.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import siemload.database.Plan;
import siemload.database.ResultCursor;
import siemload.database.RowReader;
import siemload.database.SearchSession;
import siemload.database.Trends;
import siemload.event.AddressRange;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.query.TrendCatalog;
import siemload.query.Window;

/**
 * How a {@link Mutant} searches.
 *
 * @param trends those of its store
 */
record MutantSession(SearchSession healthy, Fault fault, Supplier<Optional<Trends>> trends) implements SearchSession {

    /** A row that outlives its session's call. */
    record Kept(String id, Instant detectTime, byte[] idea) implements RowReader.Row {}

    @Override
    public long search(Search search, RowReader rows) {
        if (!Fault.OF_ROWS.contains(fault)) {
            return healthy.search(fault.change(search), rows);
        }
        List<Kept> kept = new ArrayList<>();
        healthy.search(fault.change(search), row -> kept.add(new Kept(row.id(), row.detectTime(), row.idea())));
        fault.change(kept);
        kept.forEach(rows::row);
        return kept.size();
    }

    @Override
    public long count(Search search) {
        return fault.change(healthy.count(fault.change(search)));
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        boolean forgets = fault == Fault.SUMS_UP_WHAT_MEETS_NO_CONDITION;
        Search asked =
                forgets ? new Search(search.name(), search.window(), List.of(), search.order(), search.page()) : search;
        List<Summary.Line> lines = healthy.summarize(asked, summary);
        boolean loses = fault == Fault.LOSES_THE_LEAST_FREQUENT_VALUE && !lines.isEmpty();
        return loses
                ? lines.subList(0, lines.size() - 1)
                : lines.stream().map(line -> changed(line, summary.field())).toList();
    }

    @Override
    public void store(Search search, Summary.Hours summary, String trend) {
        boolean has = !trends.get().orElseThrow().lines(trend, summary.field()).isEmpty();
        if (fault == Fault.STORES_NOTHING_OF_A_TREND_THAT_HAS_LINES && has) {
            return;
        }
        Window window = search.window();
        boolean cut = fault == Fault.STORES_NO_LAST_HOUR_OF_A_TREND;
        Instant until = cut ? window.until().minus(Summary.Hours.HOUR) : window.until();
        healthy.store(TrendCatalog.search(search.name(), new Window(window.from(), until)), summary, trend);
    }

    private Summary.Line changed(Summary.Line line, Field field) {
        String value = line.value();
        if (fault == Fault.TELLS_THE_HOURS_OF_ANOTHER_ZONE && field == Field.HOUR) {
            value = Instant.parse(value).plus(Duration.ofHours(1)).toString();
        } else if (fault == Fault.TELLS_THE_NETWORKS_OF_SOURCES && field == Field.SOURCE) {
            AddressRange address = AddressRange.parse(value);
            value = address.network(address.family().bits() - 8).toString();
        }
        return new Summary.Line(line.from(), value, line.events());
    }

    @Override
    public ResultCursor open(Search search) {
        boolean turned = fault == Fault.TURNS_A_CURSOR_ROUND;
        Order order = search.order() == Order.NEWEST_FIRST ? Order.OLDEST_FIRST : Order.NEWEST_FIRST;
        return healthy.open(
                turned ? new Search(search.name(), search.window(), search.criteria(), order, search.page()) : search);
    }

    @Override
    public Plan explain(Search search) {
        Plan plan = healthy.explain(search);
        return fault == Fault.HIDES_HOW_EVENTS_WERE_FOUND
                ? new Plan(plan.text(), plan.format(), List.of(), plan.sorted(), plan.parallel(), Optional.empty())
                : plan;
    }

    @Override
    public Plan explain(Search search, Summary summary) {
        return healthy.explain(search, summary);
    }

    @Override
    public Optional<String> statement(Search search, PageClass page) {
        return fault.contract() == ServerTimeContract.class ? Optional.of("all") : healthy.statement(search, page);
    }

    @Override
    public void cancel() {
        if (fault != Fault.CANNOT_BE_CANCELLED) {
            healthy.cancel();
        }
    }

    @Override
    public void close() {
        healthy.close();
    }
}
