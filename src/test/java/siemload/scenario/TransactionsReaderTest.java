package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import siemload.query.StatementText;
import siemload.scenario.Procedure.Transactions;

class TransactionsReaderTest extends ScenarioReading {
    static final String SHORTEST = """
            description: withdraws
            procedure:
              steps: [users]
              users: 150
              duration: 60s
              values: {account: 10_000, amount: [1, 2]}
              setup:
                - CREATE TABLE account (account integer)
                - INSERT INTO account SELECT n FROM generate_series(1, :account) n
              transactions:
                writeLight: {statements: ["UPDATE account SET balance = :amount, last = :id WHERE account = :account"]}
                writeHeavy: {like: writeLight, rows: 100}
                readLight: {statements: [SELECT 1]}
              committed: {name: changes, count: SELECT 1, find: [SELECT 1 FROM account WHERE id = :id]}
              classes: {writeLight: 1}
            """;

    @Test
    void settingsOverrideWhatTheFileSays() {
        Map<String, String> given = Map.of(
                "users", "12",
                "procedure.scale", "80",
                "warmup", "1s",
                "duration", "5s",
                "procedure.crash", "2s",
                "procedure.classes", "{writeHeavy: 3, readLight: 1}");

        Transactions read = files.procedure(SHORTEST, given).transactions().orElseThrow();

        assertThat(read.usersByClass()).isEqualTo(Map.of("writeHeavy", 9, "readLight", 3));
        assertThat(read.setup())
                .extracting(StatementText::written)
                .last()
                .isEqualTo("INSERT INTO account SELECT n FROM generate_series(1, 800000) n");
        assertThat(read.values()).containsEntry("account", new StatementValues.Range(1, 800_000));
        assertThat(read.warmup()).isEqualTo(Duration.ofSeconds(1));
        assertThat(read.duration()).isEqualTo(Duration.ofSeconds(5));
        assertThat(read.crash()).isEqualTo(Optional.of(Duration.ofSeconds(2)));
    }

    @Test
    void aTransactionLikeAnotherHasItsStatementsForMoreRows() {
        Transactions read = files.procedure(SHORTEST, Map.of()).transactions().orElseThrow();

        assertThat(read.transactions().get("writeHeavy"))
                .isEqualTo(new Transactions.Transaction(
                        "", read.transactions().get("writeLight").statements(), 100));
        assertThat(read.transactions().get("writeHeavy").writes()).isTrue();
        assertThat(read.transactions().get("readLight").writes()).isFalse();
    }
}
