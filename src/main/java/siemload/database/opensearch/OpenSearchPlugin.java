package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.regex.Pattern;
import siemload.database.Abilities;
import siemload.database.ContainerServer;
import siemload.database.ContainerServer.ContainerOptions;
import siemload.database.Counters;
import siemload.database.ExistingEvents;
import siemload.database.ExistingTarget;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Plan.PlanTree;
import siemload.database.Plan.PlanTree.Detail;
import siemload.database.Plan.PlanTree.Pages;
import siemload.database.Plan.PlanTree.Step;
import siemload.database.Product;
import siemload.database.Provision;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.ServerUse;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.Offer;
import siemload.database.TargetPlugin.OwnLayouts;
import siemload.database.Variant;
import siemload.database.layout.ReadLayouts;
import siemload.database.server.Canceller;
import siemload.query.CountedValue;
import siemload.query.Paging;
import siemload.query.ValueField;

/** OpenSearch 2.19 or newer. Stateless and thread-safe. */
public final class OpenSearchPlugin implements TargetPlugin {
    /** 572 of the smoke data set with the native index set, and room for segments while they are merged. */
    private static final int BYTES_PER_EVENT = 900;

    private static final long MEBIBYTE = 1L << 20;
    private static final long SHARED_MEMORY_BYTES = 64 * MEBIBYTE;
    private static final String PREFIX = "index.";
    private static final String REFRESH_INTERVAL = "index.refresh_interval";
    private static final Pattern WITHOUT_TEXT = Pattern.compile("-?[0-9.]{1,20}(?:ms|s|m|b|kb|mb|gb)?|true|false");

    /** Nothing but their number tells its processes from other programs in Java; its client is Java's own, whose version is Java's. */
    @Override
    public Product product() {
        return new Product(
                "opensearch",
                "OpenSearch",
                "OpenSearch 2.19 or newer, in a container or your own",
                "a url that begins with https://",
                List.of("java"),
                Set.of());
    }

    @Override
    public Abilities abilities() {
        return new Abilities(
                IndexLayout.LABELS,
                List.of(Partitions.NONE),
                List.of(IndexSet.NATIVE, IndexSet.NONE, IndexSet.TIME, IndexSet.FIELDS),
                List.of(Hint.NONE),
                List.of(Paging.OFFSET, Paging.KEYSET, Paging.CURSOR),
                List.of(Provision.CONTAINER, Provision.EXTERNAL),
                BYTES_PER_EVENT);
    }

    @Override
    public Set<Offer> offers() {
        return Set.of(Offer.SHARED_STORES);
    }

    @Override
    public Optional<OwnLayouts> ownLayouts() {
        return Optional.of(new ReadLayouts<>(
                abilities(),
                ".json",
                IndexLayout.Format.INSTANCE,
                (layout, partitions) -> IndexLayout.IDEA.read(),
                variant -> new IndexVariant(IndexLayout.of(variant), variant.indexes(), Map.of())::missingBlock));
    }

    /** They are settings of the index that a run makes; what such an index takes is known to the server alone. */
    @Override
    public Optional<String> refusal(Variant variant, Provision provision, Map<String, String> parameters) {
        return parameters.keySet().stream()
                .filter(name -> !name.startsWith(PREFIX))
                .findFirst()
                .map(name -> name + " is no setting of an index (allowed: such as begin with " + PREFIX
                        + "; what is of the whole cluster is its administrator's)")
                .or(() -> parameters.getOrDefault(REFRESH_INTERVAL, "").startsWith("-")
                        ? Optional.of(REFRESH_INTERVAL + " must be an interval: what is fed would never be found")
                        : Optional.empty());
    }

    @Override
    public Optional<String> refusalFromFile(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .filter(parameter -> !WITHOUT_TEXT.matcher(parameter.getValue()).matches())
                .findFirst()
                .map(parameter -> parameter.getKey()
                        + " cannot be set by a file to anything but a number, an interval, a size or a switch");
    }

    /** It listens to this machine alone, so that it needs no users; half of the memory is for files that the system keeps. */
    @Override
    public Optional<ContainerServer> container(ContainerOptions options) {
        long heap = options.memoryBytes() / 2 / MEBIBYTE;
        return Optional.of(new ContainerServer(
                "opensearchproject/opensearch:2",
                9_200,
                Map.of(
                        "discovery.type", "single-node",
                        "DISABLE_INSTALL_DEMO_CONFIG", "true",
                        "DISABLE_SECURITY_PLUGIN", "true",
                        "OPENSEARCH_JAVA_OPTS", "-Xms" + heap + "m -Xmx" + heap + "m"),
                List.of(),
                SHARED_MEMORY_BYTES,
                ContainerServer.Rights.FEW,
                new ServerAddress("http://{host}:{port}", "", ""),
                this::probe));
    }

    @Override
    public Optional<PlanTree> planTree(JsonNode explained) {
        return ProfiledSteps.of(explained);
    }

    @Override
    public ExistingTarget connectExisting(ServerAddress address, TargetOptions options) {
        return ExistingOpenSearch.connect(new OpenSearchClient(address), options);
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        return OpenSearchServer.connect(new OpenSearchClient(address), options);
    }

    /** The queries of a profile, and what collected their events, as a reader needs them. The time of a query has that of those below it. */
    static final class ProfiledSteps {
        private static final Pages NONE = new Pages(0, 0, 0);
        private static final double NANOS_PER_MILLI = 1e6;
        private static final int LONGEST_DESCRIPTION = 400;

        private final List<Step> steps = new ArrayList<>();
        private double rewriteMillis;
        private double millis;

        private ProfiledSteps() {}

        /** Empty where it is no profile. */
        static Optional<PlanTree> of(JsonNode profile) {
            ProfiledSteps read = new ProfiledSteps();
            for (JsonNode shard : profile.path("shards")) {
                for (JsonNode search : shard.path("searches")) {
                    read.rewriteMillis += search.path("rewrite_time").asDouble() / NANOS_PER_MILLI;
                    read.add(search.path("query"), "description", "query");
                    read.add(search.path("collector"), "reason", "for");
                }
                read.add(shard.path("aggregations"), "description", "of");
            }
            return read.steps.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new PlanTree(read.rewriteMillis, read.millis, read.steps));
        }

        private void add(JsonNode roots, String detail, String name) {
            for (JsonNode root : roots) {
                millis += millis(root);
                visit(root, 0, detail, name);
            }
        }

        private void visit(JsonNode node, int depth, String detail, String name) {
            String text = node.path(detail).asText();
            String shown = text.length() > LONGEST_DESCRIPTION ? text.substring(0, LONGEST_DESCRIPTION) + "..." : text;
            JsonNode inner = node.path("children");
            steps.add(new Step(
                    depth,
                    node.path("type").asText(node.path("name").asText()),
                    OptionalDouble.empty(),
                    1,
                    OptionalDouble.of(millis(node)),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    NONE,
                    // What is above others only puts together what they say.
                    text.isEmpty() || !inner.isEmpty() ? List.of() : List.of(new Detail(name, shown))));
            inner.forEach(below -> visit(below, depth + 1, detail, name));
        }

        private static double millis(JsonNode node) {
            return node.path("time_in_nanos").asDouble() / NANOS_PER_MILLI;
        }
    }

    /**
     * Indexes of an OpenSearch cluster as they are. The server has no sessions that only read: nothing is sent but searches and what tells
     * statistics, whatever the user may do.
     */
    private record ExistingOpenSearch(OpenSearchServer server) implements ExistingTarget {
        static ExistingOpenSearch connect(OpenSearchClient client, TargetOptions options) {
            if (!options.parameters().isEmpty()) {
                throw new TargetException(
                        "parameters of OpenSearch are settings of an index that siemload makes, and nothing is"
                                + " changed on those that are there already (leave -Dparameters out)");
            }
            return new ExistingOpenSearch(OpenSearchServer.connect(client, options));
        }

        /** The server tells a user's roles, and not what they allow. */
        @Override
        public List<String> rights() {
            Optional<JsonNode> user = OpenSearchErrors.trying(
                    "see the rights of the user",
                    () -> server.client().user(server.options().maintenanceTimeout()));
            return List.of(user.map(told -> "the user " + told.path("user_name").asText("") + " has the roles "
                            + String.join(
                                    ", ",
                                    Json.elements(told.path("roles"))
                                            .map(JsonNode::asText)
                                            .sorted()
                                            .toList())
                            + "; the server does not say whether they allow more than to read")
                    .orElse("the server asks nobody who they are, so that whoever reaches it may do anything"));
        }

        @Override
        public String kept() {
            return "a search, which cannot write";
        }

        @Override
        public Optional<ServerUse> use() {
            return Optional.of(server.use(List.of()));
        }

        @Override
        public ExistingEvents openEvents() {
            if (!server.variant().layout().isForSearchesAlone()) {
                return ExistingTarget.super.openEvents();
            }
            return new EventsOpenSearchStore(
                    server.client(), server.variant(), server.options().searchTimeout());
        }

        /**
         * An index that was there before the run, whose documents a layout without loading says how to search. It is sent nothing but searches,
         * and asked for its statistics.
         */
        private static final class EventsOpenSearchStore implements ExistingEvents {
            private static final String SEARCHES =
                    "/_tasks?detailed=true&group_by=none&actions=indices:data/read/search*";

            private final EventSearch events;
            private final Duration timeout;
            private final ScheduledThreadPoolExecutor watchers;

            /**
             * @param timeout of a search
             * @throws siemload.database.TargetException if there is no such index
             */
            EventsOpenSearchStore(OpenSearchClient client, IndexVariant variant, Duration timeout) {
                this.events =
                        OpenSearchSession.searching(client, variant.layout().searched(), variant, timeout);
                this.timeout = timeout;
                var unused = OpenSearchErrors.trying(
                        "find the index " + events.index(),
                        () -> client.answer(RestCall.get("/" + events.index() + "/_count", timeout)));
                this.watchers = Canceller.watchers();
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
                        .map(counted ->
                                OptionalLong.of(counted.path("index_total").asLong()
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
    }
}
