package siemload.database.opensearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.SearchException;
import siemload.database.Store;
import siemload.database.Store.EventSink;
import siemload.database.Target;
import siemload.database.Target.ServerUse;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin.EmbeddedServer;
import siemload.database.Variant;
import siemload.database.server.OwnershipTests;
import siemload.event.SecurityEvent;
import siemload.query.Paging;

/** Indexes of others stay as they are, whatever they are called; our own are found, and dropped when nobody uses them. */
@Tag("database")
@Tag("any-java")
final class OpenSearchOwnershipTest implements OwnershipTests {
    private static final Variant VARIANT = new Variant("idea", IndexSet.NATIVE, Hint.NONE, Paging.OFFSET);
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

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
}
