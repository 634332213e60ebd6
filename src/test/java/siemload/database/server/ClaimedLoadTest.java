package siemload.database.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.BulkLoad;
import siemload.database.PreparedEvents;
import siemload.database.TargetException;
import siemload.database.registry.MemoryServer;
import siemload.database.registry.Registry;
import siemload.event.SecurityEvent;

/** Nobody waits for a process that writes nothing more. */
@Tag("any-java")
final class ClaimedLoadTest {
    private final MemoryServer server = new MemoryServer();
    private final Registry registry = new Registry(server, server);

    @AfterEach
    void endSignsOfLife() {
        registry.close();
    }

    @Test
    void aLoadHasAClaimUntilItIsClosed() {
        BulkLoad load = load(Optional.empty());
        assertThat(registry.readers("data")).hasSize(1);
        load.close();
        assertThat(server.entries()).isEmpty();
    }

    @Test
    void aPartThatDoesNotCloseGivesItsClaimUp() {
        TargetException broken = new TargetException("the connection is lost");
        BulkLoad load = load(Optional.of(broken));
        assertThatThrownBy(load::close).isSameAs(broken).hasNoSuppressedExceptions();
        assertThat(server.entries()).isEmpty();
    }

    @Test
    void whereTheClaimCannotBeGivenUpEitherThatIsToldBesideIt() {
        TargetException broken = new TargetException("the connection is lost");
        BulkLoad load = load(Optional.of(broken));
        server.loseAcknowledgements(1);
        assertThatThrownBy(load::close).isSameAs(broken);
        assertThat(broken.getSuppressed()).hasSize(1);
    }

    private BulkLoad load(Optional<TargetException> broken) {
        return new ClaimedLoad(new Part(broken), registry.claimWriting("joined", "data"));
    }

    /** @param broken what its close throws */
    record Part(Optional<TargetException> broken) implements BulkLoad {
        @Override
        public PreparedEvents prepare(List<SecurityEvent> events) {
            return new PreparedEvents(events, prepared -> {});
        }

        @Override
        public long store() {
            return 0;
        }

        @Override
        public void close() {
            broken.ifPresent(failure -> {
                throw failure;
            });
        }
    }
}
