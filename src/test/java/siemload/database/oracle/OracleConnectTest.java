package siemload.database.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.ServerAddress;
import siemload.database.TargetException;
import siemload.database.TargetOptions;
import siemload.database.TargetPlugins;
import siemload.database.Variant;
import siemload.query.Paging;

/** With Oracle's own driver, where there is no server. */
final class OracleConnectTest {
    private static final TargetOptions OPTIONS = new TargetOptions(
            new Variant("arc_event", Partitions.DAY, IndexSet.NATIVE, Hint.NONE, Paging.OFFSET),
            Duration.ofSeconds(1),
            1);

    @Test
    void aServerThatIsNotThereIsToldWithWhatToCheck() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        String url = "jdbc:oracle:thin:@//127.0.0.1:" + free + "/NONE?siemload.data=SIEM";
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> TargetPlugins.find("oracle")
                        .orElseThrow()
                        .connect(new ServerAddress(url, "user", "secret-word"), OPTIONS))
                .satisfies(e -> assertThat(e)
                        .hasMessageContaining("cannot connect to Oracle: ORA-")
                        .hasMessageContaining("jdbc:oracle:thin:@//host:1521/service")
                        .hasMessageNotContaining("secret-word"));
    }

    @Test
    void anotherDatabasesUrlIsRefused() {
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> new OraclePlugin()
                        .connect(new ServerAddress("jdbc:postgresql://host/database", "", ""), OPTIONS))
                .withMessageContaining("jdbc:oracle:thin:@//host:1521/service");
    }
}
