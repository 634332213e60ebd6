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
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import scala.Option;
import scala.collection.immutable.List$;
import siemload.measure.LatencyRecorder.Taker;
import siemload.results.Outcome;
import siemload.results.SearchKey;

/**
 * Reports measured searches to Gatling, so that its report shows what run.json holds: one response a search, from the
 * intended start. Gatling hears of them when the recorder takes them in: it does not matter when, but to wake its
 * writer for each costs more than a short search. Thread-safe, but for the takers.
 *
 * <p>Those of the warm-up go the same way and into a log like Gatling's own, written by the same code, that nobody reads: otherwise
 * that code would be compiled in the first seconds of the measured phase, beside the searches.
 */
final class ResponseLog {
    private static final int BUFFER = 8192; // as Gatling's

    /** What Gatling's clock, which is a monotonic one, too, is ahead of {@link System#nanoTime}. */
    private final long aheadNanos;

    /** To write a name anew for each answer would take as long as all else that is done with it here. */
    private final Map<SearchKey, String> labels = new HashMap<>();

    /** What takes the measured ones, and the others, chosen without a branch, see {@link siemload.measure.RunClock#phaseIndex}. */
    private final StatsEngine[] engines;

    ResponseLog(CoreComponents core) {
        this.aheadNanos = TimeUnit.MILLISECONDS.toNanos(core.clock().nowMillis()) - System.nanoTime();
        this.engines = new StatsEngine[] {core.statsEngine(), unread(core)};
    }

    private static StatsEngine unread(CoreComponents core) {
        FileChannel nowhere;
        try {
            nowhere = FileChannel.open(Path.of("/dev/null"), StandardOpenOption.WRITE);
        } catch (IOException unable) {
            throw new UncheckedIOException("/dev/null cannot be written to", unable);
        }
        RunMessage run = new RunMessage(
                ResponseLog.class.getName(), "warm-up", core.clock().nowMillis(), "", "", ZoneOffset.UTC);
        BufferedFileChannelWriter buffer = new BufferedFileChannelWriter(nowhere, ByteBuffer.allocate(BUFFER));
        ActorRef<DataWriterMessage> writer =
                core.actorSystem().actorOf(new LogFileDataWriter(run, new HashMap<>(), List$.MODULE$.empty(), buffer));
        StatsEngine engine = new DataWritersStatsEngine(
                List$.MODULE$.<ActorRef<DataWriterMessage>>empty().$colon$colon(writer),
                core.actorSystem(),
                core.clock());
        engine.start();
        return engine;
    }

    /** Takes the searches of a user; for one recorder, which takes one in after the other. */
    Taker of(Session session) {
        return (key, sample, message, phase) -> {
            boolean ok = sample.outcome() == Outcome.OK;
            long endMillis = TimeUnit.NANOSECONDS.toMillis(sample.end() + aheadNanos);
            engines[phase].logResponse(
                    session.scenario(),
                    session.groups(),
                    labels.computeIfAbsent(key, SearchKey::label),
                    endMillis - TimeUnit.NANOSECONDS.toMillis(sample.responseNanos()),
                    endMillis,
                    ok ? OK$.MODULE$ : KO$.MODULE$,
                    Option.empty(),
                    // Code first: Gatling cuts messages at 200 characters and groups failures by them.
                    ok
                            ? Option.empty()
                            : Option.apply(
                                    (sample.code() + " " + sample.outcome().label() + ": " + message).strip()));
        };
    }
}
