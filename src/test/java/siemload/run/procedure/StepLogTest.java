package siemload.run.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import siemload.database.OwnTransactions.TransactionException;
import siemload.database.SearchException;

class StepLogTest {
    private final StepLog ended = new StepLog(() -> {});

    @Test
    void whatEndsIsCountedWithItsTimeAndWhatFailsWithoutOne() {
        assertThat(ended.counted(() -> 7)).isEqualTo(7);
        failWith(new SearchException(SearchException.Kind.TIMEOUT, "57014", "canceled"));

        assertThat(ended.endedSoFar()).isEqualTo(2);
        assertThat(ended.failedSoFar()).isOne();
        assertThat(ended.endInterval().getTotalCount()).isOne();
        assertThat(ended.endInterval().getTotalCount()).isZero();
    }

    @ParameterizedTest
    @EnumSource(TransactionException.Kind.class)
    void aTransactionThatIsRolledBackForAnotherIsNoFailure(TransactionException.Kind kind) {
        failWith(new TransactionException(kind, "no", new IllegalStateException()));

        long counted = kind == TransactionException.Kind.CONFLICT ? 0 : 1;
        assertThat(ended.endedSoFar()).isEqualTo(counted);
        assertThat(ended.failedSoFar()).isEqualTo(counted);
    }

    private void failWith(RuntimeException failure) {
        assertThatThrownBy(() -> ended.counted(() -> {
                    throw failure;
                }))
                .isSameAs(failure);
    }
}
