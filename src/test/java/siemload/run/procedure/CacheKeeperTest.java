package siemload.run.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Provision;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.EmbeddedServer;
import siemload.database.Variant;
import siemload.database.provision.ProvidedServer;
import siemload.database.provision.ProvidedServer.Emptied;
import siemload.measure.monitor.RunMonitor;
import siemload.query.Paging;
import siemload.scenario.Procedure.CacheState;

class CacheKeeperTest {
    private static final OptionalLong SOME = OptionalLong.of(7);

    private final Variant variant = new Variant("plain", IndexSet.NONE, Hint.NONE, Paging.OFFSET);
    private final Target target = TargetPlugin.find("memory")
            .orElseThrow()
            .connect(new ServerAddress("", "", ""), new TargetOptions(variant, Duration.ofSeconds(1), 1));
    private final List<Emptied> emptied = new ArrayList<>();

    @TempDir
    Path files;

    private int lookedAt;
    private final Deque<OptionalLong> disks = new ArrayDeque<>();
    private int pauses;
    private int pausesOver;
    private final List<String> notes = new ArrayList<>();
    private final CacheKeeper keeper = new CacheKeeper(
            text -> {},
            new ProvidedServer(Provision.EMBEDDED, new Restarted(), Map.of(), () -> {}),
            target.emptyStore("run"),
            disks::removeFirst,
            this::pause,
            notes);

    @Test
    void coldEmptiesBothCachesAndLukewarmThatOfTheServerWhileNothingIsMeasured() {
        keeper.prepare(CacheState.HOT);
        keeper.prepare(CacheState.AS_FOUND);
        assertThat(pauses).isZero();
        keeper.prepare(CacheState.COLD);
        keeper.prepare(CacheState.LUKEWARM);
        assertThat(emptied).containsExactly(Emptied.SERVER_AND_SYSTEM, Emptied.SERVER);
        assertThat(pauses).isEqualTo(2);
        assertThat(pausesOver).isEqualTo(2);
    }

    @Test
    void nothingFromDisksDisprovesTheColdStateButNotTheLukewarmOne() {
        OptionalLong same = OptionalLong.of(100);
        assertThatThrownBy(() -> check(CacheState.COLD, SOME, same, same))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("nothing came from disks")
                .hasMessageContaining("caches=lukewarm");
        check(CacheState.LUKEWARM, SOME, same, same);
    }

    @Test
    void aServerThatReadsNothingWasNotRestarted() {
        OptionalLong reading = OptionalLong.of(100);
        assertThatThrownBy(() -> check(CacheState.LUKEWARM, OptionalLong.of(0), reading, reading))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("found all of its blocks in the server's cache");
    }

    @Test
    void whatNobodySeesIsNoted() {
        OptionalLong nobody = OptionalLong.empty();
        check(CacheState.COLD, OptionalLong.empty(), nobody, nobody);
        assertThat(notes).hasSize(2).allMatch(note -> note.startsWith("caches=cold is not proven: "));
    }

    @Test
    void whatComesFromDisksProvesTheColdState() {
        check(CacheState.COLD, SOME, OptionalLong.of(100), OptionalLong.of(101));
        assertThat(notes).isEmpty();
    }

    @Test
    void aStateThatCannotBeHadIsRefusedWithTheReason() {
        ProvidedServer others = ProvidedServer.external(new ServerAddress("", "", ""));
        assertThatThrownBy(() -> CacheKeeper.require(CacheState.COLD, others))
                .isInstanceOf(TargetException.class)
                .hasMessage("caches=cold: siemload does not restart your server: use caches=hot or asFound");
        CacheKeeper.require(CacheState.HOT, others);
    }

    private void check(CacheState state, OptionalLong blocks, OptionalLong before, OptionalLong after) {
        disks.addAll(List.of(before, after));
        keeper.prepare(state);
        keeper.watch(state).accept(blocks);
        disks.clear();
    }

    private RunMonitor.Pause pause() {
        int before = emptied.size();
        pauses++;
        return () -> {
            pausesOver++;
            assertThat(emptied).hasSize(before + 1);
        };
    }

    /** Tells what else is emptied by who looks at its files while it is stopped. */
    private final class Restarted implements EmbeddedServer {
        @Override
        public ServerAddress address() {
            return new ServerAddress("", "", "");
        }

        @Override
        public Optional<Path> files() {
            lookedAt++;
            return Optional.of(files);
        }

        @Override
        public void restart(Runnable whileStopped) {
            int before = lookedAt;
            whileStopped.run();
            emptied.add(lookedAt > before ? Emptied.SERVER_AND_SYSTEM : Emptied.SERVER);
        }
    }
}
