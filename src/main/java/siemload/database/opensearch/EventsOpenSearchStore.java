package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import siemload.database.Counters;
import siemload.database.ExistingEvents;
import siemload.database.Hint;
import siemload.database.SearchSession;
import siemload.database.opensearch.layout.IndexLayout;
import siemload.database.server.Watchers;
import siemload.query.CountedValue;
import siemload.query.ValueField;

/**
 * An index that was there before the run, whose documents a layout without loading says how to search. It is sent nothing but searches,
 * and asked for its statistics.
 */
final class EventsOpenSearchStore implements ExistingEvents {
    private static final String SEARCHES = "/_tasks?detailed=true&group_by=none&actions=indices:data/read/search*";

    private final EventSearch events;
    private final Duration timeout;
    private final ScheduledThreadPoolExecutor watchers;

    /**
     * @param timeout of a search
     * @throws siemload.database.TargetException if there is no such index
     */
    EventsOpenSearchStore(OpenSearchClient client, IndexVariant variant, Duration timeout) {
        this.events = OpenSearchSession.searching(client, variant.layout().searched(), variant, timeout);
        this.timeout = timeout;
        var unused = OpenSearchErrors.trying(
                "find the index " + events.index(),
                () -> client.answer(RestCall.get("/" + events.index() + "/_count", timeout)));
        this.watchers = Watchers.start();
    }

    @Override
    public SearchSession openSession() {
        return new OpenSearchSession(events, timeout, watchers);
    }

    /** There are no hints. */
    @Override
    public SearchSession openSession(Hint hint) {
        return openSession();
    }

    @Override
    public Span span() {
        return new IndexQueries(events).span();
    }

    @Override
    public Map<ValueField, List<CountedValue>> values(int most) {
        Map<ValueField, List<CountedValue>> values = new EnumMap<>(ValueField.class);
        IndexLayout layout = events.variant().layout();
        IndexQueries queries = new IndexQueries(events);
        layout.values(most)
                .forEach((field, aggregations) -> values.put(field, queries.values(field, aggregations, most)));
        return values;
    }

    @Override
    public Optional<Counters> openCounters() {
        return Optional.of(new OpenSearchCounters(events.client(), events.index(), timeout));
    }

    /** Searches of any index, by the tasks of the cluster, for which a user needs cluster_monitor. */
    @Override
    public OptionalLong runningFor(Duration atLeast) {
        return told(SEARCHES)
                .map(answer -> Json.elements(answer.path("tasks"))
                        .filter(task -> !task.has("parent_task_id")
                                && task.path("running_time_in_nanos").asLong() >= atLeast.toNanos())
                        .count())
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    /** Documents written or deleted, by the statistics of the index, for which a user needs indices_monitor. */
    @Override
    public OptionalLong rowsWritten() {
        return told("/" + events.index() + "/_stats/indexing")
                .map(answer -> answer.path("_all").path("primaries").path("indexing"))
                .map(counted -> OptionalLong.of(counted.path("index_total").asLong()
                        + counted.path("delete_total").asLong()))
                .orElse(OptionalLong.empty());
    }

    private Optional<JsonNode> told(String path) {
        try {
            return Optional.of(events.client().answer(RestCall.get(path, timeout)));
        } catch (OpenSearchException untold) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        watchers.shutdownNow();
    }
}
