package siemload.run.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static siemload.run.procedure.FollowedSteps.step;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.EmbeddedServer;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugins;
import siemload.database.postgresql.server.ServerDirectory;
import siemload.results.DatabaseActivity.Io;
import siemload.results.StepRecord;
import siemload.scenario.Procedure;
import siemload.scenario.UserClass;

/** Transactions on accounts in PostgreSQL: whether the books balance after a crash, and what the server reads and writes for them. */
@Tag("any-java")
@Tag("database")
class TransactionsOnPostgresqlTest {
    @TempDir
    private Path directory;

    /** Each round kills all processes of the server in the middle of the withdrawals of 20 users. */
    @Test
    void theBooksBalanceAfterTheServerWasKilledAndStartedAgain() {
        for (int round = 1; round <= Integer.getInteger("rounds", 1); round++) {
            TargetPlugin plugin = TargetPlugins.find("postgresql").orElseThrow();
            EmbeddedOptions options = new EmbeddedOptions(ServerDirectory.of("accounts"), 40);
            try (EmbeddedServer server = plugin.startEmbedded(options);
                    Target target = plugin.connect(server.address(), TransactionsFixture.options(plugin, 25));
                    Store store = target.emptyStore("accounts-test-" + round)) {
                List<StepRecord> steps = TransactionsFixture.follow(
                        directory,
                        store,
                        new Procedure.Transactions(
                                TransactionsFixture.ACCOUNTS,
                                new TreeMap<>(Map.of(UserClass.WRITE_LIGHT, 18, UserClass.WRITE_MEDIUM, 2)),
                                Duration.ZERO,
                                Duration.ofSeconds(3),
                                Optional.of(Duration.ofMillis(1_000 + round * 37 % 500))),
                        () -> {
                            ProcessHandle first = ProcessHandle.of(
                                            server.process().orElseThrow())
                                    .orElseThrow();
                            List<ProcessHandle> all = first.descendants().toList();
                            first.destroyForcibly();
                            all.forEach(ProcessHandle::destroyForcibly);
                            first.onExit().join();
                            all.forEach(one -> one.onExit().join());
                            server.restart(() -> {});
                            store.serverRestarted();
                        });

                assertThat(io(steps, "fill")).containsKeys("data", "index", "redo");
                assertThat(step(steps, "transactions").io())
                        .as("a server that was started anew has forgotten its counts")
                        .isEmpty();
                StepRecord books = step(steps, "books");
                assertThat(books.facts()).as("round " + round).doesNotContainKey(StepRecord.ERROR);
                assertThat(books.figures()).containsEntry("unknown", 0.0);
                assertThat(books.figures().get("withdrawals")).isGreaterThan(100);
                assertThat(step(steps, "transactions").figures().get("connectionsLost")
                                + step(steps, "transactions").figures().get("commitsLookedUp"))
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
        TargetPlugin plugin = TargetPlugins.find("postgresql").orElseThrow();
        EmbeddedOptions options = new EmbeddedOptions(ServerDirectory.of("accounts-io"), 40);
        try (EmbeddedServer server = plugin.startEmbedded(options);
                Target target = plugin.connect(server.address(), TransactionsFixture.options(plugin, 25))) {
            List<StepRecord> alone = onServer(target, "alone", Map.of(UserClass.WRITE_LIGHT, 2));
            List<StepRecord> together =
                    onServer(target, "together", Map.of(UserClass.WRITE_LIGHT, 1, UserClass.READ_LIGHT, 1));

            double withdrawals = step(alone, "books").figures().get("withdrawals");
            Map<String, Io> io = io(alone, "transactions");
            assertThat(io.get("data").hits() + io.get("data").reads()).isGreaterThan(Math.round(3 * withdrawals));
            assertThat(io.get("index").hits() + io.get("index").reads()).isGreaterThan(Math.round(3 * withdrawals));
            assertThat(io.get("redo").writtenBytes()).isGreaterThan(Math.round(200 * withdrawals));
            assertThat(io(alone, "transactions writeLight")).isEqualTo(io);
            assertThat(io(alone, "fill").get("redo").writtenBytes())
                    .isGreaterThan(100 * TransactionsFixture.ACCOUNTS / 10);
            assertThat(io(together, "transactions")).containsKeys("data", "index", "redo");
            assertThat(io(together, "transactions writeLight")).isEmpty();
        }
    }

    private List<StepRecord> onServer(Target target, String name, Map<UserClass, Integer> users) {
        try (Store store = target.emptyStore("accounts-io-" + name)) {
            return TransactionsFixture.follow(
                    directory,
                    store,
                    new Procedure.Transactions(
                            TransactionsFixture.ACCOUNTS,
                            new TreeMap<>(users),
                            Duration.ZERO,
                            Duration.ofSeconds(2),
                            Optional.empty()),
                    () -> {});
        }
    }

    private static Map<String, Io> io(List<StepRecord> steps, String name) {
        return step(steps, name).io().stream().collect(Collectors.toMap(Io::category, one -> one));
    }
}
