package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static siemload.database.ExistingSessions.pagesHaveTheOrderOf;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.config.Origin;
import siemload.database.ExistingSessions;
import siemload.database.LayoutFolder;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.database.layout.BlockFiles;
import siemload.database.opensearch.Flows;
import siemload.database.opensearch.Flows.Flow;
import siemload.database.opensearch.OpenSearchPlugin;
import siemload.query.Criterion;
import siemload.query.CriterionKey;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/**
 * Siemload's searches are asked of several indexes that nobody here designed, by a layout without loading, and leave no trace in them or
 * beside them.
 */
@Tag("database")
@Tag("any-java")
class SearchExistingIndexTest {
    private static final Criterion KIND = CriterionKey.CATEGORY.is("kind-7");

    @RegisterExtension
    static final Flows FLOWS = new Flows();

    @TempDir
    private Path directory;

    @Test
    void aRunOnlyReadsAndHoldsAnswersAgainstEachOther() throws Exception {
        String before = FLOWS.trace();

        String command = "run pgbench-history --target opensearch --data existing --yes --layout " + Flows.LAYOUT
                + " --set analysts.all.thinkTime.mean=20ms --warmup 0s --duration 2s --failOn breakdown";
        ChildProcess.Ended run = Siemload.run(directory, FLOWS.address(), command.split(" "));

        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(run.output())
                .containsSubsequence(
                        "it makes nothing and writes nothing. It asks:",
                        "HAWAT3, HAWAT4, HAWAT5, MENTAT",
                        "each a search, which cannot write",
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
            row.json | "@timestamp" | "event.category" | the block row gives as time, in event.category, nothing (needed: a time such as
            row.json | "event.id" | "event.ids" | the block row gives as id, in event.ids, nothing (needed: text or a whole number)
            newest-first.json | "@timestamp" | "@timestomp" | cannot see when the events in the index flows-* were: No mapping found for [@timestomp]
            values.json | "port": | "ports": | values, query address: gives a key 'ports' (allowed: value, events, category, detector, port)
            values.json | "source.ip" | "host.name" | values, query address: 'host-19' is not one address
            values.json | "field": "event.id" | "field": "event.ids" | values, query id: gives no line (remove it, and what looks for it)
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
