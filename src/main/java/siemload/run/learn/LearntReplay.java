package siemload.run.learn;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import siemload.scenario.replay.QueryRecording;
import siemload.scenario.replay.QueryRecordingWriter;
import siemload.scenario.replay.RecordedExecution;

/**
 * A scenario that asks what was logged exactly as it was asked, and the query recording that it plays. Immutable.
 *
 * @param file whose name ends with {@code .yaml}
 * @param recording which lies beside it
 */
public record LearntReplay(Path file, Path recording) {

    /** The files of the scenario with this name. */
    public static LearntReplay of(Path file) {
        return new LearntReplay(file, LearntScenario.beside(file, "-recording.jsonl.gz"));
    }

    /**
     * Learns from logs, and writes both files. The executions lie in files beside them meanwhile, unpacked.
     *
     * @param logs in the order of time
     * @param reading told of each log that is begun
     * @return what was learnt, as {@link QueryLearner#learn} tells it
     * @throws siemload.config.ConfigException if there is nothing to learn from, or it is not clear from which database
     * @throws IOException if a log cannot be read, or a file cannot be written
     */
    public LearntQueries write(List<Path> logs, QueryLearner.Taken taken, long seed, Consumer<Path> reading)
            throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            throw new IOException(file + " has no directory");
        }
        Files.createDirectories(directory);
        try (LogSpool spool = new LogSpool(directory)) {
            LearntQueries learnt = QueryLearner.learn(logs, taken, seed, reading, spool);
            QueryRecording written = record(spool, learnt);
            Files.writeString(file, text(written, learnt));
            return learnt;
        } catch (UncheckedIOException unwritable) {
            throw new IOException(unwritable.getMessage(), unwritable);
        }
    }

    private QueryRecording record(LogSpool spool, LearntQueries learnt) throws IOException {
        SpoolTotals totals = SpoolTotals.of(spool, learnt.statements());
        QueryRecording head = totals.head(recording);
        try (QueryRecordingWriter writer = new QueryRecordingWriter(head)) {
            spool.inOrder(execution -> {
                Optional<RecordedExecution> recorded = totals.recorded(execution);
                if (recorded.isPresent()) {
                    writer.add(recorded.get());
                }
            });
        }
        return head;
    }

    private String text(QueryRecording written, LearntQueries learnt) {
        return "# Learnt by ./siemload learn-queries --replay. Statements and values are those of the log: keep both as it is kept.\n"
                + "# Run it by: " + learnt.command(file) + "\n"
                + "description: "
                + LearntScenario.quoted(String.format(
                        Locale.ROOT,
                        "%,d statements of %,d sessions, exactly as they were asked from %s on",
                        written.executions(),
                        written.sessions(),
                        written.startedAt()))
                + "\nreplay:\n  recording: "
                + LearntScenario.quoted(String.valueOf(recording.getFileName()))
                + "\n  # 2 asks everything in half the time.\n  speed: 1\n";
    }
}
