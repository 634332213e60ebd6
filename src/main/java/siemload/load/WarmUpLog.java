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
import scala.collection.immutable.List$;

/**
 * A log like Gatling's own, written by the same code, that nobody reads: it takes the searches of the warm-up. Without it that
 * code would be compiled in the first seconds of the measured phase, beside the searches. The file is a temporary one, emptied now
 * and then, and gone when it is closed, which is not before the end of the load: to notice that it is closed would be new to
 * compiled code, too. Thread-safe.
 */
final class WarmUpLog implements AutoCloseable {
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
        ActorRef<DataWriterMessage> writer =
                core.actorSystem().actorOf(new LogFileDataWriter(run, new HashMap<>(), List$.MODULE$.empty(), buffer));
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
