package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import siemload.database.AnsweredRows;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.EventSink;
import siemload.database.Target;
import siemload.database.Target.DatasetLoad;
import siemload.database.Target.ServerClock;
import siemload.database.TargetException;
import siemload.event.SecurityEvent;
import siemload.query.Order;
import siemload.query.Search;

/** A data set that several processes load, and a copy on which several work; here each has connections of its own. */
public interface SharedLoadContract {
    int SHARED_EVENTS = 300;
    int LOADERS = 3;
    /** Of processes on machines of which each keeps its time by others. */
    Duration CLOCKS_DIFFER = Duration.ofSeconds(60);

    ContractSubject subject();

    @Test
    default void severalLoadWhatOneWould() {
        List<SecurityEvent> events = ContractEvents.random(SHARED_EVENTS);
        DatasetKey alone = key(1, SHARED_EVENTS);
        DatasetKey together = key(LOADERS, SHARED_EVENTS);
        Target target = subject().target();
        target.discard(alone);
        ContractSubject.load(target, alone, events);
        loadTogether(subject(), together, events);
        assertThat(target.holds(together)).isTrue();
        try (Store one = target.copy(alone, subject().nextRunId());
                SearchSession ofOne = one.openSession();
                Store several = target.copy(together, subject().nextRunId());
                SearchSession ofSeveral = several.openSession()) {
            assertThat(several.events()).isEqualTo(SHARED_EVENTS);
            for (Search search : SearchSamples.inOrder(Order.NEWEST_FIRST)) {
                assertThat(AnsweredRows.of(ofSeveral, search)).isEqualTo(AnsweredRows.of(ofOne, search));
            }
        }
    }

    /** Has several load a data set, whatever was loaded under this key before. */
    static void loadTogether(ContractSubject subject, DatasetKey key, List<SecurityEvent> events) {
        subject.target().discard(key);
        try (DatasetLoad load = subject.target().loadTogether(key).orElseThrow()) {
            List<Target> loaders = IntStream.range(0, LOADERS)
                    .mapToObj(loader -> subject.connect(ContractSubject.TIMEOUT))
                    .toList();
            List<BulkLoad> parts = loaders.stream()
                    .map(loader -> loader.joinLoad(load.nameToJoin()))
                    .toList();
            for (int i = 0; i < events.size(); i++) {
                parts.get(i % LOADERS).write(List.of(events.get(i)));
            }
            assertThat(parts).allSatisfy(part -> assertThat(part.store()).isPositive());
            parts.forEach(BulkLoad::close);
            loaders.forEach(Target::close);
            load.finish(step -> {});
        }
    }

    @Test
    default void fewerEventsThanAllAreNotKept() {
        DatasetKey key = key(5, SHARED_EVENTS);
        Target target = subject().target();
        List<String> others = target.strangers();
        try (Target loader = subject().connect(ContractSubject.TIMEOUT);
                DatasetLoad load = target.loadTogether(key).orElseThrow()) {
            store(loader, load, ContractEvents.random(SHARED_EVENTS - 1));
            assertThatExceptionOfType(TargetException.class)
                    .isThrownBy(() -> load.finish(step -> {}))
                    .withMessageContaining("has 300 events, but 299 are in");
        }
        assertThat(target.holds(key)).isFalse();
        assertThat(target.strangers()).isEqualTo(others);
    }

    @Test
    default void aLoadThatIsGivenUpIsNotKeptWhateverIsStillWritten() {
        DatasetKey key = key(7, SHARED_EVENTS);
        List<SecurityEvent> events = ContractEvents.random(SHARED_EVENTS);
        Target target = subject().target();
        List<String> others = target.strangers();
        try (Target finishing = subject().connect(ContractSubject.TIMEOUT);
                Target writing = subject().connect(ContractSubject.TIMEOUT)) {
            BulkLoad late;
            try (DatasetLoad load = target.loadTogether(key).orElseThrow()) {
                store(finishing, load, events.subList(0, 100));
                late = writing.joinLoad(load.nameToJoin());
                late.write(events.subList(100, 200));
            }
            writeAnyway(late, events.subList(200, SHARED_EVENTS));
            late.close();
        }
        assertThat(target.holds(key)).isFalse();
        assertThat(target.strangers()).isEqualTo(others);
    }

    private static void writeAnyway(BulkLoad late, List<SecurityEvent> events) {
        try {
            late.write(events);
            long unused = late.store();
        } catch (TargetException gone) {
            // So it should be where a server can refuse.
        }
    }

    @Test
    default void onlyALoadThatIsGoingOnCanBeJoined() {
        DatasetKey key = key(6, 2);
        Target target = subject().target();
        target.discard(key);
        try (Target loader = subject().connect(ContractSubject.TIMEOUT);
                DatasetLoad load = target.loadTogether(key).orElseThrow()) {
            store(loader, load, ContractEvents.BY_HAND.subList(0, 2));
            load.finish(step -> {});
            assertThatExceptionOfType(TargetException.class)
                    .isThrownBy(() -> loader.joinLoad(load.nameToJoin()))
                    .withMessageStartingWith("no data set is being loaded as " + load.nameToJoin());
        }
    }

    private static void store(Target loader, DatasetLoad load, List<SecurityEvent> events) {
        try (BulkLoad part = loader.joinLoad(load.nameToJoin())) {
            part.write(events);
            assertThat(part.store()).isPositive();
        }
    }

    @Test
    default void whatOneFeedsIntoACopyAnotherFindsAndWhoJoinedDropsNothing() {
        List<SecurityEvent> fed = List.of(new RandomEvents(1).event("fed by who joined"));
        try (Target other = subject().connect(ContractSubject.TIMEOUT);
                Store copy = subject().copy()) {
            try (Store joined = other.join(subject().key(), copy.nameToJoin().orElseThrow());
                    EventSink sink = joined.openSink()) {
                sink.write(fed);
            }
            assertThat(copy.events()).isEqualTo(ContractEvents.ALL.size() + 1);
            assertThat(copy.presenceOf(List.of(fed.get(0).id())).found()).isEqualTo(1);
        }
    }

    @Test
    default void whoJoinedACopyReadsTheClockOfItsServer() {
        try (Target other = subject().connect(ContractSubject.TIMEOUT);
                Store copy = subject().copy();
                Store joined = other.join(subject().key(), copy.nameToJoin().orElseThrow());
                ServerClock clock = joined.openClock().orElseThrow()) {
            Instant first = clock.now();
            assertThat(Duration.between(first, Instant.now()).abs()).isLessThan(CLOCKS_DIFFER);
            assertThat(clock.now()).isAfterOrEqualTo(first);
        }
    }

    private static DatasetKey key(int number, int events) {
        return new DatasetKey("00000000005a4e0" + number, "loaded by several", events);
    }
}
