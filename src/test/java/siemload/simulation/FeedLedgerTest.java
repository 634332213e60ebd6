package siemload.simulation;

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
        ledger.acknowledged(3);
        ledger.acknowledged(0);
        ledger.acknowledged(3);

        List<String> ids = new ArrayList<>();
        ledger.ids(new NumberedEvents(), 1, ids::addAll);

        assertThat(ids).containsExactly("0", "1", "6", "7");
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
