package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
                "writing", "inserts",
                "batch", "500",
                "passes", "4",
                "servers", "6",
                "turns", "oneByOne",
                "peakFactor", "2.5",
                "retention", "30d");

        assertThat(files.procedure(SHORTEST, given))
                .isEqualTo(new Ingest(
                        new Writing(Way.INSERTS, 500, 1),
                        new TreeMap<>(Map.of(MatchClass.SUPER_SPARSE, SearchName.HAWAT1)),
                        4,
                        6,
                        Turns.ONE_BY_ONE,
                        new Deployment(2.5, Duration.ofDays(30))));
    }

    @Test
    void thereAreAsManyServersAsUrls() {
        Map<String, String> given =
                Map.of("url", "jdbc:postgresql://a/x", "otherUrls", "jdbc:postgresql://b/x jdbc:postgresql://c/x");

        assertThat(files.procedure(SHORTEST, given).servers()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{superSparse: HAWAT1}|{}|is empty (needed: at least one class with its search, of dense, sparse, superSparse, rare)",
                "{superSparse: HAWAT1}|{medium: HAWAT1}|medium: unknown key",
                "{superSparse: HAWAT1}|{dense: TIMELINE}|is unknown",
                "ingest,|ingest, searches: [MENTAT],|is for kind: read, depth, followups, feed, stale, noisy, jobs, certificate",
                "ingest,|ingest, levels: [1],|is for kind: jobs",
            })
    void whatCannotBeIsRefused(String written, String instead, String message) {
        assertThat(files.problemsOf(SHORTEST.replace(written, instead), Map.of()))
                .contains(message);
    }

    @Test
    void aHintIsRefusedSinceNothingCouldProveIt() {
        assertThat(files.problemsOf(SHORTEST, Map.of("hint", "full-scan")))
                .contains("cannot be proven by a procedure of kind ingest");
        assertThat(files.procedure(SHORTEST, Map.of("hint", "none"))).isInstanceOf(Ingest.class);
    }

    @Test
    void itsSettingsAreForNoOtherKind() {
        String load = "description: loads\nprocedure: {kind: load}\n";

        assertThat(files.problemsOf(load, Map.of("writing", "bulk")))
                .contains("is for kind: ingest, but this procedure is of kind: load");
        assertThat(files.problemsOf(load, Map.of("retention", "90d"))).contains("is for kind: ingest");
    }
}
