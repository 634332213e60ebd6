package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.database.EmbeddedServer;
import siemload.database.Provision;
import siemload.database.ServerAddress;
import siemload.database.TargetPlugin;
import siemload.database.provision.ProvidedServer;
import siemload.measure.monitor.DatabaseProcesses;
import siemload.run.ForeignServerCheck.ServerHost;

class ServerHostTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql:postgres",
                "jdbc:postgresql://localhost/postgres",
                "jdbc:postgresql://127.0.0.1:5433/postgres?ssl=true",
                "jdbc:postgresql://[::1]:5432/postgres",
                "mongodb://user:secret@127.0.0.1:27017,198.51.100.7/siemload",
                "jdbc:postgresql:///postgres",
                "jdbc:oracle:thin:@//localhost:1521/FREEPDB1",
                "jdbc:oracle:thin:@localhost:1521:FREE",
                "jdbc:oracle:thin:@tcps://127.0.0.1:2484/FREEPDB1",
                "http://localhost:9200",
                "https://[::1]:9200/"
            })
    void aServerOnThisMachineIsFoundByTheNamesOfItsProcesses(String url) {
        TargetPlugin plugin = plugin(url);
        assertThat(ServerHost.processes(server(url, OptionalLong.empty()), plugin))
                .isEqualTo(new DatabaseProcesses.Named(plugin.product().processNames()));
    }

    /** These addresses are kept for documentation: no machine has them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://198.51.100.7:5432/postgres",
                "mongodb://user:secret@198.51.100.7/siemload",
                "jdbc:oracle:thin:@198.51.100.7:1521:SID",
                "jdbc:oracle:thin:@198.51.100.7:1521/service",
                "jdbc:oracle:thin:@198.51.100.7/service",
                "jdbc:oracle:thin:@tcps://198.51.100.7:2484/service",
                "jdbc:oracle:thin:@name_in_a_file",
                "jdbc:postgresql://[2001:db8::7]/postgres",
                "https://198.51.100.7:9200"
            })
    void aServerElsewhereIsLeftAlone(String url) {
        assertThat(ServerHost.processes(server(url, OptionalLong.empty()), plugin(url)))
                .isEqualTo(new DatabaseProcesses.Elsewhere());
    }

    /** Whose id stands in the url; that of HTTP has none. */
    private static TargetPlugin plugin(String url) {
        if (url.startsWith("http")) {
            return TargetPlugin.find("opensearch").orElseThrow();
        }
        return TargetPlugin.all().stream()
                .filter(plugin -> url.matches("(jdbc:)?" + plugin.id() + ":.*"))
                .findFirst()
                .orElseThrow();
    }

    private static ProvidedServer server(String url, OptionalLong process) {
        EmbeddedServer known = new EmbeddedServer() {
            @Override
            public ServerAddress address() {
                return new ServerAddress(url, "", "");
            }

            @Override
            public OptionalLong process() {
                return process;
            }
        };
        return new ProvidedServer(Provision.EXTERNAL, known, Map.of(), () -> {});
    }
}
