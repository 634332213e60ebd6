package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.EventSink;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.Variant;
import siemload.database.contract.RandomEvents;
import siemload.database.memory.MemoryPlugin;
import siemload.dataset.FeedEvents;
import siemload.query.Paging;
import siemload.results.FeederResult.StoredEvents;
import siemload.run.answers.FeedLedger;

class FedEventsTest {
    private static final TargetOptions OPTIONS =
            new TargetOptions(new Variant("memory", IndexSet.NONE, Hint.NONE, Paging.OFFSET), Duration.ofSeconds(1), 1);

    private static final FeedEvents NUMBERED = new FeedEvents(String::valueOf, (number, id, detectTime) -> {
        throw new UnsupportedOperationException("only ids are asked for");
    });

    @Test
    void eachEventIsFoundWhereItIs() {
        RandomEvents events = new RandomEvents(1);
        try (Target target = new MemoryPlugin().connect(new ServerAddress("", "", ""), OPTIONS);
                Store store = target.emptyStore("run");
                EventSink sink = store.openSink()) {
            sink.write(List.of(events.event("0"), events.event("1"), events.event("4"), events.event("6")));
            FeedLedger ledger = new FeedLedger(2);
            ledger.sent(3, 1);
            ledger.sent(0, 2);
            ledger.acknowledged(0, 3);
            ledger.sent(2, 4);
            ledger.acknowledged(2, 5);

            assertThat(ledger.idsUnsettledAt(5, NUMBERED)).containsExactlyInAnyOrder("4", "5", "6", "7");
            LoadOutcome.Fed fed = new LoadOutcome.Fed(ledger, NUMBERED, taker -> {});
            assertThat(AnswerReview.lookFor(fed, store))
                    .as("of batches 0 and 2, and of batch 3, which was never acknowledged")
                    .isEqualTo(new StoredEvents(1, 0, 1, 1, 0));
            Store gone = (Store) Proxy.newProxyInstance(
                    Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                        throw new TargetException("the server is gone");
                    });
            assertThat(AnswerReview.lookFor(fed, gone))
                    .as("unknown, and not failed, where nobody can look")
                    .isEqualTo(StoredEvents.unseen(2));
        }
    }
}
