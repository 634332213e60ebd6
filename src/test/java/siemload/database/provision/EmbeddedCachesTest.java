package siemload.database.provision;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.Io;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.BulkLoad;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.Variant;
import siemload.database.postgresql.ServerDirectory;
import siemload.database.provision.ProvidedServer.Emptied;
import siemload.database.provision.ProvidedServer.Listener;
import siemload.dataset.DatasetReader;
import siemload.dataset.EventGenerator;
import siemload.measure.monitor.DatabaseProcesses;
import siemload.measure.monitor.DiskReads;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/** The caches of an embedded PostgreSQL, seen by what the server and its processes say that they read. */
@Tag("database")
class EmbeddedCachesTest {
    private static final Path DIRECTORY = ServerDirectory.of("caches");
    private static final int EVENTS = 3_000;
    private static final TargetPlugin PLUGIN = TargetPlugin.find("postgresql").orElseThrow();
    private static final Search EVERYTHING =
            new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.UNSORTED, new Page.Whole());

    private static final Listener SILENT = new Listener() {
        @Override
        public void line(String text) {}

        @Override
        public void status(String text) {}
    };

    private static ProvidedServer server;
    private static Target target;

    @BeforeAll
    static void start() {
        server = ProvidedServer.embedded(PLUGIN, new EmbeddedOptions(DIRECTORY, 8, Map.of()), SILENT);
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

    @Test
    void afterAColdStartEvenTheSystemMustReadFromDisks() {
        try (Store store = loaded("cold")) {
            assertThat(server.refusal(Emptied.SERVER_AND_SYSTEM)).isEmpty();
            Reads first = readsAfter(Emptied.SERVER_AND_SYSTEM, store);
            assertThat(first.diskBytes()).isGreaterThan(first.blocks() * 8192 / 2);
            Reads second = reads(store);
            assertThat(second.blocks()).isZero();
        }
    }

    /** Of everything, which the server itself does not have any more. */
    private static Reads readsAfter(Emptied emptied, Store store) {
        server.empty(emptied);
        store.openSession().close();
        Reads reads = reads(store);
        assertThat(reads.rows()).isEqualTo(EVENTS);
        assertThat(reads.blocks()).isPositive();
        return reads;
    }

    private static Store loaded(String runId) {
        Store store = target.emptyStore(runId);
        try (BulkLoad load = store.maintenance().orElseThrow().openLoad()) {
            EventGenerator events = new EventGenerator(DatasetReader.read(Path.of("datasets/smoke.yaml")));
            load.write(IntStream.range(0, EVENTS).mapToObj(events::event).toList());
            load.store();
        }
        return store;
    }

    /** What one search takes from outside the server's cache, and what reaches the server from disks meanwhile. */
    private record Reads(long rows, long blocks, long diskBytes) {}

    private static Reads reads(Store store) {
        DiskReads disks = new DiskReads(new DatabaseProcesses.Tree(server.server()::process));
        try (SearchSession session = store.openSession();
                Counters counters = store.openCounters().orElseThrow()) {
            CounterReading before = counters.read();
            long disksBefore = disks.read().orElseThrow();
            long rows = session.search(EVERYTHING, row -> {});
            session.close();
            CounterReading during = counters.readSettled().since(before);
            long bytes = disks.read().orElseThrow() - disksBefore;
            return new Reads(rows, during.io(Io.DATA).reads(), bytes);
        }
    }
}
