package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.config.Origin;
import siemload.dataset.Popularity;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.SearchName;
import siemload.scenario.Procedure.Counting;
import siemload.scenario.Procedure.SearchSet;

class ProcedureReaderTest extends ScenarioReading {
    private static final String READ = """
            description: reads
            procedure:
              kind: read
              searches: [HAWAT1, HAWAT3]
              page: {size: 100}
            """;

    @Test
    void whatIsLeftOutHasItsDefault() {
        assertThat(files.procedure(READ, Map.of()))
                .isEqualTo(new Procedure.Read(
                        new SearchSet(
                                List.of(SearchName.HAWAT1, SearchName.HAWAT3),
                                new WindowLength.Everything(),
                                Popularity.TYPICAL,
                                10,
                                "drawn"),
                        Order.NEWEST_FIRST,
                        new Page.Numbered(100, 1),
                        Counting.NONE,
                        1,
                        CacheState.AS_FOUND));
    }

    @Test
    void settingsOverrideWhatTheFileSays() {
        Map<String, String> given = Map.of(
                "searches", "HAWAT3",
                "procedure.order", "oldestFirst",
                "procedure.popularity", "rare",
                "procedure.listLength", "50",
                "page", "1000000",
                "procedure.count", "exact",
                "procedure.passes", "9",
                "caches", "cold",
                "procedure.searched", "study");

        assertThat(files.procedure(READ, given))
                .isEqualTo(new Procedure.Read(
                        new SearchSet(
                                List.of(SearchName.HAWAT3),
                                new WindowLength.Everything(),
                                Popularity.RARE,
                                50,
                                "study"),
                        Order.OLDEST_FIRST,
                        new Page.Numbered(1_000_000, 1),
                        Counting.EXACT,
                        9,
                        CacheState.COLD));
        assertThat(files.read(READ, given).values())
                .anySatisfy(value -> assertThat(value)
                        .hasToString(new siemload.config.Setting(
                                        "procedure.passes", "9", new Origin.InFile("-Dprocedure.passes", 0, 0))
                                .toString()));
    }

    @Test
    void theDurationIsThatOfAllThreePartsOfANoisyProcedure() {
        String noisy = """
                description: noisy
                procedure: {kind: noisy, searches: [HAWAT1], page: {size: 100}, users: 4}
                """;

        Procedure.Noisy read = (Procedure.Noisy) files.procedure(noisy, Map.of("duration", "30s", "users", "2"));

        assertThat(read.part()).isEqualTo(Duration.ofSeconds(10));
        assertThat(read.users()).isEqualTo(2);
    }

    @Test
    void loadsAreRepeatedAsOftenAsTheSettingsSay() {
        String load = """
                description: load
                procedure: {kind: load}
                """;

        assertThat(files.procedure(load, Map.of())).isEqualTo(new Procedure.Load(Procedure.Indexing.BEFORE, 3));
        assertThat(files.procedure(load, Map.of("procedure.cycles", "1")))
                .isEqualTo(new Procedure.Load(Procedure.Indexing.BEFORE, 1));
    }

    @Test
    void jobsHaveTheNumbersOfTheStudyUnlessOthersAreGiven() {
        String jobs = """
                description: jobs
                procedure: {kind: jobs, searches: [HAWAT1], page: {size: 20}, levels: [1, 1_000]}
                """;
        SearchSet everything = new SearchSet(
                List.of(SearchName.HAWAT1), new WindowLength.Everything(), Popularity.TYPICAL, 10, "drawn");

        assertThat(files.procedure(jobs, Map.of()))
                .isEqualTo(new Procedure.Jobs(everything, Order.NEWEST_FIRST, 20, List.of(1, 1000), 192, 20, 1, 1));
        assertThat(files.procedure(
                        jobs,
                        Map.of(
                                "procedure.levels", "5, 6",
                                "procedure.itemSearches", "8",
                                "procedure.inFlight", "3",
                                "procedure.servers", "4",
                                "procedure.passes", "2")))
                .isEqualTo(new Procedure.Jobs(everything, Order.NEWEST_FIRST, 20, List.of(5, 6), 8, 3, 4, 2));
    }

    @Test
    void aCertificateTriesBothOrdersUnlessOneIsGiven() {
        String certificate = """
                description: certificate
                procedure: {kind: certificate, searches: [HAWAT1], page: {size: 100}}
                """;

        assertThat(((Procedure.Certificate) files.procedure(certificate, Map.of())).orders())
                .containsExactly(Order.NEWEST_FIRST, Order.OLDEST_FIRST);
        assertThat(((Procedure.Certificate) files.procedure(certificate, Map.of("procedure.order", "oldestFirst")))
                        .orders())
                .containsExactly(Order.OLDEST_FIRST);
    }
}
