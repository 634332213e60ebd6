package siemload.load;

import io.gatling.core.CoreComponents;
import io.gatling.core.actor.ActorRef;
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
import java.util.Optional;
import scala.collection.immutable.List$;
import scala.concurrent.Promise$;

/**
 * A log like Gatling's own, written by the same code, that nobody reads: it takes the searches of the warm-up. Without it that
 * code would be compiled in the first seconds of the measured phase, beside the searches. The file is a temporary one, made
 * when it is first needed, emptied now and then, and gone when it is closed. Thread-safe.
 */
final class WarmUpLog implements AutoCloseable {
    private static final int BUFFER = 8192; // as Gatling's

    private final CoreComponents core;
    private Optional<Opened> opened = Optional.empty();
    private boolean closed;

    WarmUpLog(CoreComponents core) {
        this.core = core;
    }

    private record Opened(FileChannel file, ActorRef<DataWriterMessage> writer, StatsEngine engine) {}

    /**
     * Takes what Gatling's own takes of the measured phase; empty once this is closed.
     *
     * @throws UncheckedIOException if no temporary file can be made
     */
    synchronized Optional<StatsEngine> engine() {
        if (closed) {
            return Optional.empty();
        }
        if (opened.isEmpty()) {
            opened = Optional.of(open());
        }
        return opened.map(Opened::engine);
    }

    private Opened open() {
        try {
            FileChannel file = FileChannel.open(
                    Files.createTempFile("siemload-warm-up", ".log"),
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE);
            RunMessage run = new RunMessage(
                    WarmUpLog.class.getName(), "warm-up", core.clock().nowMillis(), "", "", ZoneOffset.UTC);
            BufferedFileChannelWriter buffer = new BufferedFileChannelWriter(file, ByteBuffer.allocate(BUFFER));
            ActorRef<DataWriterMessage> writer = core.actorSystem()
                    .actorOf(new LogFileDataWriter(run, new HashMap<>(), List$.MODULE$.empty(), buffer));
            StatsEngine engine = new DataWritersStatsEngine(
                    List$.MODULE$.<ActorRef<DataWriterMessage>>empty().$colon$colon(writer),
                    core.actorSystem(),
                    core.clock());
            engine.start();
            return new Opened(file, writer, engine);
        } catch (IOException unable) {
            throw new UncheckedIOException("no temporary file could be made", unable);
        }
    }

    /** Throws away what is in the file; where that cannot be done the file grows, and nothing else. */
    synchronized void empty() {
        if (!closed) {
            opened.ifPresent(WarmUpLog::empty);
        }
    }

    private static void empty(Opened log) {
        try {
            log.file().truncate(0);
        } catch (IOException stays) {
            // A temporary file is larger than need be.
        }
    }

    /** Closes the file once what was taken before is written; ignored when repeated. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            opened.ifPresent(log -> log.writer().$bang(new DataWriterMessage.Stop(Promise$.MODULE$.apply())));
        }
    }
}
