package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import siemload.config.Origin;
import siemload.dataset.Popularity;
import siemload.query.MatchClass;
import siemload.query.Page;
import siemload.query.SearchName;
import siemload.scenario.Procedure.Asked;
import siemload.scenario.Procedure.Counting;
import siemload.scenario.Procedure.Items;
import siemload.scenario.Procedure.Load;
import siemload.scenario.Procedure.Load.Deletion;
import siemload.scenario.Procedure.Load.Indexing;
import siemload.scenario.Procedure.Load.Way;
import siemload.scenario.Procedure.Orders;
import siemload.scenario.Procedure.Read;
import siemload.scenario.Procedure.Read.Passes;
import siemload.scenario.Procedure.Statistics;

class ProcedureReaderTest extends ScenarioReading {
    private static final String READ = """
            description: reads
            procedure:
              steps: [read]
              searches: [HAWAT1, HAWAT3]
              page: {size: 100}
            """;

    @Test
    void whatIsLeftOutHasItsDefault() {
        Procedure read = files.procedure(READ, Map.of());

        assertThat(read.asked())
                .contains(new Asked(
                        List.of(SearchName.HAWAT1, SearchName.HAWAT3),
                        new WindowLength.Everything(),
                        Popularity.TYPICAL,
                        10,
                        "drawn",
                        Orders.NEWEST_FIRST,
                        new Page.Numbered(100, 1)));
        assertThat(read.steps())
                .containsExactly(new Read(Counting.NONE, Passes.SAME_VALUES, Optional.empty(), Optional.empty()));
        assertThat(read.passes()).isEqualTo(1);
        assertThat(read.caches()).isEqualTo(CacheState.AS_FOUND);
        assertThat(read.writes()).isFalse();
    }

    @Test
    void settingsOverrideWhatTheFileSays() {
        Map<String, String> given = Map.of(
                "searches", "HAWAT3",
                "procedure.order", "oldestFirst",
                "procedure.popularity", "rare",
                "procedure.listLength", "50",
                "procedure.page.size", "1000000",
                "procedure.count", "exact",
                "procedure.passes", "9",
                "procedure.caches", "cold",
                "procedure.searched", "study");

        Procedure read = files.procedure(READ, given);

        assertThat(read.asked())
                .contains(new Asked(
                        List.of(SearchName.HAWAT3),
                        new WindowLength.Everything(),
                        Popularity.RARE,
                        50,
                        "study",
                        Orders.OLDEST_FIRST,
                        new Page.Numbered(1_000_000, 1)));
        assertThat(read.steps())
                .containsExactly(new Read(Counting.EXACT, Passes.SAME_VALUES, Optional.empty(), Optional.empty()));
        assertThat(read.passes()).isEqualTo(9);
        assertThat(read.caches()).isEqualTo(CacheState.COLD);
        assertThat(files.read(READ, given).values())
                .anySatisfy(value -> assertThat(value)
                        .hasToString(new siemload.config.Setting(
                                        "procedure.passes", "9", new Origin.SystemProperty("procedure.passes"))
                                .toString()));
    }

    @Test
    void stepsAreDoneInTheOrderInWhichTheyStand() {
        String splunkit = """
                description: takes events
                procedure:
                  steps: [load, read]
                  matching: {superSparse: HAWAT1}
                """;
        Map<String, String> given = Map.of(
                "procedure.writing", "inserts",
                "procedure.batch", "500",
                "procedure.servers", "6");

        Procedure read = files.procedure(splunkit, given);

        assertThat(read.steps())
                .containsExactly(
                        new Load(Way.INSERTS, 500, 1, Indexing.BEFORE, 1, Deletion.BETWEEN, Statistics.STALE),
                        new Read(
                                Counting.NONE,
                                Passes.SAME_VALUES,
                                Optional.empty(),
                                Optional.of(new TreeMap<>(Map.of(MatchClass.SUPER_SPARSE, SearchName.HAWAT1)))));
        assertThat(read.servers()).isEqualTo(6);
        assertThat(read.startsEmpty()).isTrue();
    }

    @Test
    void itemsHaveTheNumbersOfTheStudyUnlessOthersAreGiven() {
        String users = """
                description: jobs
                procedure: {steps: [users], searches: [HAWAT1], page: {size: 20}, levels: [1, 1_000]}
                """;

        assertThat(files.procedure(users, Map.of()).steps()).containsExactly(new Items(List.of(1, 1000), 192, 20));
        Procedure given = files.procedure(
                users,
                Map.of(
                        "procedure.levels", "5, 6",
                        "procedure.itemSearches", "8",
                        "procedure.inFlight", "3",
                        "procedure.servers", "4"));
        assertThat(given.steps()).containsExactly(new Items(List.of(5, 6), 8, 3));
        assertThat(given.servers()).isEqualTo(4);
        assertThat(given.searchers()).isEqualTo(3);
    }
}
