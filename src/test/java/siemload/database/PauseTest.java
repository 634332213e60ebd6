package siemload.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PauseTest {

    @Test
    void whoIsInterruptedIsToldWhatWasBeingDoneAndStaysInterrupted() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> Pause.millis(60_000, "waiting for a server"))
                .isInstanceOf(TargetException.class)
                .hasMessage("waiting for a server was interrupted");

        assertThat(Thread.interrupted()).isTrue();
    }
}
