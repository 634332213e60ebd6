package siemload.run.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static siemload.run.procedure.FollowedSteps.step;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Counters.Io;
import siemload.database.Store;
import siemload.database.Store.OwnTransactions;
import siemload.database.Store.OwnTransactions.Bound;
import siemload.database.Store.OwnTransactions.TransactionException;
import siemload.database.Target;
import siemload.database.TargetPlugin;
import siemload.database.postgresql.PostgresqlTestServer;
import siemload.results.RunResult.StepRecord;

@Tag("database")
class TransactionsOnPostgresqlTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("accounts", 40, PostgresqlTestServer.UNSYNCED);

    private static final TargetPlugin PLUGIN = TargetPlugin.find("postgresql").orElseThrow();

    /** Each round kills all processes of the server in the middle of the withdrawals of 20 users. */
    @Test
    void theBooksBalanceAfterTheServerWasKilledAndStartedAgain() {
        for (int round = 1; round <= Integer.getInteger("rounds", 1); round++) {
            try (Target target = connect(25);
                    Store store = target.emptyStore("accounts-test-" + round)) {
                List<StepRecord> steps = FollowedSteps.follow(
                        store,
                        FollowedSteps.atm(Map.of(
                                "users", "20",
                                "duration", "3s",
                                "procedure.classes", "{writeLight: 9, writeMedium: 1}",
                                "procedure.crash", 1_000 + round * 37 % 500 + "ms")),
                        () -> {
                            ProcessHandle first = ProcessHandle.of(
                                            SERVER.embedded().process().orElseThrow())
                                    .orElseThrow();
                            List<ProcessHandle> all = first.descendants().toList();
                            first.destroyForcibly();
                            all.forEach(ProcessHandle::destroyForcibly);
                            first.onExit().join();
                            all.forEach(one -> one.onExit().join());
                            SERVER.restart(() -> {});
                            store.openSession().close();
                        },
                        new StepLog(() -> {}),
                        FollowedSteps.SILENT);

                assertThat(io(steps, "setup")).containsKeys("data", "index", "redo");
                assertThat(step(steps, "transactions").io())
                        .as("a server that was started anew has forgotten its counts")
                        .isEmpty();
                StepRecord invariants = step(steps, "invariants");
                assertThat(invariants.facts()).as("round " + round).doesNotContainKey(StepRecord.ERROR);
                assertThat(invariants.figures()).containsEntry("unknown", 0.0);
                assertThat(invariants.figures().get("withdrawals")).isGreaterThan(100);
                assertThat(step(steps, "transactions").figures().get("connectionsLost")
                                + invariants.figures().get("commitsLookedUp"))
                        .isGreaterThanOrEqualTo(20);
            }
        }
    }

    /**
     * A withdrawal reads and changes a row of three tables each, by their indexes, and writes its log. All of them lie in the cache, where
     * they were just made. What more than one class did together is no class's own.
     */
    @Test
    void whatTransactionsReadAndWriteIsToldWithTheirStep() {
        try (Target target = connect(25)) {
            List<StepRecord> alone = onServer(target, "alone", "{writeLight: 1}");
            List<StepRecord> together = onServer(target, "together", "{writeLight: 1, readLight: 1}");

            double withdrawals = step(alone, "invariants").figures().get("withdrawals");
            Map<String, Io> io = io(alone, "transactions");
            assertThat(io.get("data").hits() + io.get("data").reads()).isGreaterThan(Math.round(3 * withdrawals));
            assertThat(io.get("index").hits() + io.get("index").reads()).isGreaterThan(Math.round(3 * withdrawals));
            assertThat(io.get("redo").writtenBytes()).isGreaterThan(Math.round(200 * withdrawals));
            assertThat(io(alone, "transactions writeLight")).isEqualTo(io);
            assertThat(io(alone, "setup").get("redo").writtenBytes()).isGreaterThan(100 * 10_000 / 10);
            assertThat(io(together, "transactions")).containsKeys("data", "index", "redo");
            assertThat(io(together, "transactions writeLight")).isEmpty();
        }
    }

    /** Files are handed around: what stands in one must not reach beyond the run's own database. */
    @Test
    void statementsOfAFileAreExecutedByAUserWithoutPowers() {
        try (Target target = connect(4);
                Store store = target.emptyStore("powerless")) {
            OwnTransactions transactions = store.transactions().orElseThrow();
            transactions.setUp(List.of("CREATE TABLE mine (n bigint)", "INSERT INTO mine VALUES (7)"), begun -> {});

            assertThat(transactions.number("SELECT n FROM mine")).isEqualTo(7);
            for (String harm :
                    List.of("SELECT length(pg_read_file('/etc/passwd'))", "SELECT count(*) FROM pg_authid")) {
                assertThatThrownBy(() -> transactions.number(harm)).hasMessageContaining("permission denied");
            }
            assertThatThrownBy(() -> transactions.setUp(List.of("COPY mine FROM PROGRAM 'echo 1'"), begun -> {}))
                    .hasMessageContaining("permission denied");
            try (OwnTransactions.Session session = transactions.openSession()) {
                assertThatThrownBy(() -> session.transact(List.of(
                                new Bound("INSERT INTO mine VALUES (?)", List.of("8")),
                                new Bound("INSERT INTO mine VALUES (?)", List.of("x")))))
                        .isInstanceOf(TransactionException.class);
                assertThat(session.transact(List.of(new Bound("SELECT count(*) FROM mine WHERE n > ?", List.of("0")))))
                        .as("nothing is left of a transaction that failed")
                        .isOne();
            }
        }
    }

    private static Target connect(int sessions) {
        return PLUGIN.connect(SERVER.address(), FollowedSteps.options(PLUGIN, sessions));
    }

    private List<StepRecord> onServer(Target target, String name, String classes) {
        try (Store store = target.emptyStore("accounts-io-" + name)) {
            return FollowedSteps.follow(
                    store,
                    FollowedSteps.atm(Map.of("users", "2", "duration", "1s", "procedure.classes", classes)),
                    () -> {},
                    new StepLog(() -> {}),
                    FollowedSteps.SILENT);
        }
    }

    private static Map<String, Io> io(List<StepRecord> steps, String name) {
        return step(steps, name).io().stream().collect(Collectors.toMap(Io::category, one -> one));
    }
}
