package siemload.database.provision;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.Io;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.BulkLoad;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.EmbeddedServer.EmbeddedOptions;
import siemload.database.Variant;
import siemload.database.postgresql.PostgresqlTestServer;
import siemload.database.postgresql.ServerDirectory;
import siemload.database.provision.ProvidedServer.Emptied;
import siemload.measure.monitor.DatabaseProcesses;
import siemload.query.Paging;

@Tag("database")
class EmbeddedCachesTest {
    private static final Path DIRECTORY = ServerDirectory.of("caches");
    private static final int EVENTS = 3_000;
    private static final TargetPlugin PLUGIN = TargetPlugin.find("postgresql").orElseThrow();
    private static ProvidedServer server;
    private static Target target;

    @BeforeAll
    static void start() {
        server = ProvidedServer.embedded(PLUGIN, new EmbeddedOptions(DIRECTORY, 8, Map.of()), RealServer.SILENT);
        Variant variant = new Variant("mentat", IndexSet.NONE, Hint.NONE, Paging.OFFSET);
        target = PLUGIN.connect(server.address(), new TargetOptions(variant, Duration.ofSeconds(20), 4));
    }

    @AfterAll
    static void stop() {
        if (server == null) {
            return; // Skipped: this machine does not tell who reads from which disk.
        }
        target.close();
        server.close();
    }

    /** What one search takes from outside the server's cache, and what reaches the server from disks meanwhile. */
    private record Reads(long blocks, long diskBytes) {}

    @Test
    void afterAColdStartEvenTheSystemMustReadFromDisks() {
        try (Store store = target.emptyStore("cold")) {
            try (BulkLoad load = store.maintenance().orElseThrow().openLoad()) {
                load.write(PostgresqlTestServer.generated(0, EVENTS));
                load.store();
            }
            assertThat(server.refusal(Emptied.SERVER_AND_SYSTEM)).isEmpty();
            server.empty(Emptied.SERVER_AND_SYSTEM);
            store.openSession().close();
            Reads first = reads(store);
            assertThat(first.blocks()).isPositive();
            assertThat(first.diskBytes()).isGreaterThan(first.blocks() * 8192 / 2);
            assertThat(reads(store).blocks()).isZero();
        }
    }

    private static Reads reads(Store store) {
        DatabaseProcesses processes = DatabaseProcesses.descendingFrom(server.server()::process);
        try (SearchSession session = store.openSession();
                Counters counters = store.openCounters().orElseThrow()) {
            CounterReading before = counters.read();
            long disksBefore = processes.diskBytes().orElseThrow();
            assertThat(session.search(PostgresqlTestServer.EVERYTHING, row -> {}))
                    .isEqualTo(EVENTS);
            session.close();
            CounterReading during = counters.readSettled().since(before);
            return new Reads(during.io(Io.DATA).reads(), processes.diskBytes().orElseThrow() - disksBefore);
        }
    }
}
