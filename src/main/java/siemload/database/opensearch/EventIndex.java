package siemload.database.opensearch;

import static siemload.database.opensearch.OpenSearchErrors.ERRORS;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import siemload.database.IndexSet;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.Maintenance.BuildStep;
import siemload.database.Store.PreparedEvents;
import siemload.database.Store.StoreKind;
import siemload.database.layout.EventFields;
import siemload.database.opensearch.OpenSearchClient.OpenSearchException;
import siemload.database.registry.Claim;
import siemload.database.server.EventTables;
import siemload.database.server.ParallelLoad;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/**
 * The index of one data set, or of one run's copy of it, as a whole. What is searched by is settled when it is made, so that there is
 * nothing to be built afterwards.
 *
 * @param identity finds the UUID of an index
 * @param parameters settings of an index that a run makes, beside those of the layout, by their full names
 */
record EventIndex(
        OpenSearchClient client,
        String name,
        IndexLayout layout,
        IndexSet indexSet,
        Map<String, String> parameters,
        Function<String, Optional<String>> identity)
        implements EventTables {
    private static final int WRITERS = 4;
    private static final String REPLICAS = "index.number_of_replicas";
    private static final String REFRESH_INTERVAL = "index.refresh_interval";
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
        ask("make " + place(), "PUT", "/" + name, layout.creation(indexSet, parameters, alias(name)));
        claim.made(identity.apply(name).orElse(""));
    }

    /** The files of a segment never change, so that a clone has the very same ones. */
    @Override
    public StoreKind copyFrom(String kept, Claim claim) {
        Map<String, Object> settings = new HashMap<>();
        // A clone has the settings of the other, but for this one.
        Optional.ofNullable(layout.settings(indexSet).get(REPLICAS))
                .ifPresent(number -> settings.put(REPLICAS, number));
        settings.putAll(parameters);
        settings.put(BLOCK, false);
        Map<String, Object> body = Map.of("settings", settings, "aliases", Map.of(alias(name), Map.of()));
        ask("copy the index " + kept, "PUT", "/" + kept + "/_clone/" + name, body);
        claim.made(identity.apply(name).orElse(""));
        String health = "/_cluster/health/" + name
                + "?wait_for_status=yellow&wait_for_no_initializing_shards=true&timeout="
                + client.timeout().toSeconds() + "s";
        ask("wait for " + place(), "GET", health);
        return StoreKind.CLONE;
    }

    @Override
    public long events() {
        refresh();
        return ask("count the events in " + place(), "GET", "/" + name + "/_count")
                .path("count")
                .asLong();
    }

    /** What was stored until now is found from then on. */
    private void refresh() {
        ask("refresh " + place(), "POST", "/" + name + "/_refresh");
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

    /** Nothing of it becomes visible before its end, which costs less: nobody searches the index meanwhile. */
    @Override
    public BulkLoad openLoad(String label) {
        BulkLoad parts = openPart(label);
        refreshEvery("-1");
        return new BulkLoad() {
            @Override
            public PreparedEvents prepare(List<SecurityEvent> events) {
                return parts.prepare(events);
            }

            @Override
            public long store() {
                long bytes = parts.store();
                refreshEvery(Optional.<Object>ofNullable(parameters.get(REFRESH_INTERVAL))
                        .orElse(layout.settings(indexSet).getOrDefault(REFRESH_INTERVAL, NullNode.getInstance())));
                checkpoint();
                return bytes;
            }

            @Override
            public void close() {
                parts.close();
            }
        };
    }

    /** What was stored becomes visible after this interval; after the server's own one where that is JSON's null. */
    private void refreshEvery(Object interval) {
        ask("set up " + place(), "PUT", "/" + name + "/_settings", Map.of(REFRESH_INTERVAL, interval));
    }

    @Override
    public BulkLoad openPart(String label) {
        return ParallelLoad.start(label, WRITERS, () -> {
            IdeaWriter writer = new IdeaWriter();
            return batch -> {
                EventBatch events = EventBatch.of(batch, layout, writer);
                return ERRORS.trying("load " + label, () -> {
                    if (events.store(client, alias(name), "") > 0) {
                        // The server's words for it have the id.
                        throw new OpenSearchException(
                                OpenSearchErrors.CONFLICT,
                                OpenSearchErrors.DUPLICATE_TYPE,
                                "the document is there already");
                    }
                    return events.bytes();
                });
            };
        });
    }

    /** From then on it can be read and copied alone. */
    @Override
    public void lock() {
        ask("lock " + place(), "PUT", "/" + name + "/_block/write");
    }

    /** Settings for a run alone need an index for it alone. */
    @Override
    public boolean areReadInPlace() {
        return parameters.isEmpty();
    }

    /** What is searched by is part of the index. */
    @Override
    public void dropIndexes() {}

    @Override
    public long deleteAll() {
        refresh();
        String path = "/" + name + "/_delete_by_query?refresh=true&conflicts=proceed";
        return ask("delete the events in " + place(), "POST", path, ALL)
                .path("deleted")
                .asLong();
    }

    /** Brings all that was stored into segments on disk, so that the log of changes is empty. */
    @Override
    public void checkpoint() {
        ask("flush " + place(), "POST", "/" + name + "/_flush?force=true&wait_if_ongoing=true");
        refresh();
    }

    private JsonNode ask(String what, String method, String path) {
        return ERRORS.trying(what, () -> client.ask(method, path));
    }

    private JsonNode ask(String what, String method, String path, Map<String, ?> body) {
        return ERRORS.trying(what, () -> client.ask(method, path, body));
    }

    /**
     * Events as the bulk interface takes them: a line for what is to be done with each, and its document on the next. One that is there already
     * is left as it is.
     *
     * @param lines nobody changes the array
     * @param bytes the size of the events as IDEA JSON
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record EventBatch(byte[] lines, long bytes) {
        private static final ObjectMapper JSON = new ObjectMapper();
        private static final String ANSWER = "filter_path=errors,items.*.status,items.*.error";

        static EventBatch of(List<SecurityEvent> events, IndexLayout layout, IdeaWriter writer) {
            ByteArrayOutputStream lines = new ByteArrayOutputStream();
            long bytes = 0;
            // A generator of its own separates documents by nothing but these line ends.
            try (JsonGenerator generator = JSON.createGenerator(lines).setRootValueSeparator(null)) {
                for (SecurityEvent event : events) {
                    byte[] idea = writer.toBytes(event);
                    bytes += idea.length;
                    // Nothing in a hash means anything in JSON.
                    generator.writeRaw("{\"create\":{\"_id\":\"" + EventFields.idHash(event.id()) + "\"}}\n");
                    generator.writeObject(layout.document(event, idea));
                    generator.writeRaw('\n');
                }
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
            return new EventBatch(lines.toByteArray(), bytes);
        }

        /**
         * Stores them, as durable as the index is set up. It is not made where it is not there any more.
         *
         * @param alias of the index
         * @param parameters of the request beside its own, with an ampersand after each
         * @return how many were there already, and were left alone
         * @throws OpenSearchException if one of them was not stored
         */
        long store(OpenSearchClient client, String alias, String parameters) {
            if (lines.length == 0) {
                return 0;
            }
            String path = "/" + alias + "/_bulk?require_alias=true&" + parameters + ANSWER;
            JsonNode answer = client.received(client.started("POST", path, lines));
            if (!answer.path("errors").asBoolean(true)) {
                return 0;
            }
            List<JsonNode> failed = answer.path("items")
                    .valueStream()
                    .map(item -> item.path("create"))
                    .filter(created -> created.has("error"))
                    .toList();
            failed.stream()
                    .filter(created -> !isThereAlready(created))
                    .findFirst()
                    .ifPresent(EventBatch::fail);
            return failed.size();
        }

        private static boolean isThereAlready(JsonNode created) {
            return created.path("status").asInt() == OpenSearchErrors.CONFLICT;
        }

        private static void fail(JsonNode item) {
            throw new OpenSearchException(
                    item.path("status").asInt(),
                    item.at("/error/type").asText(),
                    item.at("/error/reason").asText());
        }
    }
}
