package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import siemload.database.Counters;
import siemload.database.EventSink;
import siemload.database.SearchSession;
import siemload.database.ServerClock;
import siemload.database.layout.document.JsonTemplate;
import siemload.database.server.CopyStore;
import siemload.database.server.IdPortions;
import siemload.database.server.RunCopy;
import siemload.event.WholeText;

/**
 * An index that is the copy of one run.
 *
 * @param timeout of a search
 */
record OpenSearchStore(OpenSearchClient client, RunCopy copy, IndexVariant variant, Duration timeout)
        implements CopyStore {
    private static final int IDS_AT_ONCE = 1_000;

    @Override
    public SearchSession openSession() {
        return new OpenSearchSession(
                OpenSearchSession.searching(client, copy.name(), variant, timeout), timeout, copy.watchers());
    }

    @Override
    public EventSink openSink() {
        return new OpenSearchSink(client, EventIndex.alias(copy.name()), variant.layout(), timeout);
    }

    @Override
    public Optional<Counters> openCounters() {
        return Optional.of(new OpenSearchCounters(client, copy.name(), timeout));
    }

    @Override
    public Optional<ServerClock> openClock() {
        return Optional.of(new OpenSearchClock(client, timeout));
    }

    /** An id is the document's, so that none can be stored twice. */
    @Override
    public Presence presenceOf(Collection<String> ids) {
        List<String> stored = ids.stream().map(WholeText::of).toList();
        JsonTemplate presence = variant.layout().template("presence");
        return OpenSearchErrors.trying("look for events in " + copy.tables().place(), () -> {
            long found = 0;
            for (List<String> some : IdPortions.of(stored, IDS_AT_ONCE)) {
                Map<String, Object> asked = Map.of("query", presence.object(SearchQuery.ofIds(some)));
                found += client.answer(RestCall.post(
                                "/" + copy.name() + "/_count", asked, timeout.plus(OpenSearchSession.SILENCE)))
                        .path("count")
                        .asLong();
            }
            return new Presence(found, 0);
        });
    }

    @Override
    public SortedMap<String, Long> relationBytes() {
        return OpenSearchErrors.trying("read the size of " + copy.tables().place(), () -> {
            JsonNode store = client.answer(RestCall.get(
                            "/" + copy.name() + "/_stats/store?filter_path=_all.primaries.store",
                            timeout.plus(OpenSearchSession.SILENCE)))
                    .path("_all")
                    .path("primaries")
                    .path("store");
            return new TreeMap<>(Map.of("events", store.path("size_in_bytes").asLong()));
        });
    }
}
