package siemload.load;

import io.gatling.commons.stats.KO$;
import io.gatling.commons.stats.OK$;
import io.gatling.core.CoreComponents;
import io.gatling.core.actor.ActorRef;
import io.gatling.core.session.Session;
import io.gatling.core.stats.DataWritersStatsEngine;
import io.gatling.core.stats.StatsEngine;
import io.gatling.core.stats.writer.BufferedFileChannelWriter;
import io.gatling.core.stats.writer.DataWriterMessage;
import io.gatling.core.stats.writer.LogFileDataWriter;
import io.gatling.core.stats.writer.RunMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import scala.Option;
import scala.collection.immutable.List$;
import siemload.measure.LatencyRecorder.Taker;
import siemload.measure.Sample;
import siemload.results.Outcome;
import siemload.results.SearchKey;

/**
 * Reports measured searches to Gatling, so that its report shows what run.json holds: one response a search, from the
 * intended start. Gatling hears of them when the recorder takes them in: it does not matter when, but to wake its
 * writer for each costs more than a short search. Those of the warm-up go the same way and into a {@link WarmUpLog}, so
 * that no step is taken for the first time while it is measured. Thread-safe, but for the takers.
 */
final class ResponseLog implements AutoCloseable {
    /** What Gatling's clock, which is a monotonic one, too, is ahead of {@link System#nanoTime}. */
    private final long aheadNanos;

    /** To write a name anew for each answer would take as long as all else that is done with it here. */
    private final Map<SearchKey, String> labels = new HashMap<>();

    private final WarmUpLog warmUp;
    /** What takes the measured ones, and the others, chosen without a branch, see {@link siemload.measure.RunClock#phaseIndex}. */
    private final StatsEngine[] engines;

    /** @throws java.io.UncheckedIOException if no temporary file can be made */
    ResponseLog(CoreComponents core) {
        this.aheadNanos = TimeUnit.MILLISECONDS.toNanos(core.clock().nowMillis()) - System.nanoTime();
        this.warmUp = new WarmUpLog(core);
        this.engines = new StatsEngine[] {core.statsEngine(), warmUp.engine()};
    }

    /** Takes the searches of a user; for one recorder, which takes one in after the other. */
    Taker of(Session session) {
        return (key, sample, message, phase) -> log(session, key, sample, message, engines[phase]);
    }

    /** Throws away what was written of the warm-up; to be called now and then. */
    void emptyWarmUp() {
        warmUp.empty();
    }

    /** To be called when no recorder takes in any more. */
    @Override
    public void close() {
        warmUp.close();
    }

    private void log(Session session, SearchKey key, Sample sample, String message, StatsEngine engine) {
        boolean ok = sample.outcome() == Outcome.OK;
        long endMillis = TimeUnit.NANOSECONDS.toMillis(sample.end() + aheadNanos);
        engine.logResponse(
                session.scenario(),
                session.groups(),
                labels.computeIfAbsent(key, SearchKey::label),
                endMillis - TimeUnit.NANOSECONDS.toMillis(sample.responseNanos()),
                endMillis,
                ok ? OK$.MODULE$ : KO$.MODULE$,
                Option.empty(),
                ok ? Option.empty() : Option.apply(failure(sample, message)));
    }

    /** Code first: Gatling cuts messages at 200 characters and groups failures by them. */
    private static String failure(Sample sample, String message) {
        return (sample.code() + " " + sample.outcome().label() + ": " + message).strip();
    }

    /**
     * A log like Gatling's own, written by the same code, that nobody reads: it takes the searches of the warm-up. Without it that
     * code would be compiled in the first seconds of the measured phase, beside the searches. The file is a temporary one, emptied now
     * and then, and gone when it is closed, which is not before the end of the load: to notice that it is closed would be new to
     * compiled code, too. Thread-safe.
     */
    private static final class WarmUpLog implements AutoCloseable {
        private static final int BUFFER = 8192; // as Gatling's

        private final FileChannel file;
        private final StatsEngine engine;

        /** @throws UncheckedIOException if no temporary file can be made */
        WarmUpLog(CoreComponents core) {
            try {
                file = FileChannel.open(
                        Files.createTempFile("siemload-warm-up", ".log"),
                        StandardOpenOption.WRITE,
                        StandardOpenOption.DELETE_ON_CLOSE);
            } catch (IOException unable) {
                throw new UncheckedIOException("no temporary file could be made", unable);
            }
            RunMessage run = new RunMessage(
                    WarmUpLog.class.getName(), "warm-up", core.clock().nowMillis(), "", "", ZoneOffset.UTC);
            BufferedFileChannelWriter buffer = new BufferedFileChannelWriter(file, ByteBuffer.allocate(BUFFER));
            ActorRef<DataWriterMessage> writer = core.actorSystem()
                    .actorOf(new LogFileDataWriter(run, new HashMap<>(), List$.MODULE$.empty(), buffer));
            engine = new DataWritersStatsEngine(
                    List$.MODULE$.<ActorRef<DataWriterMessage>>empty().$colon$colon(writer),
                    core.actorSystem(),
                    core.clock());
            engine.start();
        }

        /** Takes what Gatling's own takes of the measured phase. */
        StatsEngine engine() {
            return engine;
        }

        /** Throws away what is in the file; where that cannot be done the file grows, and nothing else. */
        void empty() {
            try {
                file.truncate(0);
            } catch (IOException stays) {
                // A temporary file is larger than need be.
            }
        }

        /** To be called when no actor works any more; ignored when repeated. */
        @Override
        public void close() {
            try {
                file.close();
            } catch (IOException lost) {
                // Nobody reads it.
            }
        }
    }
}
