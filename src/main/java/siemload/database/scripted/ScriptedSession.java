package siemload.database.scripted;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import siemload.database.Plan;
import siemload.database.RowReader;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;
import siemload.database.SearchSession;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Summary;

/** Hands over rows at the instants of the script. Every row is the same one and answers nothing. */
public final class ScriptedSession implements SearchSession {
    private static final RowReader.Row ROW = new SameRow();

    private final Script script;
    private final Duration timeout;
    private volatile @Nullable Thread searching;
    private volatile boolean cancelled;

    public ScriptedSession(Script script, Duration timeout) {
        this.script = script;
        this.timeout = timeout;
    }

    @Override
    public long search(Search search, RowReader rows) {
        long called = script.waiting().nanos();
        AnswerSchedule answer = script.next(search.name(), called, called + timeout.toNanos());
        for (int row = 0; row < answer.rows(); row++) {
            await(called, answer.rowNanos(row));
            rows.row(ROW);
        }
        script.answered(search.name(), answer.lastRowNanos() - called);
        return answer.rows();
    }

    @Override
    public long count(Search search) {
        return search(search, row -> {});
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        long unused = count(search);
        return List.of();
    }

    /** Takes as long as the script says, and stores nothing. */
    @Override
    public void store(Search search, Summary.Hours summary, String trend) {
        long unused = count(search);
    }

    @Override
    public Plan explain(Search search) {
        String text = "answers come by the clock: " + Behaviour.of(search.name());
        return new Plan(text, Plan.Format.TEXT, List.of(), false, false, Optional.empty());
    }

    @Override
    public Plan explain(Search search, Summary summary) {
        return explain(search);
    }

    @Override
    public Optional<String> statement(Search search, PageClass page) {
        return Optional.of(search.name().name());
    }

    private void await(long called, long instant) {
        cancelled = false;
        searching = Thread.currentThread();
        long deadline = called + timeout.toNanos();
        script.waiting().until(Math.min(instant, deadline), () -> cancelled);
        searching = null;
        if (cancelled) {
            throw new SearchException(Kind.CANCELLED, "", "the search was cancelled");
        }
        if (instant - deadline > 0) {
            throw new SearchException(Kind.TIMEOUT, "", "the search took longer than " + timeout.toMillis() + " ms");
        }
    }

    @Override
    public void cancel() {
        cancelled = true;
        LockSupport.unpark(searching);
    }

    @Override
    public void close() {}

    private record SameRow() implements RowReader.Row {
        /** An event, since users read the rows that they see to search for something in them. */
        private static final byte[] IDEA =
                "{\"Format\":\"IDEA0\",\"ID\":\"scripted\",\"DetectTime\":\"1970-01-01T00:00:00Z\",\"Category\":[\"Other\"]}"
                        .getBytes(StandardCharsets.UTF_8);

        @Override
        public String id() {
            return "scripted";
        }

        @Override
        public Instant detectTime() {
            return Instant.EPOCH;
        }

        @Override
        public byte[] idea() {
            return IDEA;
        }
    }
}
