package siemload.database.postgresql.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.SettingSources;
import siemload.config.Settings;

/** Urls, variables and files of libpq, as psql reads them. */
@Isolated("sets the driver's property for the password file")
class LibpqUrlTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            postgresql://db.example                       | jdbc:postgresql://db.example:5432/
            postgres://me@db.example:5433/siem            | jdbc:postgresql://db.example:5433/siem?user=me
            postgresql://a,b:5433/siem?sslmode=require    | jdbc:postgresql://a:5432,b:5433/siem?sslmode=require
            postgresql:///siem?host=db.example&port=6000  | jdbc:postgresql://db.example:6000/siem
            postgresql://[::1]/siem                       | jdbc:postgresql://[::1]:5432/siem
            postgresql://db/s?target_session_attrs=standby | jdbc:postgresql://db:5432/s?targetServerType=secondary
            postgresql://                                 | jdbc:postgresql://localhost:5432/
            jdbc:postgresql://db.example/siem             | jdbc:postgresql://db.example/siem
            """)
    void urlsMeanWhatTheyMeanToPsql(String url, String driver) {
        assertThat(settings(Map.of("url", url), Map.of()).value(Property.URL)).isEqualTo(driver);
    }

    @Test
    void variablesFillWhatTheUrlLeavesOpen() {
        Map<String, String> environment = Map.of(
                "PGHOST",
                "db.example",
                "PGPORT",
                "6000",
                "PGUSER",
                "me",
                "PGDATABASE",
                "siem",
                "PGSSLMODE",
                "require",
                "PGPASSWORD",
                "Gr33n-Tree");

        Settings settings = settings(Map.of("url", "postgresql://other@/"), environment);

        String url = settings.value(Property.URL);
        assertThat(url).isEqualTo("jdbc:postgresql://db.example:6000/siem?user=other&sslmode=require");
        assertThat(settings.credentials(url).password()).contains("Gr33n-Tree");
        assertThat(settings.toString()).doesNotContain("Gr33n-Tree");
    }

    @Test
    void variablesCountOnlyWhereSomebodyAsksForAServerOfTheirs() {
        Map<String, String> environment = Map.of("PGHOST", "db.example", "PGPASSWORD", "Gr33n-Tree");

        assertThat(settings(Map.of(), environment).find(Property.URL)).isEmpty();
        assertThat(settings(Map.of("url", "jdbc:postgresql://other/x"), environment)
                        .value(Property.URL))
                .isEqualTo("jdbc:postgresql://other/x");
        Settings external = settings(Map.of("provision", "external"), environment);
        assertThat(external.value(Property.URL)).isEqualTo("jdbc:postgresql://db.example:5432/");
        assertThat(external.origin(Property.URL)).hasToString("PGHOST");
    }

    @Test
    void aServiceComesBeforeVariablesAndAfterTheUrl() throws IOException {
        Path services = Files.writeString(
                directory.resolve("services"),
                "[other]\nhost=other\n\n[mine]\n# by night\nhost=db.example\ndbname=siem\npassword=Gr33n-Tree\n");
        Map<String, String> environment =
                Map.of("PGSERVICEFILE", services.toString(), "PGSERVICE", "mine", "PGHOST", "third", "PGPORT", "6000");

        Settings settings = settings(Map.of("url", "postgresql:///events"), environment);

        String url = settings.value(Property.URL);
        assertThat(url).isEqualTo("jdbc:postgresql://db.example:6000/events");
        assertThat(settings.credentials(url).password()).contains("Gr33n-Tree");
        assertThatThrownBy(() -> settings(Map.of("url", "postgresql:///?service=none"), environment))
                .hasMessage("--url: has the service 'none', which " + services + " does not have");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            postgresql://me:Gr33n-Tree@db/siem        | holds a password
            postgresql://me%3AGr33n-Tree@db/siem      | is not written as a url without a password is
            postgresql://db/siem?password=Gr33n-Tree  | holds a password
            postgresql://db/siem?passfile=/x          | has options of which number 1
            postgresql:///siem?host=/run/postgresql   | names the directory of a Unix socket
            postgresql://%2Frun%2Fpostgresql/siem     | names the directory of a Unix socket
            postgresql://a,b/siem?port=1,2,3          | has 3 ports for 2 hosts
            postgresql://a/siem?port=65536            | has the port 65536
            jdbc:postgresql://a,b:99999/siem          | has the port 99999
            jdbc:postgresql://db                      | is not understood by the driver
            jdbc:postgresql://db/siem?service=none    | has the service 'none'
            """)
    void whatCannotBeHadIsRefusedWithoutSecrets(String url, String refusal) {
        assertThatThrownBy(() -> settings(Map.of("url", url), Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("--url: " + refusal)
                .hasMessageNotContaining("Gr33n");
    }

    @Test
    void aPasswordFileThatOthersMayReadIsIgnored() throws IOException {
        Path file = Files.writeString(
                directory.resolve(".pgpass"),
                "# mine\ndb.example:5432:other:*:no\ndb.example:5432:*:me:Gr33n\\:Tree\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(password("postgresql://me@db.example/siem", file)).contains("Gr33n:Tree");
        assertThat(password("jdbc:postgresql://db.example/siem?user=me", file)).contains("Gr33n:Tree");
        assertThat(password("postgresql://you@db.example/siem", file)).isEmpty();

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(password("postgresql://me@db.example/siem", file)).isEmpty();
    }

    private static Optional<String> password(String url, Path file) {
        Map<String, String> home = Map.of("HOME", file.getParent().toString());
        Settings settings = Settings.of(new SettingSources(Map.of("url", url), Map.of("user.home", "/nowhere"), home));
        Optional<String> password =
                settings.credentials(settings.value(Property.URL)).password();
        assertThat(settings.notes().isEmpty()).isEqualTo(isPrivate(file));
        return password;
    }

    private static boolean isPrivate(Path file) {
        try {
            return Files.getPosixFilePermissions(file).size() == 2;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Settings settings(Map<String, String> options, Map<String, String> environment) {
        return Settings.of(new SettingSources(options, Map.of(), environment));
    }
}
