package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Partitions;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.EventSink;
import siemload.database.Target;
import siemload.database.postgresql.PostgresqlSearchStatements.SqlText;
import siemload.dataset.RecordingFiles;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.SecurityEvent;

/** A load sends values in binary form and a feeder in text form: the server must understand the same. */
@Tag("database")
final class LoadedAndFedTest {
    private static final Path RECORDING = Path.of("src/test/resources/recordings/dirty.idea.jsonl");
    private static final int SOME = 3_000;

    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("loaded and fed");

    @Test
    void theRowsAreEqual() {
        List<SecurityEvent> events = events();
        DatasetKey empty = new DatasetKey("0000000000000000", "empty", 0);
        DatasetKey full = new DatasetKey("000000000000f111", "full", events.size());
        try (Target target = SERVER.connect(Duration.ofSeconds(60))) {
            target.load(empty, load -> {}, step -> {});
            target.load(full, load -> load.write(events), step -> {});
            try (Store fed = target.copy(empty, "fed");
                    Store loaded = target.copy(full, "loaded");
                    EventSink sink = fed.openSink()) {
                sink.write(events);
                assertThat(fed.events()).isEqualTo(events.size());
                assertThat(loaded.events()).isEqualTo(events.size());
                assertThat(rows("fed")).isEqualTo(rows("loaded"));
            }
        }
    }

    private static List<SecurityEvent> events() {
        List<SecurityEvent> events = new ArrayList<>(edges());
        RecordingFiles.open(RECORDING, 1).read(1_000, events::addAll);
        events.addAll(PostgresqlTestServer.generated(0, SOME));
        return events;
    }

    /** What is rare in data sets: times and addresses at both ends of their range. */
    private static List<SecurityEvent> edges() {
        List<AddressRange> addresses = List.of(
                AddressRange.parse("255.255.255.255"),
                AddressRange.parse("0.0.0.0/0"),
                AddressRange.parse("::"),
                AddressRange.parse("::2710"),
                AddressRange.parse("::5f5:e100-8000::"),
                AddressRange.parse("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"));
        Endpoint side =
                new Endpoint(List.of("é\0\uD83D", "{NULL,\"}"), addresses, List.of(0, 65_535), List.of(), Map.of());
        List<Instant> times = List.of(
                Instant.MIN,
                SqlText.FIRST.minusNanos(1),
                SqlText.FIRST,
                Instant.parse("1999-12-31T23:59:59.999999999Z"),
                Instant.parse("2000-01-01T00:00:00.000001Z"),
                SqlText.END.minusNanos(1),
                SqlText.END,
                Instant.MAX);
        return times.stream()
                .map(time -> new SecurityEvent(
                        "at " + time, time, List.of(), "a\0\\\t€", List.of(side), List.of(), List.of(), Map.of()))
                .toList();
    }

    /** Everything but when it was stored, as text. */
    private static List<String> rows(String run) {
        return SERVER.texts(
                SERVER.ofRun(run),
                "SELECT ("
                        + Layout.of("mentat", Partitions.NONE).tables().get(0).columnNames()
                        + ")::text || e::text FROM events LEFT JOIN events_json e USING (id) ORDER BY id");
    }
}
