package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import siemload.database.ServerUse;
import siemload.database.server.ServerUseSurvey;
import siemload.database.server.ServerUseSurvey.Client;
import siemload.database.server.ServerUseSurvey.Question;

/** Finds out who uses a cluster: by its tasks, since it does not tell who is connected. */
record OpenSearchServerUse(OpenSearchClient client, Duration timeout) {
    /** What a run makes of its own. */
    static final List<String> MADE = List.of(
            "an index siemload_data_... for the data set, kept for later runs",
            "an index siemload_run_..., a copy of it, dropped at the end",
            "an index siemload_registry that lists what it has made, kept");

    private static final String OURS = "siemload_";
    private static final String TASKS =
            "/_tasks?detailed=true&group_by=none&actions=indices:data/read/*,indices:data/write/*";
    private static final String OPERATIONS = "/_stats/search,indexing?level=indices"
            + "&filter_path=indices.*.primaries.search.query_total,indices.*.primaries.indexing.index_total";
    private static final String FILES = "/_nodes/stats/fs?filter_path=nodes.*.fs";
    private static final Pattern INDEXES = Pattern.compile("ind(?:ices|ex)?\\[([^\\]]{1,100})");
    private static final String MONITOR = " (the cluster permission cluster_monitor)";

    /**
     * Takes about a second.
     *
     * @param made what siemload makes there, for people
     */
    ServerUse look(List<String> made) {
        JsonNode files = OpenSearchErrors.trying("see where the server keeps its data", () -> ask(FILES));
        return ServerUseSurvey.of(
                made,
                Json.elements(files.path("nodes"))
                        .map(node -> node.path("fs")
                                .path("data")
                                .path(0)
                                .path("path")
                                .asText(""))
                        .findFirst()
                        .orElse(""),
                new Question<>(
                        () -> OpenSearchErrors.trying("see what others do", this::clients),
                        List.of(),
                        "what others do" + MONITOR),
                new Question<>(
                        () -> OpenSearchErrors.trying("count operations", this::operations),
                        0L,
                        "how much others ask of it (the index permission indices_monitor on *)"),
                new Question<>(
                        () -> OpenSearchErrors.trying("see how full the disk is", () -> free(ask(FILES))),
                        OptionalLong.empty(),
                        "how much room there is" + MONITOR));
    }

    private JsonNode ask(String path) {
        return client.answer(RestCall.get(path, timeout));
    }

    /** What is at work on indexes of others, by these indexes; parts of it on shards are not counted again. */
    private List<Client> clients() {
        return Json.elements(ask(TASKS).path("tasks"))
                .filter(task -> !task.has("parent_task_id"))
                .map(task -> task.path("description").asText(""))
                .filter(description -> !description.contains(OURS))
                .collect(Collectors.groupingBy(OpenSearchServerUse::indexes, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(one -> new Client(one.getKey() + " (" + one.getValue() + " requests)", one.getValue()))
                .toList();
    }

    private static String indexes(String description) {
        Matcher named = INDEXES.matcher(description);
        return named.find() ? "somebody on " + named.group(1) : "somebody";
    }

    private long operations() {
        return Json.members(ask(OPERATIONS).path("indices")).entrySet().stream()
                .filter(index ->
                        !index.getKey().startsWith(OURS) && !index.getKey().startsWith("."))
                .map(index -> index.getValue().path("primaries"))
                .mapToLong(counted -> counted.path("search").path("query_total").asLong()
                        + counted.path("indexing").path("index_total").asLong())
                .sum();
    }

    private static OptionalLong free(JsonNode files) {
        return Json.elements(files.path("nodes"))
                .mapToLong(node ->
                        node.path("fs").path("total").path("available_in_bytes").asLong())
                .reduce(Long::sum);
    }
}
