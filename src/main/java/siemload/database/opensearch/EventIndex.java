package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.PreparedEvents;
import siemload.database.Store.StoreKind;
import siemload.database.TargetException;
import siemload.database.opensearch.EventBatch.Twice;
import siemload.database.registry.Claim;
import siemload.database.server.EventTables;
import siemload.database.server.EventTables.BuildStep;
import siemload.database.server.ParallelLoad;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/**
 * The index of one data set, or of one run's copy of it, as a whole. What is searched by is settled when it is made, so that there is
 * nothing to be built afterwards.
 *
 * @param timeout how long the server may work on one request
 */
record EventIndex(OpenSearchClient client, String name, IndexVariant variant, Duration timeout) implements EventTables {
    private static final int WRITERS = 4;
    private static final String REPLICAS = "index.number_of_replicas";
    private static final String BLOCK = "index.blocks.write";
    private static final Map<String, Object> ALL = Map.of("query", Map.of("match_all", Map.of()));

    @Override
    public String place() {
        return "the index " + name;
    }

    /** By this name it is written: a server makes an index that is not there, but no alias. */
    static String alias(String index) {
        return index + ".write";
    }

    @Override
    public void create(Claim claim) {
        ask("make " + place(), RestCall.put("/" + name, variant.creation(alias(name)), timeout));
        made(claim);
    }

    private void made(Claim claim) {
        claim.made(RegisteredIndexes.identity(client, name, timeout).orElse(""));
    }

    /** The files of a segment never change, so that a clone has the very same ones. */
    @Override
    public StoreKind copyFrom(String kept, Claim claim) {
        Map<String, Object> settings = new HashMap<>();
        // A clone has the settings of the other, but for this one.
        Optional.ofNullable(variant.settings().get(REPLICAS)).ifPresent(number -> settings.put(REPLICAS, number));
        settings.putAll(variant.parameters());
        settings.put(BLOCK, false);
        Map<String, Object> body = Map.of("settings", settings, "aliases", Map.of(alias(name), Map.of()));
        ask("copy the index " + kept, RestCall.put("/" + kept + "/_clone/" + name, body, timeout));
        made(claim);
        String health = "/_cluster/health/" + name
                + "?wait_for_status=yellow&wait_for_no_initializing_shards=true&timeout=" + timeout.toSeconds() + "s";
        ask("wait for " + place(), RestCall.get(health, timeout));
        return StoreKind.CLONE;
    }

    @Override
    public long events() {
        refresh();
        return ask("count the events in " + place(), RestCall.get("/" + name + "/_count", timeout))
                .path("count")
                .asLong();
    }

    /** What was stored until now is found from then on. */
    private void refresh() {
        ask("refresh " + place(), RestCall.post("/" + name + "/_refresh", timeout));
    }

    @Override
    public List<BuildStep> indexes() {
        return List.of();
    }

    @Override
    public void complete(Consumer<String> step) {
        step.accept("flush " + name);
        checkpoint();
    }

    /** Nothing of it is left to be written. */
    @Override
    public void completeCopy() {}

    @Override
    public boolean areLoadedTogether() {
        return true;
    }

    @Override
    public BulkLoad openLoad(String label) {
        return new UnrefreshedLoad(this, parts(label));
    }

    @Override
    public BulkLoad openPart(String label) {
        return parts(label);
    }

    private BulkLoad parts(String label) {
        return ParallelLoad.start(label, WRITERS, () -> {
            IdeaWriter writer = new IdeaWriter();
            return batch -> {
                EventBatch events = EventBatch.of(batch, variant.layout(), writer);
                return OpenSearchErrors.trying("load " + label, () -> {
                    boolean unused = events.store(client, alias(name), "", Twice.REFUSED, timeout);
                    return events.bytes();
                });
            };
        });
    }

    /** How often what was stored becomes visible; {@code null} where it is the server's own interval. */
    JsonNode refreshInterval() {
        return ask(
                        "read the settings of " + place(),
                        RestCall.get("/" + name + "/_settings/index.refresh_interval?flat_settings=true", timeout))
                .path(name)
                .path("settings")
                .path("index.refresh_interval");
    }

    /** Sets that, to what {@link #refreshInterval} gave or a text. */
    void setRefreshInterval(Object interval) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("index.refresh_interval", interval);
        ask("set up " + place(), RestCall.put("/" + name + "/_settings", settings, timeout));
    }

    /** From then on it can be read and copied alone. */
    @Override
    public void lock() {
        ask("lock " + place(), new RestCall("PUT", "/" + name + "/_block/write", new byte[0], timeout));
    }

    /** Settings for a run alone need an index for it alone. */
    @Override
    public boolean areReadInPlace() {
        return variant.parameters().isEmpty();
    }

    /** What is searched by is part of the index. */
    @Override
    public void dropIndexes() {}

    @Override
    public long deleteAll() {
        refresh();
        return ask(
                        "delete the events in " + place(),
                        RestCall.post("/" + name + "/_delete_by_query?refresh=true&conflicts=proceed", ALL, timeout))
                .path("deleted")
                .asLong();
    }

    /** Brings all that was stored into segments on disk, so that the log of changes is empty. */
    @Override
    public void checkpoint() {
        ask("flush " + place(), RestCall.post("/" + name + "/_flush?force=true&wait_if_ongoing=true", timeout));
        refresh();
    }

    private JsonNode ask(String what, RestCall call) {
        Supplier<JsonNode> asking = () -> client.answer(call);
        return OpenSearchErrors.trying(what, asking);
    }

    /** A load into an index that nobody searches meanwhile: nothing of it becomes visible before its end, which costs less. Used by one thread. */
    private static final class UnrefreshedLoad implements BulkLoad {
        private static final String NEVER = "-1";

        private final EventIndex index;
        private final BulkLoad load;
        private final JsonNode interval;
        private boolean stored;

        /** @param load is closed with this one */
        UnrefreshedLoad(EventIndex index, BulkLoad load) {
            this.index = index;
            this.load = load;
            this.interval = index.refreshInterval();
            index.setRefreshInterval(NEVER);
        }

        @Override
        public PreparedEvents prepare(List<SecurityEvent> events) {
            return load.prepare(events);
        }

        @Override
        public long store() {
            long bytes = load.store();
            restore();
            return bytes;
        }

        private void restore() {
            stored = true;
            index.setRefreshInterval(interval.isMissingNode() ? NullNode.getInstance() : interval);
            index.checkpoint();
        }

        @Override
        public void close() {
            load.close();
            if (!stored) {
                try {
                    restore();
                } catch (TargetException gone) {
                    // With the index or the server: what was being loaded is given up anyway.
                }
            }
        }
    }
}
