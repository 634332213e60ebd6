package siemload.run.learn;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Map;
import siemload.config.Sha256;
import siemload.database.querylog.LatestUsed;
import siemload.database.querylog.LoggedStatement;
import siemload.query.StatementText;

/**
 * Keeps all executions that are taken from logs, with when they began. A log tells when they ended, to the millisecond or so: where a
 * statement would have begun before the one before in its session had ended, it began at its end. Not thread-safe.
 */
final class LogSpool implements QueryLearner.Hearer, Closeable {
    private static final int MOST_SESSIONS = 50_000;
    private static final int MOST_TEXTS = 500;

    private final SpooledExecutions executions;
    /** Of too many sessions those are forgotten that were silent for the longest time: they count as others if they go on. */
    private final Map<String, Numbered> sessions = new LatestUsed<>(MOST_SESSIONS);

    private final Map<StatementText, Long> keys = new LatestUsed<>(MOST_TEXTS);
    private int numbers;

    /** @param beside where the executions lie meanwhile */
    LogSpool(Path beside) throws IOException {
        this.executions = new SpooledExecutions(beside);
    }

    /**
     * What is known of a session.
     *
     * @param number from 0
     * @param endMicros when its last statement ended
     */
    private record Numbered(int number, long endMicros) {}

    @Override
    public void executed(LoggedStatement statement) {
        long start = statement.endMicros() - statement.durationMicros();
        Numbered before = sessions.get(statement.session());
        int number = before == null ? numbers++ : before.number();
        long from = before == null ? start : Math.max(start, before.endMicros());
        sessions.put(statement.session(), new Numbered(number, from + statement.durationMicros()));
        long key = keys.computeIfAbsent(statement.text(), LogSpool::key);
        try {
            executions.add(
                    new SpooledExecutions.Spooled(from, number, key, statement.durationMicros(), statement.values()));
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    /** How many sessions there are at most. */
    int sessions() {
        return numbers;
    }

    void inOrder(SpooledExecutions.Taker taker) throws IOException {
        executions.inOrder(taker);
    }

    /** By which a text is told from others: the first 64 bits of its SHA-256. */
    static long key(StatementText text) {
        MessageDigest digest = Sha256.digest();
        byte[] written = text.written().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.wrap(digest.digest(written)).getLong();
    }

    @Override
    public void close() throws IOException {
        executions.close();
    }
}
