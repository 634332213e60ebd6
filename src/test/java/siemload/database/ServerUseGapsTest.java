package siemload.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import siemload.database.ServerUse.Client;
import siemload.database.ServerUse.Question;

final class ServerUseGapsTest {
    private static final Question<Long> NOTHING_ENDED = new Question<>(() -> 7L, 0L, "");
    private static final Question<OptionalLong> ROOM =
            new Question<>(() -> OptionalLong.of(5), OptionalLong.empty(), "");

    @Test
    void sessionsOfAllClientsAreAddedUp() {
        List<Client> clients = List.of(new Client("shop (2 sessions)", 2, ""), new Client("backup", 0.5, ""));
        ServerUse use = ServerUse.of(
                List.of("a table"), "", new Question<>(() -> clients, List.of(), "sessions"), NOTHING_ENDED, ROOM);
        assertThat(use.others()).containsExactly("shop (2 sessions)", "backup");
        assertThat(use.working()).isEqualTo(2.5);
        assertThat(use.perSecond()).isZero();
        assertThat(use.freeBytes()).hasValue(5);
        assertThat(use.gaps()).isEmpty();
    }

    @Test
    void whatMayNotBeSeenIsOneGapHoweverOftenItIsAsked() {
        Question<List<Client>> refused = new Question<>(
                () -> {
                    throw new TargetException("no right");
                },
                List.of(),
                "sessions (GRANT ...)");
        ServerUse use = ServerUse.of(List.of(), "", refused, NOTHING_ENDED, ROOM);
        assertThat(use.gaps()).containsExactly("sessions (GRANT ...)");
        assertThat(use.others()).isEmpty();
        assertThat(use.isBusy()).isFalse();
    }
}
