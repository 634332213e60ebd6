package siemload.database.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.BulkLoad;
import siemload.database.DatasetKey;
import siemload.database.DatasetLoad;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.registry.MemoryServer;

/** What is told of a load that was not kept. */
@Tag("any-java")
final class ServerTargetTest {
    private static final DatasetKey KEY = new DatasetKey("00c0117ac7000001", "smoke", 0);

    private final MemoryServer server = new MemoryServer();
    private final TargetException broken = new TargetException("the connection of the load is lost");
    private final Target target = new ServerTarget(withLoad(new ClaimedLoadTest.Part(Optional.of(broken))));

    @AfterEach
    void endSignsOfLife() {
        target.close();
    }

    @Test
    void aLoadThatDoesNotCloseIsDroppedAllTheSame() {
        DatasetLoad load = target.load(KEY);
        assertThat(server.entries()).hasSize(1);
        assertThatThrownBy(load::close).isSameAs(broken).hasNoSuppressedExceptions();
        assertThat(server.entries()).isEmpty();
    }

    @Test
    void whereItCannotBeDroppedEitherThatIsToldBesideIt() {
        DatasetLoad load = target.load(KEY);
        server.loseAcknowledgements(1);
        assertThatThrownBy(load::close).isSameAs(broken);
        assertThat(broken.getSuppressed())
                .singleElement()
                .satisfies(second -> assertThat(second).hasMessage("the connection broke"));
    }

    /** Its tables can be loaded, and no more. */
    private DatabaseServer withLoad(BulkLoad load) {
        EventTables tables = made(EventTables.class, method -> switch (method) {
            case "createLoading" -> Optional.of(load);
            default -> throw new UnsupportedOperationException(method);
        });
        return made(DatabaseServer.class, method -> switch (method) {
            case "registry", "objects" -> Optional.of(server);
            case "newName" -> Optional.of("loading");
            case "tables" -> Optional.of(tables);
            case "close" -> Optional.empty();
            default -> throw new UnsupportedOperationException(method);
        });
    }

    /** What a method answers, by its name. */
    private interface Answers {
        Optional<Object> to(String method);
    }

    private static <T> T made(Class<T> type, Answers answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answers.to(method.getName()).orElse(null)));
    }
}
