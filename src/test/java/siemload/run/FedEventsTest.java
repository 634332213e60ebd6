package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.EventSink;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.Variant;
import siemload.database.contract.RandomEvents;
import siemload.database.memory.MemoryPlugin;
import siemload.query.Paging;
import siemload.results.FeederResult.StoredEvents;

/** What is said of a fed event is what the store holds, whatever was acknowledged. */
class FedEventsTest {
    private static final TargetOptions OPTIONS =
            new TargetOptions(new Variant("memory", IndexSet.NONE, Hint.NONE, Paging.OFFSET), Duration.ofSeconds(1), 1);

    @Test
    void eachEventIsFoundWhereItIs() {
        RandomEvents events = new RandomEvents(1);
        try (Target target = new MemoryPlugin().connect(new ServerAddress("", "", ""), OPTIONS);
                Store store = target.emptyStore("run");
                EventSink sink = store.openSink()) {
            sink.write(List.of(events.event("acknowledged"), events.event("unheard-of")));

            assertThat(AnswerReview.lookFor(fed(ids("acknowledged"), ids("unheard-of", "never-stored")), store))
                    .isEqualTo(new StoredEvents(0, 0, 1, 1, 0));
            assertThat(AnswerReview.lookFor(fed(ids("acknowledged", "gone"), ids()), store))
                    .isEqualTo(new StoredEvents(1, 0, 0, 0, 0));
        }
    }

    @Test
    void whereNobodyCanLookTheyAreUnknownAndNotFailed() {
        Target target = new MemoryPlugin().connect(new ServerAddress("", "", ""), OPTIONS);
        Store store = target.emptyStore("run");
        store.close();
        target.close();
        Consumer<Consumer<List<String>>> broken = taker -> {
            throw new siemload.database.TargetException("the server is gone");
        };
        assertThat(AnswerReview.lookFor(fed(broken, ids("a", "b")), store)).isEqualTo(StoredEvents.unseen(2));
    }

    private static LoadOutcome.Fed fed(
            Consumer<Consumer<List<String>>> acknowledged, Consumer<Consumer<List<String>>> unacknowledged) {
        return new LoadOutcome.Fed(acknowledged, unacknowledged, taker -> {});
    }

    private static Consumer<Consumer<List<String>>> ids(String... ids) {
        return taker -> taker.accept(List.of(ids));
    }
}
