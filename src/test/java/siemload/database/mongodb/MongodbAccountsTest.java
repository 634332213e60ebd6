package siemload.database.mongodb;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import siemload.database.TargetException;

class MongodbAccountsTest {

    /** To take it for one without transactions would leave withdrawals in part. */
    @Test
    void aServerOfWhichNothingIsKnownIsNotTakenForOneWithoutTransactions() {
        try (MongoClient client = MongoClients.create("mongodb://127.0.0.1:1/")) {
            MongodbAccounts accounts = new MongodbAccounts(
                    client, client.getDatabase("test").getCollection("accounts"), Duration.ofSeconds(1));

            assertThatThrownBy(accounts::openSession)
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("cannot open a session for transactions in test.accounts: no server answers");
        }
    }
}
