package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import siemload.dataset.Popularity;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.SearchName;
import siemload.query.StatementText;
import siemload.scenario.AnalystGroup.WindowLength;
import siemload.scenario.Procedure.Asked;
import siemload.scenario.Procedure.CacheState;
import siemload.scenario.Procedure.Counting;
import siemload.scenario.Procedure.Items;
import siemload.scenario.Procedure.Load;
import siemload.scenario.Procedure.Load.Indexing;
import siemload.scenario.Procedure.Load.Way;
import siemload.scenario.Procedure.Read;
import siemload.scenario.Procedure.Read.Passes;
import siemload.scenario.Procedure.Statistics;
import siemload.scenario.Procedure.Transactions;
import siemload.scenario.StatementPlan.Values;

class ProcedureReaderTest extends ScenarioReading {
    static final String TRANSACTIONS = """
            description: withdraws
            procedure:
              steps: [users]
              users: 150
              duration: 60s
              values: {account: 10_000, amount: [1, 2]}
              setup:
                - CREATE TABLE account (account integer)
                - INSERT INTO account SELECT n FROM generate_series(1, :account) n
              transactions:
                writeLight: {statements: ["UPDATE account SET balance = :amount, last = :id WHERE account = :account"]}
                writeHeavy: {like: writeLight, rows: 100}
                readLight: {statements: [SELECT 1]}
              committed: {name: changes, count: SELECT 1, find: [SELECT 1 FROM account WHERE id = :id]}
              classes: {writeLight: 1}
            """;

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
                        WindowLength.ALL,
                        Popularity.TYPICAL,
                        10,
                        "drawn",
                        List.of(Order.NEWEST_FIRST),
                        new Page.Numbered(100, 1)));
        assertThat(read.steps())
                .containsExactly(new Read(Counting.NONE, Passes.SAME_VALUES, List.of(), new TreeMap<>()));
        assertThat(read.passes()).isEqualTo(1);
        assertThat(read.caches()).isEqualTo(CacheState.AS_FOUND);
        assertThat(read.writes()).isFalse();
    }

    @Test
    void stepsAreDoneInTheOrderInWhichTheyStand() {
        String splunkit = """
                description: takes events
                procedure:
                  steps: [load, read]
                  matching: {few: {search: HAWAT1, most: 9}}
                """;
        Map<String, String> given = Map.of(
                "procedure.writing", "inserts",
                "procedure.batch", "500",
                "procedure.servers", "6");

        Procedure read = files.procedure(splunkit, given);

        assertThat(read.steps())
                .containsExactly(
                        new Load(Way.INSERTS, 500, 1, Indexing.BEFORE, 1, Statistics.STALE),
                        new Read(
                                Counting.NONE,
                                Passes.SAME_VALUES,
                                List.of(),
                                new TreeMap<>(Map.of("few", new Read.Match(SearchName.HAWAT1, 1, 9, 0, 1)))));
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

    @Test
    void settingsOverrideWhatTheFileSays() {
        Map<String, String> given = Map.of(
                "users", "12",
                "procedure.scale", "80",
                "warmup", "1s",
                "duration", "5s",
                "procedure.crash", "2s",
                "procedure.classes", "{writeHeavy: 3, readLight: 1}");

        Transactions read = files.procedure(TRANSACTIONS, given).transactions().orElseThrow();

        assertThat(read.usersByClass()).isEqualTo(Map.of("writeHeavy", 9, "readLight", 3));
        assertThat(read.setup())
                .extracting(StatementText::written)
                .last()
                .isEqualTo("INSERT INTO account SELECT n FROM generate_series(1, 800000) n");
        assertThat(read.values()).containsEntry("account", new Values.Range(1, 800_000));
        assertThat(read.warmup()).isEqualTo(Duration.ofSeconds(1));
        assertThat(read.duration()).isEqualTo(Duration.ofSeconds(5));
        assertThat(read.crash()).isEqualTo(Optional.of(Duration.ofSeconds(2)));
    }

    @Test
    void aTransactionLikeAnotherHasItsStatementsForMoreRows() {
        Transactions read =
                files.procedure(TRANSACTIONS, Map.of()).transactions().orElseThrow();

        assertThat(read.transactions().get("writeHeavy"))
                .isEqualTo(new Transactions.Transaction(
                        "", read.transactions().get("writeLight").statements(), 100));
        assertThat(read.transactions().get("writeHeavy").writes()).isTrue();
        assertThat(read.transactions().get("readLight").writes()).isFalse();
    }
}
