package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.monitor.DatabaseProcesses;
import siemload.provision.ProvidedServer;
import siemload.provision.ServerCaches;
import siemload.target.Provision;
import siemload.target.ServerAddress;

class ServerPlaceTest {
    private static final List<String> NAMES = List.of("postgres");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql:postgres",
                "jdbc:postgresql://localhost/postgres",
                "jdbc:postgresql://127.0.0.1:5433/postgres?ssl=true",
                "jdbc:postgresql://[::1]:5432/postgres",
                "mongodb://user:secret@127.0.0.1:27017,198.51.100.7/siemload",
                "jdbc:oracle:thin:@//localhost:1521/FREEPDB1",
                "jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(Host=127.0.0.1)(PORT=1521)))"
            })
    void aServerOnThisMachineIsFoundByTheNamesOfItsProcesses(String url) {
        assertThat(ServerPlace.processes(server(url, OptionalLong.empty()), NAMES))
                .isEqualTo(new DatabaseProcesses.Named(NAMES));
    }

    /** These addresses are kept for documentation: no machine has them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://198.51.100.7:5432/postgres",
                "mongodb://user:secret@198.51.100.7/siemload",
                "jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=198.51.100.7)(PORT=1521)))",
                "jdbc:postgresql://[2001:db8::7]/postgres"
            })
    void aServerElsewhereIsLeftAlone(String url) {
        assertThat(ServerPlace.processes(server(url, OptionalLong.empty()), NAMES))
                .isEqualTo(new DatabaseProcesses.Elsewhere());
    }

    @Test
    void aServerOfOurOwnIsTheTreeBelowItsProcess() {
        ProvidedServer own = server("jdbc:postgresql://127.0.0.1/postgres", OptionalLong.of(42));
        assertThat(ServerPlace.processes(own, NAMES)).isEqualTo(new DatabaseProcesses.Tree(own.process()));
    }

    @Test
    void aTargetWithoutProcessesIsThisOne() {
        assertThat(ServerPlace.processes(server("", OptionalLong.empty()), List.of()))
                .isEqualTo(new DatabaseProcesses.Here());
    }

    private static ProvidedServer server(String url, OptionalLong process) {
        return new ProvidedServer(
                Provision.EXTERNAL,
                new ServerAddress(url, "", ""),
                Map.of(),
                () -> process,
                ServerCaches.none("not here"),
                () -> "",
                () -> {});
    }
}
