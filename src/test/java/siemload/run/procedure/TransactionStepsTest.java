package siemload.run.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static siemload.run.procedure.FollowedSteps.step;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import siemload.database.Accounts;
import siemload.database.EmbeddedServer;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugins;
import siemload.results.RunFile;
import siemload.results.StepRecord;
import siemload.run.procedure.UnreliableAccounts.Mishap;
import siemload.scenario.Procedure;
import siemload.scenario.UserClass;

/** Transactions on accounts: what is counted, and whether the books balance whatever happens. */
@Tag("any-java")
class TransactionStepsTest {

    @TempDir
    private Path directory;

    @Test
    void everyAcknowledgedWithdrawalIsInTheBooksAndTimesAreThoseOfTheMeasuredTime() throws IOException {
        List<StepRecord> steps = onMemory(store -> store, transactions(Map.of(UserClass.WRITE_LIGHT, 3)));

        StepRecord transactions = step(steps, "transactions");
        StepRecord books = step(steps, "books");
        assertThat(steps)
                .extracting(StepRecord::name)
                .containsExactly("fill", "transactions", "transactions writeLight", "books");
        assertThat(books.failed()).isFalse();
        assertThat(books.figures().get("withdrawals"))
                .isEqualTo(books.figures().get("acknowledged"))
                .isGreaterThan(transactions.figures().get("transactions"));
        assertThat(transactions.figures().get("maxMicros"))
                .isGreaterThanOrEqualTo(transactions.figures().get("p999Micros"));
        List<String> seconds = Files.readAllLines(RunFile.TRANSACTIONS.in(directory));
        assertThat(sum(seconds, "measured"))
                .isEqualTo(transactions.figures().get("transactions").longValue());
        assertThat(sum(seconds, "warmup") + sum(seconds, "measured"))
                .isEqualTo(books.figures().get("withdrawals").longValue());
    }

    @ParameterizedTest
    @EnumSource(
            value = Mishap.class,
            names = {"CONFLICT", "CONFLICT_IN_A_ROW", "LOST", "COMMITTED_WITHOUT_ANSWER", "COMMIT_NOT_RECEIVED"})
    void whateverHappensToAWithdrawalIsCountedAndTheBooksBalance(Mishap mishap) {
        UnreliableAccounts[] unreliable = new UnreliableAccounts[1];
        List<StepRecord> steps = onMemory(
                accounts -> {
                    unreliable[0] = new UnreliableAccounts(accounts, mishap);
                    return unreliable[0];
                },
                withoutWarmup(Map.of(UserClass.WRITE_LIGHT, mishap == Mishap.CONFLICT_IN_A_ROW ? 1 : 2)));

        Map<String, Double> figures = step(steps, "transactions").figures();
        String counted = switch (mishap) {
            case CONFLICT, CONFLICT_IN_A_ROW -> "conflicts";
            case LOST -> "connectionsLost";
            case COMMITTED_WITHOUT_ANSWER -> "commitsFound";
            case COMMIT_NOT_RECEIVED, FORGOTTEN -> "commitsLookedUp";
        };
        assertThat(unreliable[0].mishaps()).isPositive();
        assertThat(figures.get(counted)).isEqualTo(unreliable[0].mishaps());
        assertThat(figures.get("commitsFound"))
                .isEqualTo(mishap == Mishap.COMMITTED_WITHOUT_ANSWER ? figures.get("commitsLookedUp") : 0);
        assertThat(step(steps, "books").facts()).doesNotContainKey(StepRecord.ERROR);
        assertThat(step(steps, "books").figures()).containsEntry("unknown", 0.0);
    }

    @Test
    void aServerThatAcknowledgesWhatItForgetsIsFoundOut() {
        List<StepRecord> steps = onMemory(
                accounts -> new UnreliableAccounts(accounts, Mishap.FORGOTTEN),
                transactions(Map.of(UserClass.WRITE_LIGHT, 2)));

        StepRecord books = step(steps, "books");
        assertThat(books.failed()).isTrue();
        assertThat(books.facts().get(StepRecord.ERROR))
                .startsWith("the books do not balance: the history has ")
                .endsWith(" are lost");
    }

    /** Its crash would be an hour later. */
    @Test
    @Timeout(60)
    void aRunThatHasFailedDoesNotWaitForItsCrashAndTellsTheFailureBeforeItsConsequences() {
        AtomicBoolean crashed = new AtomicBoolean();
        Seen broken = accounts -> BrokenAccounts.refusing(accounts);

        assertThatThrownBy(() -> onMemory(
                        broken,
                        withCrash(Duration.ofHours(1)),
                        () -> crashed.set(true),
                        new Interruption(),
                        FollowedSteps.SILENT))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("a transaction of class writeLight failed: refused")
                .satisfies(failure ->
                        assertThat(failure.getSuppressed()).singleElement().hasToString(BrokenAccounts.NO_BOOKS));
        assertThat(crashed).isFalse();
    }

    @Test
    void aRunThatIsInterruptedInItsWarmUpCrashesNothingAndHasMeasuredNothing() throws IOException {
        Interruption interruption = new Interruption();
        CountDownLatch crashed = new CountDownLatch(1);
        Progress interrupting = new Progress() {
            @Override
            public void status(String text) {
                if (text.contains("warm-up")) {
                    interruption.ask();
                    await(crashed);
                }
            }

            @Override
            public void line(String text) {}
        };
        List<StepRecord> steps = onMemory(
                accounts -> accounts,
                new Procedure.Transactions(
                        TransactionsFixture.ACCOUNTS,
                        new TreeMap<>(Map.of(UserClass.WRITE_LIGHT, 2)),
                        Duration.ofHours(1),
                        Duration.ofHours(1),
                        Optional.of(Duration.ofMinutes(1))),
                crashed::countDown,
                interruption,
                interrupting);

        assertThat(crashed.getCount()).isOne();
        List<String> seconds = Files.readAllLines(RunFile.TRANSACTIONS.in(directory));
        assertThat(seconds).noneMatch(line -> line.contains(",measured,"));
        assertThat(sum(seconds, "warmup"))
                .isPositive()
                .isEqualTo(step(steps, "books").figures().get("withdrawals").longValue());
        assertThat(step(steps, "transactions").figures())
                .containsEntry("transactions", 0.0)
                .doesNotContainKey("transactionsPerSecond");
        assertThat(steps).allSatisfy(step -> assertThat(step.figures().values()).allMatch(Double::isFinite));
    }

    /** A moment in which what must not happen could. */
    private static void await(CountDownLatch latch) {
        try {
            boolean unused = latch.await(300, TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @Timeout(60)
    void whatNobodyCanLookUpIsUnknownAtOnceWhenTheRunIsInterrupted() {
        Interruption interruption = new Interruption();
        List<StepRecord> steps = onMemory(
                accounts -> BrokenAccounts.withoutAnswers(accounts, interruption),
                withoutWarmup(Map.of(UserClass.WRITE_LIGHT, 1)),
                CrashControl.NONE,
                interruption,
                FollowedSteps.SILENT);

        assertThat(step(steps, "books").figures().get("unknown"))
                .isPositive()
                .isEqualTo(step(steps, "transactions").figures().get("commitsLookedUp"));
    }

    private static Procedure.Transactions withCrash(Duration after) {
        return new Procedure.Transactions(
                TransactionsFixture.ACCOUNTS,
                new TreeMap<>(Map.of(UserClass.WRITE_LIGHT, 2)),
                Duration.ZERO,
                Duration.ofHours(2),
                Optional.of(after));
    }

    private static Procedure.Transactions transactions(Map<UserClass, Integer> users) {
        return transactions(users, Duration.ofMillis(300));
    }

    private static Procedure.Transactions withoutWarmup(Map<UserClass, Integer> users) {
        return transactions(users, Duration.ZERO);
    }

    private static Procedure.Transactions transactions(Map<UserClass, Integer> users, Duration warmup) {
        return new Procedure.Transactions(
                TransactionsFixture.ACCOUNTS, new TreeMap<>(users), warmup, Duration.ofMillis(1_200), Optional.empty());
    }

    /** How the accounts of a store are seen by the users. */
    @FunctionalInterface
    private interface Seen {
        Accounts through(Accounts accounts);
    }

    private List<StepRecord> onMemory(Seen seen, Procedure.Transactions procedure) {
        return onMemory(seen, procedure, CrashControl.NONE, new Interruption(), FollowedSteps.SILENT);
    }

    private List<StepRecord> onMemory(
            Seen seen,
            Procedure.Transactions procedure,
            CrashControl crashes,
            Interruption interruption,
            Progress progress) {
        TargetPlugin plugin = TargetPlugins.find("memory").orElseThrow();
        EmbeddedOptions options = new EmbeddedOptions(directory, 8);
        try (EmbeddedServer server = plugin.startEmbedded(options);
                Target target = plugin.connect(server.address(), TransactionsFixture.options(plugin, 4));
                Store store = target.emptyStore("accounts-test")) {
            return TransactionsFixture.follow(
                    directory,
                    new AccountsStore(store, seen.through(store.accounts().orElseThrow())),
                    procedure,
                    crashes,
                    interruption,
                    progress);
        }
    }

    private static long sum(List<String> lines, String phase) {
        return lines.stream()
                .map(line -> line.split(",", -1))
                .filter(cells -> cells[1].equals(phase))
                .mapToLong(cells -> Long.parseLong(cells[2]))
                .sum();
    }
}
