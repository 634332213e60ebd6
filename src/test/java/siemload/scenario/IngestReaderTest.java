package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import siemload.query.MatchClass;
import siemload.query.SearchName;
import siemload.scenario.Ingest.Deployment;
import siemload.scenario.Ingest.Turns;
import siemload.scenario.Ingest.Way;
import siemload.scenario.Ingest.Writing;

class IngestReaderTest extends ScenarioReading {
    private static final String SHORTEST = """
            description: takes events
            procedure: {kind: ingest, matching: {superSparse: HAWAT1}}
            """;

    @Test
    void whatIsLeftOutHasItsDefault() {
        assertThat(files.procedure(SHORTEST, Map.of()))
                .isEqualTo(new Ingest(
                        new Writing(Way.BULK, 100, 1),
                        new TreeMap<>(Map.of(MatchClass.SUPER_SPARSE, SearchName.HAWAT1)),
                        1,
                        1,
                        Turns.TOGETHER,
                        new Deployment(3, Duration.ofDays(90))));
    }

    @Test
    void settingsOverrideWhatTheFileSays() {
        Map<String, String> given = Map.of(
                "procedure.writing", "inserts",
                "batch", "500",
                "procedure.passes", "4",
                "procedure.servers", "6",
                "procedure.turns", "oneByOne",
                "procedure.peakFactor", "2.5",
                "procedure.retention", "30d");

        assertThat(files.procedure(SHORTEST, given))
                .isEqualTo(new Ingest(
                        new Writing(Way.INSERTS, 500, 1),
                        new TreeMap<>(Map.of(MatchClass.SUPER_SPARSE, SearchName.HAWAT1)),
                        4,
                        6,
                        Turns.ONE_BY_ONE,
                        new Deployment(2.5, Duration.ofDays(30))));
    }
}
