package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TransactionsReaderTest extends ScenarioReading {
    private static final String SHORTEST = """
            description: withdraws
            procedure: {kind: transactions, users: 150, accounts: 10_000, duration: 60s}
            """;

    @Test
    void whatIsLeftOutHasItsDefault() {
        assertThat(files.procedure(SHORTEST, Map.of()))
                .isEqualTo(new Procedure.Transactions(
                        10_000,
                        new TreeMap<>(Map.of(UserClass.WRITE_LIGHT, 150)),
                        Duration.ZERO,
                        Duration.ofSeconds(60),
                        Optional.empty()));
    }

    @Test
    void settingsOverrideWhatTheFileSays() {
        Map<String, String> given = Map.of(
                "users", "12",
                "procedure.accounts", "80000000",
                "warmup", "1s",
                "duration", "5s",
                "procedure.crash", "2s",
                "procedure.classes", "{writeLight: 3, readHeavy: 1}");

        assertThat(files.procedure(SHORTEST, given))
                .isEqualTo(new Procedure.Transactions(
                        80_000_000,
                        new TreeMap<>(Map.of(UserClass.WRITE_LIGHT, 9, UserClass.READ_HEAVY, 3)),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(5),
                        Optional.of(Duration.ofSeconds(2))));
    }

    @Test
    void everyClassHasAUserWhateverItsShare() {
        String shares =
                SHORTEST.replace("users: 150", "users: 3, classes: {writeLight: 100, readLight: 1, readMedium: 1}");

        assertThat(((Procedure.Transactions) files.procedure(shares, Map.of())).users())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(UserClass.WRITE_LIGHT, 1, UserClass.READ_LIGHT, 1, UserClass.READ_MEDIUM, 1));
    }
}
