package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.database.Store;
import siemload.database.Store.EventSink;
import siemload.database.Target;
import siemload.database.Target.ServerClock;
import siemload.event.SecurityEvent;

/** A copy on which several processes work; here each has connections of its own. */
public interface SharedCopyContract {
    /** Of processes on machines of which each keeps its time by others. */
    Duration CLOCKS_DIFFER = Duration.ofSeconds(60);

    ContractSubject subject();

    @Test
    default void whatOneFeedsIntoACopyAnotherFindsAndWhoJoinedDropsNothing() {
        List<SecurityEvent> fed = List.of(new RandomEvents(1).event("fed by who joined"));
        try (Target other = subject().connect(ContractSubject.TIMEOUT);
                Store copy = subject().copy()) {
            try (Store joined = other.join(subject().key(), copy.nameToJoin());
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
                Store joined = other.join(subject().key(), copy.nameToJoin());
                ServerClock clock = joined.openClock().orElseThrow()) {
            Instant first = clock.now();
            assertThat(Duration.between(first, Instant.now()).abs()).isLessThan(CLOCKS_DIFFER);
            assertThat(clock.now()).isAfterOrEqualTo(first);
        }
    }
}
