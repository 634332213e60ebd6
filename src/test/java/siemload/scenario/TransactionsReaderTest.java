package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                "accounts", "80000000",
                "warmup", "1s",
                "duration", "5s",
                "crash", "2s",
                "classes", "writeLight=3,readHeavy=1");

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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "accounts|10001|10001 is no multiple of 10,000, the accounts of a branch",
                "accounts|10|10 is too small (allowed: 10000 to 2000000000)",
                "crash|60s|1m is not before the end of the measured time, 1m",
                "classes|writeHuge=1|'writeHuge' is unknown",
                "classes|writeLight=0|writeLight: 0 is too small (allowed: 1 to 1000)",
                "eps|10|is for analysts, but this scenario is a procedure",
                "passes|10|is for kind: read, depth, followups, feed, stale, jobs, ingest, but this procedure is of kind: transactions",
                "classes|writeLight=1,users=1|'users' is unknown"
            })
    void whatCannotBeIsRefused(String property, String value, String message) {
        assertThat(files.problemsOf(SHORTEST, Map.of(property, value))).contains(message);
    }

    @Test
    void moreClassesThanUsersAreRefused() {
        assertThat(files.problemsOf(SHORTEST, Map.of("users", "1", "classes", "writeLight=1,readLight=1")))
                .contains("1 users cannot be of 2 classes");
    }
}
