package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.EventSink;
import siemload.database.Store.Presence;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.CriterionKey;
import siemload.query.Order;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/** What a sink has written is there: once, whole, and for everybody. */
public interface SinkContract {
    int SEEDS = 10;
    int EVENTS = 25;
    int SEARCHES = 50;

    ContractSubject subject();

    @Test
    default void aWrittenBatchIsVisibleToASessionThatWasOpenBefore() {
        try (Store store = subject().copy();
                SearchSession session = store.openSession();
                EventSink sink = store.openSink()) {
            Search search = byId("fed-3");
            assertThat(session.count(search)).isZero();
            sink.write(fed(5));
            assertThat(AnsweredRows.of(session, search).ids()).containsExactly("fed-3");
        }
    }

    @Test
    default void aFedEventIsAnsweredLikeALoadedOne() {
        try (WrittenTwice both = new WrittenTwice(subject())) {
            List<SecurityEvent> again = new ArrayList<>();
            for (SecurityEvent event : ContractEvents.BY_HAND) {
                again.add(new SecurityEvent(
                        "fed " + event.id(),
                        event.detectTime(),
                        event.categories(),
                        event.description(),
                        event.sources(),
                        event.targets(),
                        event.nodes(),
                        event.other()));
            }
            both.write(again);
            for (Search search : subject().searches()) {
                assertThat(AnsweredRows.of(both.session, search))
                        .as(search.toString())
                        .isEqualTo(AnsweredRows.of(both.reference, search));
            }
        }
    }

    @Test
    @Tag("exhaustive")
    default void randomSearchesOverRandomEventsAreThoseOfTheReference() {
        try (WrittenTwice both = new WrittenTwice(subject())) {
            for (int seed = 1; seed <= SEEDS; seed++) {
                RandomEvents random = new RandomEvents(seed);
                String start = "seed-" + seed + "-";
                both.write(IntStream.range(0, EVENTS)
                        .mapToObj(i -> random.event(start + i))
                        .toList());
                for (int i = 0; i < SEARCHES; i++) {
                    Search search = random.search();
                    assertThat(AnsweredRows.of(both.session, search))
                            .as("seed %d, search %d: %s", seed, i, search)
                            .isEqualTo(AnsweredRows.of(both.reference, search));
                    assertThat(both.session.count(search)).isEqualTo(both.reference.count(search));
                }
            }
        }
    }

    @Test
    default void aBatchWrittenAgainIsStoredOnce() {
        try (Store store = subject().copy();
                EventSink sink = store.openSink()) {
            long before = store.events();
            sink.write(fed(5));
            sink.write(fed(8));
            sink.write(fed(8));
            assertThat(store.events()).isEqualTo(before + 8);
            assertThat(store.presenceOf(ids(8))).isEqualTo(new Presence(8, 0));
        }
    }

    @Test
    default void presenceCountsEachAskedIdOnce() {
        try (Store store = subject().copy();
                EventSink sink = store.openSink()) {
            sink.write(fed(3));
            List<String> asked = new ArrayList<>(ids(5));
            asked.addAll(ids(5));
            asked.add("odd\ttext\\with \"quotes\", {braces}\nand lines");
            assertThat(store.presenceOf(asked)).isEqualTo(new Presence(4, 0));
            assertThat(store.presenceOf(List.of())).isEqualTo(new Presence(0, 0));
        }
    }

    private static Search byId(String id) {
        List<Criterion> criteria = List.of(CriterionKey.ID.is(id));
        return ContractSearches.whole(SearchName.DETAIL, Window.ALWAYS, criteria, Order.NEWEST_FIRST);
    }

    private static List<SecurityEvent> fed(int count) {
        RandomEvents random = new RandomEvents(1);
        return ids(count).stream().map(random::event).toList();
    }

    private static List<String> ids(int count) {
        return IntStream.range(0, count).mapToObj(i -> "fed-" + i).toList();
    }

    /** A copy of the contract's events in the target and one in the reference, into which the same is written; opened before. */
    final class WrittenTwice implements AutoCloseable {
        private final Store store;
        private final EventSink sink;
        private final SearchSession session;
        private final Store referenceStore = ContractSubject.reference(ContractEvents.ALL);
        private final SearchSession reference = referenceStore.openSession();

        WrittenTwice(ContractSubject subject) {
            store = subject.copy();
            sink = store.openSink();
            session = store.openSession();
        }

        void write(List<SecurityEvent> events) {
            sink.write(events);
            try (EventSink other = referenceStore.openSink()) {
                other.write(events);
            }
        }

        @Override
        public void close() {
            session.close();
            sink.close();
            store.close();
            reference.close();
            referenceStore.close();
        }
    }
}
