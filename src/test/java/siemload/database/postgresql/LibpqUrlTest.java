package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.config.Property;
import siemload.config.Settings;

@Isolated("sets the driver's properties for its files")
class LibpqUrlTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            postgresql://db.example                       | jdbc:postgresql://db.example/
            postgres://me@db.example:5433/siem            | jdbc:postgresql://db.example:5433/siem?user=me
            postgresql://a,b:5433/siem?sslmode=require    | jdbc:postgresql://a,b:5433/siem?sslmode=require
            postgresql://[::1]/siem                       | jdbc:postgresql://[::1]/siem
            postgresql://                                 | jdbc:postgresql://localhost/
            jdbc:postgresql://db.example/siem             | jdbc:postgresql://db.example/siem
            """)
    void urlsMeanWhatTheyMeanToPsql(String url, String driver) {
        assertThat(settings(Map.of("url", url), Map.of()).value(Property.URL)).isEqualTo(driver);
    }

    @Test
    void thePasswordFileIsThatOfTheDriverAndAskedForTheUserWhoConnects() throws IOException {
        Path file = Files.writeString(
                directory.resolve(".pgpass"),
                "# mine\ndb.example:5432:other:*:no\ndb.example:5432:*:me:Gr33n\\:Tree\n");
        with("org.postgresql.pgpassfile", file, () -> {
            assertThat(password("postgresql://me@db.example/siem", Map.of())).contains("Gr33n:Tree");
            assertThat(password("jdbc:postgresql://db.example/siem?user=me", Map.of()))
                    .contains("Gr33n:Tree");
            assertThat(password("postgresql://db.example/siem", Map.of("SIEMLOAD_USER", "me")))
                    .contains("Gr33n:Tree");
            assertThat(password("postgresql://you@db.example/siem", Map.of())).isEmpty();
        });
    }

    private static Optional<String> password(String url, Map<String, String> environment) {
        Settings settings = settings(Map.of("url", url), environment);
        return settings.credentials(settings.value(Property.URL)).password();
    }

    /** Runs an action while the driver finds its file through this property. */
    private static void with(String property, Path file, Runnable action) {
        System.setProperty(property, file.toString());
        try {
            action.run();
        } finally {
            System.clearProperty(property);
        }
    }

    private static Settings settings(Map<String, String> options, Map<String, String> environment) {
        return Settings.of(options, Map.of(), environment);
    }
}
