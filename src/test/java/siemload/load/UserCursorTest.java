package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;
import siemload.database.SearchSession.RowReader;
import siemload.database.Store;
import siemload.event.IdeaReader;
import siemload.event.SecurityEvent;
import siemload.load.UserCursors.UserCursor;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

@Timeout(20)
final class UserCursorTest {
    private static final Search ALL =
            new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.OLDEST_FIRST, new Page.Numbered(2, 1));

    private Store store;

    @BeforeEach
    void loadFiveEvents() {
        store = MemoryStores.of(
                IntStream.range(0, 5).mapToObj(UserCursorTest::event).toList());
    }

    @Test
    void theFirstPageOpensTheResultAndTheNextOnesGoOn() {
        UserCursor cursor = new UserCursors(store::openSession, LongUnaryOperator.identity()).create();

        assertKind(Kind.OTHER, cursor, 2);
        assertThat(ids(cursor, 1)).containsExactly("0", "1");
        assertThat(ids(cursor, 2)).containsExactly("2", "3");
        assertThat(ids(cursor, 3)).containsExactly("4");
        assertThat(ids(cursor, 1)).containsExactly("0", "1");
    }

    @Test
    void aUserMayLeaveWhileAPageIsBeingRead() throws InterruptedException {
        UserCursors cursors = new UserCursors(store::openSession, LongUnaryOperator.identity());
        UserCursor cursor = cursors.create();
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        AtomicReference<Throwable> failure = new AtomicReference<>(new AssertionError("not ended"));
        Thread reader = new Thread(() -> {
            try {
                cursor.read(ALL, row -> {
                    reading.countDown();
                    await(left);
                });
                failure.set(null);
            } catch (SearchException given) {
                failure.set(given);
            }
        });
        reader.start();
        assertThat(reading.await(10, TimeUnit.SECONDS)).isTrue();

        cursors.close();
        left.countDown();

        reader.join();
        assertThat(failure.get())
                .satisfiesAnyOf(
                        none -> assertThat(none).isNull(),
                        cancelled -> assertThat(cancelled).isInstanceOf(SearchException.class));
        assertKind(Kind.CANCELLED, cursor, 1);
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

    private static SecurityEvent event(int number) {
        Instant time = Instant.parse("2016-06-06T12:00:00Z").plusSeconds(number);
        return new IdeaReader().read("{\"ID\":\"" + number + "\",\"DetectTime\":\"" + time + "\"}");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
