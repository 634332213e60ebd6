package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.database.ServerAddress;
import siemload.database.Target.Transport;
import siemload.database.Target.Transport.Security;
import siemload.database.TargetPlugin;
import siemload.database.provision.ProvidedServer;
import siemload.measure.monitor.DatabaseProcesses;

@Tag("every-java")
class ServerHostTest {
    private static final String HERE = "jdbc:postgresql://127.0.0.1:5432/postgres";
    private static final String ELSEWHERE = "jdbc:postgresql://198.51.100.7:5432/postgres";

    /** Addresses elsewhere are kept for documentation: no machine has them. */
    @ParameterizedTest
    @CsvSource({
        "here, postgresql, jdbc:postgresql:postgres",
        "here, postgresql, jdbc:postgresql://localhost/postgres",
        "here, postgresql, jdbc:postgresql://[::1]:5432/postgres",
        "here, mongodb, 'mongodb://user:secret@127.0.0.1:27017,198.51.100.7/siemload'",
        "here, postgresql, jdbc:postgresql:///postgres",
        "here, oracle, jdbc:oracle:thin:@//localhost:1521/FREEPDB1",
        "here, opensearch, http://localhost:9200",
        "here, opensearch, https://[::1]:9200/",
        "elsewhere, postgresql, jdbc:postgresql://198.51.100.7:5432/postgres",
        "here, postgresql, jdbc:postgresql://localhost/postgres?targetServerType=primary",
        "elsewhere, postgresql, 'jdbc:postgresql://localhost,198.51.100.7/postgres?targetServerType=secondary'",
        "elsewhere, mongodb, mongodb://user:secret@198.51.100.7/siemload",
        "elsewhere, oracle, jdbc:oracle:thin:@198.51.100.7/service",
        "elsewhere, oracle, jdbc:oracle:thin:@name_in_a_file",
        "elsewhere, postgresql, jdbc:postgresql://[2001:db8::7]/postgres",
        "elsewhere, opensearch, https://198.51.100.7:9200"
    })
    void aServerOnThisMachineIsFoundByTheNamesOfItsProcesses(String where, String target, String url) {
        TargetPlugin plugin = TargetPlugin.find(target).orElseThrow();
        ProvidedServer server = ProvidedServer.external(new ServerAddress(url, "", ""));
        assertThat(Opening.processes(server, plugin))
                .isEqualTo(
                        where.equals("here")
                                ? DatabaseProcesses.named(plugin.product().processNames())
                                : DatabaseProcesses.ELSEWHERE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mongodb", "oracle", "opensearch"})
    void whoeverDoesNotEncryptIsToldHow(String id) {
        TargetPlugin plugin = TargetPlugin.find(id).orElseThrow();
        assertThat(Opening.transportWarning(Transport.PLAIN, ELSEWHERE, plugin).orElseThrow())
                .startsWith("warning: the connection to this server on another host is not encrypted")
                .contains(plugin.product().howToVerify(), "docs/security.md");
        assertThat(plugin.product().howToVerify()).contains("url");
    }

    @ParameterizedTest
    @EnumSource
    void onlyOthersOnTheWayAreWarnedOf(Security security) {
        boolean open = security == Security.NONE || security == Security.UNVERIFIED;
        assertThat(warned(security, ELSEWHERE)).isEqualTo(open);
        assertThat(warned(security, HERE)).isFalse();
    }

    private static boolean warned(Security security, String url) {
        TargetPlugin postgresql = TargetPlugin.find("postgresql").orElseThrow();
        return Opening.transportWarning(new Transport(security), url, postgresql)
                .isPresent();
    }
}
