package siemload.run.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static siemload.run.procedure.FollowedSteps.step;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import siemload.database.Replacing;
import siemload.database.Store;
import siemload.database.Store.OwnTransactions;
import siemload.database.Store.OwnTransactions.TransactionException;
import siemload.database.Store.OwnTransactions.TransactionException.Kind;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.EmbeddedServer;
import siemload.database.TargetPlugin.EmbeddedServer.EmbeddedOptions;
import siemload.database.provision.ProvidedServer.Listener;
import siemload.results.RunResult.StepRecord;
import siemload.scenario.Procedure.Transactions;

class TransactionStepsTest {

    @TempDir
    private Path directory;

    @Test
    void everyAcknowledgedWithdrawalIsInTheBooksAndTimesAreThoseOfTheMeasuredTime() {
        List<StepRecord> steps = onMemory(FakeTransactions.healthy(), atm(3, "warmup", "300ms", "duration", "1200ms"));

        StepRecord transactions = step(steps, "transactions");
        StepRecord invariants = step(steps, "invariants");
        assertThat(steps)
                .extracting(StepRecord::name)
                .containsExactly("setup", "transactions", "transactions writeLight", "invariants");
        assertThat(invariants.failed()).isFalse();
        assertThat(invariants.figures().get("withdrawals"))
                .isEqualTo(invariants.figures().get("acknowledged"))
                .isGreaterThan(transactions.figures().get("transactions"));
        assertThat(transactions.figures().get("maxMicros"))
                .isGreaterThanOrEqualTo(transactions.figures().get("p999Micros"));
    }

    @ParameterizedTest
    @EnumSource(names = {"CONFLICT", "CONFLICT_IN_A_ROW", "LOST", "COMMITTED_WITHOUT_ANSWER", "COMMIT_NOT_RECEIVED"})
    void whateverHappensToAWithdrawalIsCountedAndTheBooksBalance(Mishap mishap) {
        FakeTransactions unreliable = new FakeTransactions(mishap);
        List<StepRecord> steps = onMemory(unreliable, withoutWarmup(mishap == Mishap.CONFLICT_IN_A_ROW ? 1 : 2));

        Map<String, Double> figures = new HashMap<>(step(steps, "transactions").figures());
        figures.putAll(step(steps, "invariants").figures());
        assertThat(unreliable.mishaps.get()).isPositive();
        assertThat(figures.get(mishap.counted)).isEqualTo(unreliable.mishaps.get());
        assertThat(figures.get("commitsFound"))
                .isEqualTo(mishap == Mishap.COMMITTED_WITHOUT_ANSWER ? figures.get("commitsLookedUp") : 0);
        assertThat(step(steps, "invariants").facts()).doesNotContainKey(StepRecord.ERROR);
        assertThat(figures).containsEntry("unknown", 0.0);
    }

    @Test
    void aServerThatAcknowledgesWhatItForgetsIsFoundOut() {
        List<StepRecord> steps = onMemory(new FakeTransactions(Mishap.FORGOTTEN), withoutWarmup(2));

        StepRecord invariants = step(steps, "invariants");
        assertThat(invariants.failed()).isTrue();
        assertThat(invariants.facts().get(StepRecord.ERROR))
                .startsWith("the invariants do not hold: there are ")
                .contains(" are lost");
    }

    /** Its crash would be an hour later. */
    @Test
    @Timeout(60)
    void aRunThatHasFailedDoesNotWaitForItsCrashAndTellsTheFailureBeforeItsConsequences() {
        AtomicBoolean crashed = new AtomicBoolean();
        assertThatThrownBy(() -> onMemory(
                        new FakeTransactions(Mishap.REFUSED),
                        atm(2, "duration", "2h", "procedure.crash", "1h"),
                        () -> crashed.set(true),
                        new StepLog(() -> {}),
                        FollowedSteps.SILENT))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("a transaction of class writeLight failed: a mishap")
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .singleElement()
                        .hasToString(FakeTransactions.NOT_ASKED.toString()));
        assertThat(crashed).isFalse();
    }

    @Test
    void aRunThatIsInterruptedInItsWarmUpCrashesNothingAndHasMeasuredNothing() {
        StepLog log = new StepLog(() -> {});
        CountDownLatch crashed = new CountDownLatch(1);
        Listener interrupting = new Listener() {
            @Override
            public void status(String text) {
                if (text.contains("warm-up")) {
                    log.interrupt();
                    await(crashed);
                }
            }

            @Override
            public void line(String text) {}
        };
        List<StepRecord> steps = onMemory(
                FakeTransactions.healthy(),
                atm(2, "warmup", "1h", "duration", "1h", "procedure.crash", "1m"),
                crashed::countDown,
                log,
                interrupting);

        assertThat(crashed.getCount()).isOne();
        assertThat(step(steps, "invariants").figures().get("withdrawals")).isPositive();
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
    void whatNobodyCanLookUpIsUnknown() {
        List<StepRecord> steps = onMemory(new FakeTransactions(Mishap.NO_ANSWERS), withoutWarmup(1));

        assertThat(step(steps, "invariants").figures().get("unknown"))
                .isPositive()
                .isEqualTo(step(steps, "invariants").figures().get("commitsLookedUp"));
    }

    private static Transactions atm(int users, String... settings) {
        Map<String, String> all = new HashMap<>(Map.of("users", String.valueOf(users)));
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        return FollowedSteps.atm(all);
    }

    private static Transactions withoutWarmup(int users) {
        return atm(users, "duration", "1s");
    }

    private List<StepRecord> onMemory(OwnTransactions seen, Transactions procedure) {
        return onMemory(seen, procedure, () -> {}, new StepLog(() -> {}), FollowedSteps.SILENT);
    }

    private List<StepRecord> onMemory(
            OwnTransactions seen, Transactions procedure, Runnable crash, StepLog log, Listener progress) {
        TargetPlugin plugin = TargetPlugin.find("memory").orElseThrow();
        EmbeddedOptions options = new EmbeddedOptions(directory, 8, Map.of());
        try (EmbeddedServer server = plugin.startEmbedded(options);
                Target target = plugin.connect(server.address(), FollowedSteps.options(plugin, 4));
                Store store = target.emptyStore("transactions-test")) {
            return FollowedSteps.follow(
                    Replacing.method(Store.class, store, "transactions", (whole, none) -> Optional.of(seen)),
                    procedure,
                    crash,
                    log,
                    progress);
        }
    }

    /** What happens at every tenth transaction, or at many in a row. */
    enum Mishap {
        NONE("", null),
        /** The server rolls it back. */
        CONFLICT("conflicts", Kind.CONFLICT),
        /** The server rolls back the first 150, one after the other. */
        CONFLICT_IN_A_ROW("conflicts", Kind.CONFLICT),
        /** The connection is lost before the commit. */
        LOST("connectionsLost", Kind.LOST),
        /** The connection is lost after the server has committed. */
        COMMITTED_WITHOUT_ANSWER("commitsFound", Kind.UNKNOWN),
        /** The connection is lost before the server gets to know the commit. */
        COMMIT_NOT_RECEIVED("commitsLookedUp", Kind.UNKNOWN),
        /** The server acknowledges what it does not store. */
        FORGOTTEN("", null),
        /** The server refuses each of them, and to be asked afterwards. */
        REFUSED("", Kind.REFUSED),
        /** The server answers to no commit, nor when it is looked up. */
        NO_ANSWERS("commitsLookedUp", Kind.UNKNOWN);

        private final String counted;
        private final Kind kind;

        Mishap(String counted, Kind kind) {
            this.counted = counted;
            this.kind = kind;
        }
    }

    /** A server that knows the ids of what was committed, and nothing else of it. */
    private record FakeTransactions(
            Mishap mishap, Set<String> committed, AtomicInteger transactions, AtomicInteger mishaps)
            implements OwnTransactions, OwnTransactions.Session {
        static final TargetException NOT_ASKED = new TargetException("cannot be asked");

        FakeTransactions(Mishap mishap) {
            this(mishap, ConcurrentHashMap.newKeySet(), new AtomicInteger(), new AtomicInteger());
        }

        static FakeTransactions healthy() {
            return new FakeTransactions(Mishap.NONE);
        }

        @Override
        public void setUp(List<String> statements, Consumer<String> begun) {
            statements.forEach(begun);
        }

        @Override
        public long number(String query) {
            if (mishap == Mishap.REFUSED) {
                throw NOT_ASKED;
            }
            return query.contains("count(*)") ? committed.size() : 0;
        }

        @Override
        public Session openSession() {
            return this;
        }

        @Override
        public long transact(List<Bound> statements) {
            List<String> values = statements.get(statements.size() - 1).values();
            String id = values.get(values.size() - 1);
            if (statements.get(0).sql().endsWith("FOR UPDATE")) {
                if (mishap == Mishap.NO_ANSWERS) {
                    throw new TransactionException(Kind.LOST, "a mishap", new IllegalStateException());
                }
                return committed.contains(id) ? 1 : 0;
            }
            int number = transactions.incrementAndGet();
            boolean struck = switch (mishap) {
                case NONE -> false;
                case CONFLICT_IN_A_ROW -> number <= 150;
                case REFUSED, NO_ANSWERS -> true;
                default -> number % 10 == 0;
            };
            if (!struck || mishap == Mishap.COMMITTED_WITHOUT_ANSWER) {
                committed.add(id);
            }
            mishaps.addAndGet(struck ? 1 : 0);
            if (struck && mishap != Mishap.FORGOTTEN) {
                throw new TransactionException(mishap.kind, "a mishap", new IllegalStateException());
            }
            return 0;
        }

        @Override
        public void close() {}
    }
}
