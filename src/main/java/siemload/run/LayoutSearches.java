package siemload.run;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.database.OwnLayouts.MissingFiles;
import siemload.dataset.EventSource;
import siemload.dataset.ExistingData;
import siemload.dataset.ExistingValues;
import siemload.query.CountedValue;
import siemload.query.Search;
import siemload.query.ValueField;
import siemload.query.ValueField.Beside;
import siemload.results.SearchKey;

/**
 * Whether a layout for searches alone has a file for all that the searches of a run need: looked at with values that are made up
 * before the database is known, and once more with its own. Stateless.
 */
final class LayoutSearches {
    /** One of each family: the events that a layout is for may have addresses of one of them alone. */
    private static final List<String> ADDRESSES = List.of("192.0.2.1", "2001:db8::1");

    private static final EventSource SOME_EVENTS =
            ExistingData.of(1, Instant.EPOCH, Instant.EPOCH.plus(Duration.ofDays(30)), List.of());

    private LayoutSearches() {}

    /**
     * Refuses what cannot be asked whatever is in the database.
     *
     * @throws siemload.config.ConfigException with each search that the layout lacks something for, and what
     */
    static void require(RunPlan plan) {
        if (plan.asksStatements()) {
            return;
        }
        plan.choice().missingFiles().ifPresent(files -> {
            Map<String, String> lacks = lacks(files, madeUp(plan, ADDRESSES.get(0)));
            lacks.keySet()
                    .retainAll(lacks(files, madeUp(plan, ADDRESSES.get(1))).keySet());
            refuse(plan, lacks);
        });
    }

    /**
     * Refuses what cannot be asked.
     *
     * @param searches several of each kind, for values of the database
     * @throws siemload.config.ConfigException as {@link #require(RunPlan)}
     */
    static void require(RunPlan plan, Map<SearchKey, List<Search>> searches) {
        plan.choice().missingFiles().ifPresent(files -> refuse(plan, lacks(files, searches)));
    }

    /** Searches such as those of the run in a database of which all addresses are this one. */
    private static Map<SearchKey, List<Search>> madeUp(RunPlan plan, String address) {
        List<CountedValue> values = List.of(new CountedValue(address, 1, Map.of(Beside.PORT, "443")));
        ExistingValues known = new ExistingValues(
                Map.of(ValueField.ADDRESS, values, ValueField.SOURCE, values, ValueField.TARGET, values));
        return SearchKinds.various(
                plan.scenario(),
                plan.on(SOME_EVENTS).searchDraw(known.pools()),
                plan.variant().paging(),
                SOME_EVENTS.until(),
                plan.seed());
    }

    /** The first file that is missing for each kind of search, by the kind. */
    private static Map<String, String> lacks(MissingFiles files, Map<SearchKey, List<Search>> searches) {
        Map<String, String> lacks = new LinkedHashMap<>();
        searches.forEach((kind, examples) -> examples.forEach(
                search -> files.first(search, kind.page()).ifPresent(file -> lacks.putIfAbsent(kind.label(), file))));
        return lacks;
    }

    private static void refuse(RunPlan plan, Map<String, String> lacks) {
        Problems problems = new Problems();
        lacks.forEach((search, file) -> problems.add(
                plan.settings().origin(Property.LAYOUT),
                search + " cannot be asked by the layout " + plan.variant().layout() + ": it has no file " + file
                        + " (write it, or leave the search out)"));
        problems.throwIfAny();
    }
}
