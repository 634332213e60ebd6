package siemload.run.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.dataset.FeedEvents;
import siemload.event.SecurityEvent;

class FeedLedgerTest {

    @Test
    void theIdsOfAcknowledgedBatchesAndOnlyTheyAreHandedOver() {
        FeedLedger ledger = new FeedLedger(2);
        ledger.sent(3, 1);
        ledger.sent(0, 2);
        ledger.sent(1, 3);
        ledger.acknowledged(3, 4);
        ledger.acknowledged(0, 5);
        ledger.acknowledged(3, 6);

        List<String> ids = new ArrayList<>();
        ledger.acknowledgedIds(new NumberedEvents(), 1, ids::addAll);

        assertThat(ids).containsExactly("0", "1", "6", "7");

        List<String> open = new ArrayList<>();
        ledger.unacknowledgedIds(new NumberedEvents(), 1, open::addAll);
        assertThat(open).containsExactly("2", "3");
    }

    @Test
    void whatWasNotAcknowledgedBeforeAnInstantWasNotCertainlyThere() {
        FeedLedger ledger = new FeedLedger(2);
        ledger.sent(0, 1);
        ledger.acknowledged(0, 4);
        ledger.sent(1, 2);
        ledger.acknowledged(1, 5);
        ledger.sent(2, 3);

        assertThat(ledger.idsUnsettledAt(5, new NumberedEvents())).containsExactlyInAnyOrder("2", "3", "4", "5");
    }

    private static final class NumberedEvents implements FeedEvents {
        @Override
        public SecurityEvent event(long number, Instant detectTime) {
            throw new UnsupportedOperationException("only ids are asked for");
        }

        @Override
        public String id(long number) {
            return String.valueOf(number);
        }
    }
}
