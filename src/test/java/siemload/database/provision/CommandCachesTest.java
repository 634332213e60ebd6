package siemload.database.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.TargetException;
import siemload.database.provision.ServerCaches.Emptied;

class CommandCachesTest {
    @TempDir
    Path directory;

    @Test
    void theCommandGetsTheStateAsItsLastArgument() throws IOException {
        Path said = directory.resolve("said with spaces");
        String command = "f() { printf '%s;' \"$@\" >> '" + said + "'; }; f one";
        ServerCaches.byCommand(command).empty(Emptied.SERVER);
        ServerCaches.byCommand(command).empty(Emptied.SERVER_AND_SYSTEM);
        assertThat(said).hasContent("one;lukewarm;one;cold;");
        assertThat(Files.size(said)).isPositive();
    }

    @Test
    void aCommandThatFailsIsQuoted() {
        assertThatThrownBy(() -> ServerCaches.byCommand("f() { echo no right to restart; return 3; }; f")
                        .empty(Emptied.SERVER))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("failed with exit code 3: no right to restart");
    }
}
