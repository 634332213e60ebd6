package siemload.database.opensearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static siemload.database.ExistingSessions.pagesHaveTheOrderOf;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.cli.ChildProcess;
import siemload.cli.LatestRun;
import siemload.cli.Siemload;
import siemload.config.Origin;
import siemload.database.ExistingSessions;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.EventSink;
import siemload.database.Target;
import siemload.database.Target.ServerUse;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.TargetPlugin.EmbeddedServer;
import siemload.database.Variant;
import siemload.database.layout.BlockFiles;
import siemload.database.opensearch.Flows.Flow;
import siemload.database.server.OwnershipTests;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.CriterionKey;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/**
 * Indexes of others stay as they are, whatever they are called, also where they are searched by a layout without loading; our own are found,
 * and dropped when nobody uses them.
 */
@Tag("database")
final class OpenSearchOwnershipTest implements OwnershipTests {
    private static final Variant VARIANT = new Variant("idea", IndexSet.NATIVE, Hint.NONE, Paging.OFFSET);
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Criterion KIND = CriterionKey.CATEGORY.is("kind-7");

    @RegisterExtension
    static final Flows FLOWS = new Flows();

    @TempDir
    private Path directory;

    private EmbeddedServer server;
    private OpenSearchClient administrator;

    @BeforeEach
    void startServer() {
        server = OpenSearchTestServer.start();
        administrator = OpenSearchClient.of(server.address(), TIMEOUT);
        dropAll();
    }

    @AfterEach
    void stopServer() {
        dropAll();
        server.close();
    }

    @Test
    @Tag("exhaustive")
    void lookingAtWhoUsesTheServerWritesNothing() {
        try (Target target = connect()) {
            ServerUse use = target.use().orElseThrow();
            assertThat(use.makes()).first().asString().contains("siemload_data_... for the data set");
            assertThat(use.gaps()).isEmpty();
            assertThat(use.isBusy()).isFalse();
            assertThat(use.freeBytes().orElseThrow()).isPositive();
            assertThat(target.holds(KEY)).isFalse();
        }
        assertThat(names("siemload_")).isEmpty();
    }

    /** A server makes an index anew for whoever writes to it by its name. */
    @Test
    @Tag("exhaustive")
    void aWriteThatComesTooLateMakesNoIndex() {
        try (Target target = connect()) {
            OwnershipTests.load(target);
            Store killed = target.copy(KEY, "killed");
            EventSink sink = killed.openSink();
            kill("siemload_run_killed_");
            target.copy(KEY, "next").close();
            assertThatExceptionOfType(SearchException.class)
                    .isThrownBy(() -> sink.write(List.of(OwnershipTests.event("two"))));
            assertThat(names("siemload_run_")).isEmpty();
            sink.close();
            killed.close();
        }
    }

    /** Its first try was stored, and nobody heard of it: the server has nothing left to wait for. */
    @Test
    @Tag("exhaustive")
    void aBatchThatIsThereAlreadyIsAcknowledgedOnceSearchesFindIt() {
        TargetOptions impatient = new TargetOptions(VARIANT, Duration.ofSeconds(1), 2);
        try (Target target = new OpenSearchPlugin().connect(server.address(), impatient)) {
            OwnershipTests.load(target);
            try (Store store = target.copy(KEY, "again");
                    EventSink sink = store.openSink()) {
                List<SecurityEvent> batch = List.of(OwnershipTests.event("two"), OwnershipTests.event("three"));
                String index = names("siemload_run_").get(0);
                administrator.ask("PUT", "/" + index + "/_settings", Map.of("index.refresh_interval", "1h"));
                assertThatExceptionOfType(SearchException.class).isThrownBy(() -> sink.write(batch));
                assertThat(documents(index)).isEqualTo(1);

                sink.write(batch);

                assertThat(documents(index)).isEqualTo(3);
            }
        }
    }

    @Override
    public void make(String name) {
        administrator.ask("PUT", "/" + name + "/_doc/1?refresh=true", Map.of("theirs", 1));
    }

    @Override
    public long documents(String name) {
        return administrator.ask("GET", "/" + name + "/_count").path("count").asLong();
    }

    @Override
    public void enter(String name, Map<String, Object> values) {
        administrator.ask("PUT", "/siemload_registry/_doc/" + OpenSearchClient.encoded(name), values);
    }

    @Override
    public void kill(String start) {
        administrator.ask("POST", "/siemload_registry/_refresh");
        JsonNode hit = administrator
                .ask("GET", "/siemload_registry/_search?size=100")
                .at("/hits/hits")
                .valueStream()
                .filter(one -> one.path("_source").path("name").asText().startsWith(start))
                .findFirst()
                .orElseThrow();
        JsonNode entry = hit.path("_source");
        String holder = entry.path("holder").asText().replaceAll("\\d+$", "0");
        administrator.ask(
                "POST",
                "/siemload_registry/_update/"
                        + OpenSearchClient.encoded(hit.path("_id").asText()),
                Map.of(
                        "doc",
                        Map.of("holder", holder, "beat", entry.path("beat").asLong() + 1)));
    }

    @Override
    public void empty(String name) {
        administrator.ask("PUT", "/" + name + "/_settings", Map.of("index.blocks.write", false));
        administrator.ask(
                "POST", "/" + name + "/_delete_by_query?refresh=true", Map.of("query", Map.of("match_all", Map.of())));
        administrator.ask("PUT", "/" + name + "/_settings", Map.of("index.blocks.write", true));
    }

    @Override
    public Target connect() {
        return new OpenSearchPlugin().connect(server.address(), new TargetOptions(VARIANT, TIMEOUT, 8));
    }

    @Override
    public String thing() {
        return "index";
    }

    @Override
    public List<String> names() {
        return administrator
                .ask("GET", "/_cat/indices?format=json&h=index")
                .valueStream()
                .map(index -> index.path("index").asText())
                .toList();
    }

    private void dropAll() {
        names().stream()
                .filter(name -> name.startsWith("siemload_"))
                .forEach(name -> administrator.ask("DELETE", "/" + name));
    }

    @Test
    void aRunOnlyReadsAndHoldsAnswersAgainstEachOther() throws Exception {
        String before = FLOWS.trace();

        String command = "run pgbench-history --target opensearch --data existing --yes --layout " + Flows.LAYOUT
                + " --set analysts.all.thinkTime.mean=20ms --warmup 0s --duration 2s --failOn breakdown";
        ChildProcess.Ended run = Siemload.run(directory, FLOWS.address(), command.split(" "));

        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(run.output())
                .containsSubsequence(
                        "it creates nothing and writes nothing. It runs:",
                        "HAWAT3, HAWAT4, HAWAT5, MENTAT",
                        "as a search, which cannot write",
                        "3,000 events from 2024-02-20T00:00:00.250Z to 2024-02-26T22:30:00.250Z",
                        "values of address: 250",
                        "values of category: 10",
                        "values of detector: 20",
                        "answers were compared with each other: ");
        assertThat(FLOWS.trace()).isEqualTo(before);
        JsonNode result = LatestRun.json(directory);
        assertThat(result.at("/dataset/store").asText()).isEqualTo("existing");
        assertThat(result.at("/target/layout").asText()).startsWith("flows@");
        assertThat(result.at("/answersWrong").asLong()).isZero();
        assertThat(LatestRun.rows(directory)).isGreaterThan(100);
    }

    private static LayoutFolder layout(Map<String, String> changed) {
        SortedMap<String, String> files = LayoutFolder.read(
                        Flows.LAYOUT.toString(), new Origin.Default(), new OpenSearchPlugin())
                .files();
        return new LayoutFolder("flows", "flows", BlockFiles.with(files, changed));
    }

    private static void with(Map<String, String> changed, Consumer<Store> use) {
        ExistingSessions.events(new OpenSearchPlugin(), FLOWS.address(), layout(changed), use);
    }

    private static List<String> newestOfKind() {
        List<String> all = new ArrayList<>(IntStream.range(0, Flows.FLOWS)
                .mapToObj(Flow::of)
                .filter(flow -> flow.category().equals("kind-7"))
                .map(Flow::id)
                .toList());
        Collections.reverse(all);
        return all;
    }

    @Test
    void theNameOfADocumentTellsRowsApartWhereNothingElseDoes() {
        with(
                Map.of(
                        "row.json", "{\"id\": \"_id\", \"time\": \"@timestamp\", \"event\": \"_source\"}",
                        "newest-first.json", "[{\"@timestamp\": \"desc\"}, {\"_id\": \"desc\"}]",
                        "after-key.json", "[{\"$param\": \"time\"}, {\"$param\": \"id\"}]"),
                store -> {
                    pagesHaveTheOrderOf(newestOfKind(), store, KIND);
                    assertThat(store.rowsWritten()).hasValue(Flows.FLOWS);
                });
    }

    /** Three events within one microsecond: no coarser time would tell where the next page begins. */
    @Test
    void pagesGoOnWithinAMicrosecondWhereTheTimesAreThatPrecise() {
        List<String> times = List.of(
                "2024-02-20T00:00:00.000001001Z", "2024-02-20T00:00:00.000001002Z", "2024-02-20T00:00:00.000001003Z");
        FLOWS.makePrecise(times);
        Map<String, String> precise = Map.of(
                "layout.yaml",
                "{description: x, target: opensearch, loading: none, index: " + Flows.PRECISE + "}",
                "after-key.json",
                "[{\"$param\": \"time\"}, {\"$param\": \"id\"}]");
        with(precise, store -> {
            assertThat(store.span().newest()).isEqualTo(Instant.parse(times.get(2)));
            PageKey last = new PageKey(Instant.parse(times.get(2)), "flow-2");
            for (int n = 1; n >= 0; n--) {
                List<PageKey> next = new ArrayList<>();
                try (SearchSession session = store.openSession()) {
                    Page page = new Page.After(1, last);
                    session.search(
                            new Search(new SearchName("HAWAT4"), Window.ALWAYS, List.of(), Order.NEWEST_FIRST, page),
                            row -> next.add(row.key()));
                }
                assertThat(next).containsExactly(new PageKey(Instant.parse(times.get(n)), "flow-" + n));
                last = next.get(0);
            }
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            layout.yaml | flows-* | streams | cannot count the events in the index streams: no such index [streams]
            layout.yaml | flows-* | streams-* | there is no event in the index streams-*: there is nothing to search
            row.json | "@timestamp" | "event.category" | the block row reads time from event.category and finds nothing (needed: a time such as
            row.json | "event.id" | "event.ids" | the block row reads id from event.ids and finds nothing (needed: text or a whole number)
            newest-first.json | "@timestamp" | "@timestomp" | cannot see when the events in the index flows-* were: No mapping found for [@timestomp]
            values.json | "port": | "ports": | values, query address: has the key 'ports' (allowed: value, events, category, detector, port)
            values.json | "source.ip" | "host.name" | values, query address: 'host-19' is not a single address
            values.json | "field": "event.id" | "field": "event.ids" | values, query id: returns no line (remove the query, and searches for its values)
            values.json | "size": 1000 | "sizes": 1000 | cannot ask values, query id, in the index flows-*: [1:48] [terms] unknown field [sizes]
            """)
    void whatCannotBeAskedIsTold(String file, String from, String to, String message) {
        String text = BlockFiles.of(layout(Map.of()).files()).getOrDefault(file, "");
        assertThat(text).contains(from);
        assertThatThrownBy(() -> with(Map.of(file, text.replace(from, to)), store -> {
                    var span = store.span();
                    var values = store.values(1_000);
                }))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining(message);
    }
}
