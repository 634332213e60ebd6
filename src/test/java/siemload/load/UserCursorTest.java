package siemload.load;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.BOOLEAN;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;
import siemload.database.SearchSession.RowReader;
import siemload.database.Store;
import siemload.load.SearchWorkers.Answering;
import siemload.load.SearchWorkers.UserCursor;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.run.answers.AnswerSampler;

@Timeout(20)
final class UserCursorTest {
    private static final Search ALL =
            new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.OLDEST_FIRST, new Page.Numbered(2, 1));

    private Store store;

    @BeforeEach
    void loadFiveEvents() {
        store = Fixtures.store(
                IntStream.range(0, 5).mapToObj(Fixtures::numbered).toList());
    }

    @Test
    void theFirstPageOpensTheResultAndTheNextOnesGoOn() {
        UserCursor cursor = workers().cursor();

        assertKind(Kind.OTHER, cursor, 2);
        assertThat(ids(cursor, 1)).containsExactly("0", "1");
        assertThat(ids(cursor, 2)).containsExactly("2", "3");
        assertThat(ids(cursor, 3)).containsExactly("4");
        assertThat(ids(cursor, 1)).containsExactly("0", "1");
    }

    @Test
    void aUserMayLeaveWhileAPageIsBeingRead() {
        SearchWorkers workers = workers();
        UserCursor cursor = workers.cursor();
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        CompletableFuture<Long> reader = CompletableFuture.supplyAsync(() -> cursor.read(ALL, row -> {
            reading.countDown();
            Fixtures.await(left);
        }));
        Fixtures.await(reading);

        workers.cancelAll();
        left.countDown();

        assertThat(reader.handle((count, failure) -> failure == null || failure.getCause() instanceof SearchException))
                .succeedsWithin(Duration.ofSeconds(10), as(BOOLEAN))
                .isTrue();
        assertKind(Kind.CANCELLED, cursor, 1);
    }

    private SearchWorkers workers() {
        LatencyRecorder recorder = new LatencyRecorder(RunClock.openEnded(0));
        AnswerSampler noChecks = new AnswerSampler(0, Instant.EPOCH);
        return new SearchWorkers(List.of(), recorder, noChecks, System::nanoTime, Answering.by(store::openSession));
    }

    private static void assertKind(Kind kind, UserCursor cursor, int page) {
        assertThatExceptionOfType(SearchException.class)
                .isThrownBy(() -> ids(cursor, page))
                .satisfies(failed -> assertThat(failed.kind()).isEqualTo(kind));
    }

    private static List<String> ids(UserCursor cursor, int page) {
        List<String> ids = new ArrayList<>();
        RowReader rows = row -> ids.add(row.id());
        assertThat(cursor.read(ALL.with(new Page.Numbered(2, page)), rows)).isEqualTo(ids.size());
        return ids;
    }
}
