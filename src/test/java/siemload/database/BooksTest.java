package siemload.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.database.Accounts.AccountScale;
import siemload.database.Accounts.Books;

class BooksTest {

    @Test
    void whicheverSumDiffersIsNamedWithTheDifference() {
        assertThat(new Books(500, 470, 500, 500, 3).differences(3, 0))
                .containsExactly("the tellers have given 470 cents, but the history says 500 (-30)");
        assertThat(new Books(501, 500, 1_499, 500, 3).differences(3, 0))
                .containsExactly(
                        "the accounts have given 501 cents, but the history says 500 (+1)",
                        "the branches have given 1,499 cents, but the history says 500 (+999)");
    }

    @Test
    void aWithdrawalThatWasAcknowledgedAndIsNotThereIsLost() {
        assertThat(new Books(500, 500, 500, 500, 3).differences(5, 0))
                .containsExactly("the history has 3 withdrawals, but 5 were acknowledged: 2 are lost");
    }

    @Test
    void whatMayHaveBeenCommittedMayBeThereOrNot() {
        assertThat(new Books(500, 500, 500, 500, 3).differences(2, 1)).isEmpty();
        assertThat(new Books(500, 500, 500, 500, 2).differences(2, 1)).isEmpty();
        assertThat(new Books(500, 500, 500, 500, 4).differences(2, 1))
                .containsExactly(
                        "the history has 4 withdrawals, but only 2 were acknowledged and the outcome of 1 is unknown");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 9_999, 10_001, -10_000, 2_000_010_000L})
    void otherNumbersOfAccountsAreRefused(long accounts) {
        assertThatThrownBy(() -> new AccountScale(accounts)).isInstanceOf(IllegalArgumentException.class);
    }
}
