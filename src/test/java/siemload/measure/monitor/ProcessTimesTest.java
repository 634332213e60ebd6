package siemload.measure.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.measure.monitor.ProcessTimes.Entry;
import siemload.measure.monitor.ProcessTimes.Kind;

/** A server (10) with processes of its own (11 to 13), the load generator (20), and a shell (30) with a compiler (31). */
@Tag("every-java")
class ProcessTimesTest {
    private static final long SELF = 20;

    private final AtomicLong server = new AtomicLong(10);
    private final ProcessTimes times = times(DatabaseProcesses.descendingFrom(() -> OptionalLong.of(server.get())));

    private static ProcessTimes times(DatabaseProcesses database) {
        return new ProcessTimes(database, SELF, ProcessTimes.PROC);
    }

    private static void look(ProcessTimes times, Entry... entries) {
        times.look(() -> List.of(entries), process -> Map.of());
    }

    private static Entry entry(long process, long parent, long cpu, long endedChildren) {
        return named("postgres", process, parent, cpu, endedChildren);
    }

    private static Entry named(String name, long process, long parent, long cpu, long endedChildren) {
        return new Entry(process, parent, name, cpu, endedChildren, Kind.ONE_THREAD, 0);
    }

    @Test
    void aTreeIsCountedWithTheTimesOfItsEndedChildren() {
        look(times, entry(12, 11, 100, 0), entry(10, 1, 1_000, 5_000), entry(11, 10, 200, 0), entry(SELF, 1, 7_777, 0));
        assertThat(times.counts().get("database")).isEqualTo(6_300);

        // 11 has gone on for 50 and started 13; 12 has ended after 140, which its parent 11 has now.
        look(
                times,
                entry(10, 1, 1_000, 5_000),
                entry(11, 10, 250, 140),
                entry(13, 11, 30, 0),
                entry(SELF, 1, 8_888, 0));
        assertThat(times.counts().get("database")).isEqualTo(6_420);
        assertThat(times.counts().keySet()).noneMatch(name -> name.startsWith("program/"));
    }

    /** When the users of a run end, its sessions end while the processes are read: their server 10 was read before. */
    @Test
    void aProcessThatEndsWhileAllAreReadIsNotMissingTwice() {
        look(times, entry(10, 1, 100, 0), entry(11, 10, 40, 0), entry(12, 10, 50, 0));
        Iterator<List<Entry>> reads = List.of(
                        List.of(entry(10, 1, 100, 0), entry(12, 10, 58, 0)),
                        List.of(entry(10, 1, 100, 47)),
                        List.of(entry(10, 1, 100, 47 + 59)))
                .iterator();
        times.look(reads::next, process -> Map.of());

        assertThat(reads).as("read until none had ended meanwhile").isExhausted();
        assertThat(times.counts().get("database")).isEqualTo(100 + 47 + 59);
    }

    @Test
    void aRestartedServerKeepsTheTimesThatItHadBefore() {
        look(times, entry(10, 1, 1_000, 0), entry(11, 10, 200, 0));
        server.set(40);
        look(times, entry(40, 1, 30, 0), entry(41, 40, 5, 0));
        assertThat(times.counts().get("database")).isEqualTo(1_235);
    }

    /** It is found by the name that the load generator has as well. */
    @Test
    void aServerInJavaIsToldFromTheLoadGenerator() {
        ProcessTimes java = times(DatabaseProcesses.named(List.of("java")));
        java.countAsGenerator(Set.of(SELF + 2));
        look(
                java,
                named("java", SELF, 1, 5_000, 0),
                named("java", SELF + 1, SELF, 600, 0),
                named("java", SELF + 2, 1, 70, 0),
                named("java", SELF + 3, 1, 8, 0));

        assertThat(java.databaseProcesses()).containsExactly(SELF + 3);
        assertThat(java.counts().get("database")).isEqualTo(8);
    }

    @Test
    void othersAreCountedByNameFromTheFirstLookOn() {
        ProcessTimes others = times(DatabaseProcesses.ELSEWHERE);
        look(others, named("sh", 30, 1, 500, 9), named("java", SELF, 1, 5, 0));
        look(others, named("sh", 30, 1, 510, 9), named("cc", 31, 30, 40, 0));
        look(others, named("sh", 30, 1, 510, 49), named("cc", 32, 30, 2, 0));

        assertThat(others.counts())
                .contains(Map.entry("program/sh", 10L), Map.entry("program/cc", 42L), Map.entry("database", 0L))
                .hasSize(6);
    }

    /** As proc(5) has it; the name may hold whatever a file's name may. */
    @Test
    void aLineOfLinuxIsReadByItsFields() {
        String line = "4711 (post) gres: (x) S 10 4711 4711 0 -1 4194624 1 2 3 4 150 50 30 20 20 0 1 0 99 8192 1\n";

        assertThat(ProcessTimes.parse(line, () -> ProcessTimes.UNTOLD))
                .contains(named("post) gres: (x", 4_711, 10, 2_000_000_000L, 500_000_000L));
        for (String none : List.of(line.replace(") S ", ") Z "), "4711 (short) S 10", "")) {
            assertThat(ProcessTimes.parse(none, () -> ProcessTimes.UNTOLD)).isEmpty();
        }
    }

    /** 2 s and up to two ticks of 10 ms, which the kernel cuts off; of several threads the scheduler tells of the first alone. */
    @Test
    void whatAProcessOfOneThreadHasRunIsNotCutOff() {
        String one = "4711 (postgres) S 10 4711 4711 0 -1 4194624 1 2 3 4 150 50 30 20 20 0 1 0 99 8192 1";

        assertThat(cpu(one, 2_018_000_000L)).isEqualTo(2_018_000_000L);
        assertThat(cpu(one, 0)).as("where it is not told").isEqualTo(2_000_000_000L);
        assertThat(cpu(one.replace(" 0 1 0 99", " 0 2 0 99"), 2_018_000_000L)).isEqualTo(2_000_000_000L);
        assertThat(cpu(one.replace(" 4194624 ", " 2129984 "), 2_018_000_000L)).isEqualTo(2_000_000_000L);
    }

    private static long cpu(String stat, long scheduled) {
        return ProcessTimes.parse(stat, () -> new long[] {scheduled, 0})
                .orElseThrow()
                .cpuNanos();
    }

    /** One thread's wait is in the process's own file; of several each has its own, and those that compile Java do not count. */
    @Test
    void waitsAreReadOfEachThread(@TempDir Path proc) throws Exception {
        write(proc.resolve("10/stat"), "10 (postgres) S 1 1 1 0 -1 64 0 0 0 0 1 0 0 0 20 0 1 0 99 8192 1");
        write(proc.resolve("10/schedstat"), "12000000 3000 7\n");
        write(proc.resolve("20/stat"), "20 (java) S 1 1 1 0 -1 64 0 0 0 0 1 0 0 0 20 0 3 0 99 8192 1");
        thread(proc, 20, "java", "500 40 2");
        thread(proc, 21, "siemload-worker", "600 70 2");
        thread(proc, 22, "C2 CompilerThre", "9000 8000 2");
        ProcessTimes table = new ProcessTimes(DatabaseProcesses.HERE, SELF, proc);

        Map<String, Map<Long, Long>> waits = new HashMap<>();
        ProcessTimes.read(proc).forEach(process -> waits.put(process.name(), table.waits(process)));

        assertThat(waits).isEqualTo(Map.of("postgres", Map.of(10L, 3_000L), "java", Map.of(20L, 40L, 21L, 70L)));
    }

    private static void thread(Path proc, long number, String name, String scheduled) throws IOException {
        write(proc.resolve("20/task/" + number + "/comm"), name + "\n");
        write(proc.resolve("20/task/" + number + "/schedstat"), scheduled + "\n");
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** 30 is somebody else; thread 22 ends, and its number is given to another one; 23 is new; threads may be left out once. */
    @Test
    void theWaitingOfDatabaseAndLoadGeneratorAddsUpWhateverThreadsEnd() {
        assertThat(waited(Map.of(10L, 100L), Map.of(20L, 1_000L, 22L, 5_000L))).isZero();
        assertThat(waited(Map.of(10L, 107L), Map.of(20L, 1_020L, 22L, 300L, 23L, 4_000L)))
                .isEqualTo(7 + 20 + 300);
        assertThat(waited(Map.of(10L, 107L), Map.of(20L, 1_021L))).isEqualTo(328);
        assertThat(waited(Map.of(10L, 107L), Map.of())).isEqualTo(328);
        assertThat(waited(Map.of(10L, 107L), Map.of(20L, 1_031L, 23L, 4_010L))).isEqualTo(348);
    }

    private long waited(Map<Long, Long> database, Map<Long, Long> generator) {
        List<Entry> entries = List.of(
                entry(10, 1, 0, 0), new Entry(SELF, 1, "java", 0, 0, Kind.SEVERAL_THREADS, 0), entry(30, 1, 0, 0));
        Map<Long, Map<Long, Long>> waits =
                Map.of(10L, database, SELF, generator, 30L, Map.of(30L, 70_000L + System.nanoTime()));
        times.look(() -> entries, entry -> waits.getOrDefault(entry.process(), Map.of()));
        return times.counts().get("waited");
    }
}
