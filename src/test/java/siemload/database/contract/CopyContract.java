package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.EventSink;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.TargetPlugin.Offer;
import siemload.event.SecurityEvent;

/** A loaded data set is kept as it is, and each run has a copy of its own. */
public interface CopyContract {

    ContractSubject subject();

    @Test
    default void whatOneRunWritesIsNotThereForAnotherNorForTheNext() {
        try (Store one = subject().copy();
                Store other = subject().copy()) {
            try (EventSink sink = one.openSink()) {
                sink.write(List.of(new RandomEvents(1).event("fed")));
            }
            assertThat(one.events()).isEqualTo(ContractEvents.ALL.size() + 1);
            assertThat(other.events()).isEqualTo(ContractEvents.ALL.size());
        }
        try (Store next = subject().copy()) {
            assertThat(next.events()).isEqualTo(ContractEvents.ALL.size());
        }
    }

    @Test
    default void aCopyHasWhatItsTargetOffersAndNothingElse() {
        try (Store store = subject().copy()) {
            assertThat(store.dayRemoval().isPresent()).isEqualTo(subject().offers(Offer.DAY_REMOVAL));
        }
    }

    @Test
    default void aDataSetThatWasNeverLoadedCannotBeCopied() {
        DatasetKey unknown = new DatasetKey("00000000deadbeef", "never loaded", 1);
        assertThat(subject().target().holds(unknown)).isFalse();
        assertThatThrownBy(() -> subject().target().copy(unknown, subject().nextRunId()))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("never loaded");
    }

    @Test
    default void anAbandonedLoadChangesNothingAndCanBeRepeated() {
        DatasetKey key = new DatasetKey("00000000abcdef01", "abandoned", 2);
        Target target = subject().target();
        List<SecurityEvent> events = ContractEvents.BY_HAND.subList(0, 2);
        target.discard(key);
        assertThatThrownBy(() -> target.load(
                        key,
                        load -> {
                            load.write(events);
                            throw new IllegalStateException("given up");
                        },
                        step -> {}))
                .hasMessage("given up");
        assertThat(target.holds(key)).isFalse();
        ContractSubject.load(target, key, events);
        assertThat(target.holds(key)).isTrue();
        try (Store store = target.copy(key, subject().nextRunId())) {
            assertThat(store.events()).isEqualTo(2);
        }
    }

    @Test
    default void aDiscardedDataSetIsNotHeldAnyMoreAndCanBeLoadedAnew() {
        DatasetKey key = new DatasetKey("00000000abcdef03", "discarded", 2);
        Target target = subject().target();
        subject().loadTwoEvents(key);
        target.discard(key);
        assertThat(target.holds(key)).isFalse();
        ContractSubject.load(target, key, ContractEvents.BY_HAND.subList(1, 3));
        try (Store store = target.copy(key, subject().nextRunId())) {
            assertThat(store.events()).isEqualTo(2);
        }
        target.discard(key);
    }

    @Test
    default void anIdThatOccursTwiceInADataSetIsRefused() {
        DatasetKey key = new DatasetKey("00000000abcdef02", "twice", 2);
        SecurityEvent event = ContractEvents.BY_HAND.get(0);
        assertThatThrownBy(() -> ContractSubject.load(subject().target(), key, List.of(event, event)))
                .isInstanceOf(TargetException.class);
        assertThat(subject().target().holds(key)).isFalse();
    }
}
