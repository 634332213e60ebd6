package siemload.run.learn;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.run.learn.SpooledExecutions.Spooled;
import siemload.scenario.replay.QueryRecording;
import siemload.scenario.replay.RecordedExecution;
import siemload.scenario.replay.RecordedQuery;

/**
 * What a query recording will have, which must be known before it is written: which executions are of statements that are kept, and
 * how many of how many sessions these are. Takes 24 bytes for each session. Not thread-safe.
 */
final class SpoolTotals {
    private static final int NONE = -1;

    private final List<RecordedQuery> queries = new ArrayList<>();
    private final Map<Long, Integer> byKey = new HashMap<>();
    private final int[] numbers;
    /** How many executions of each session are still to come, once they are handed over. */
    private final int[] left;

    private final long[] firstStarts;
    private final long[] lastEnds;
    private int sessions;
    private long executions;
    private long startMicros = Long.MAX_VALUE;
    private long endMicros = Long.MIN_VALUE;

    private SpoolTotals(int mostSessions) {
        this.numbers = new int[mostSessions];
        this.left = new int[mostSessions];
        this.firstStarts = new long[mostSessions];
        this.lastEnds = new long[mostSessions];
        Arrays.fill(numbers, NONE);
    }

    /** @param kept the statements that are recorded; at least one was executed */
    static SpoolTotals of(LogSpool spool, List<NamedStatement> kept) throws IOException {
        SpoolTotals totals = new SpoolTotals(spool.sessions());
        kept.forEach(totals::keep);
        spool.inOrder(totals::add);
        return totals;
    }

    private void keep(NamedStatement named) {
        StatementText text = named.statement().text();
        List<String> example = text.parameters().isEmpty()
                ? List.of()
                : named.statement().rows().rows().get(0);
        byKey.put(LogSpool.key(text), queries.size());
        Statement.Effect effect = named.statement().writes() ? Statement.Effect.WRITES : Statement.Effect.READS;
        Statement statement = new Statement(new SearchName(named.name()), text, effect);
        queries.add(
                new RecordedQuery(statement, example, named.statement().plans().commonest()));
    }

    private void add(Spooled execution) {
        if (query(execution) < 0) {
            return;
        }
        int session = execution.session();
        long end = execution.startMicros() + execution.tookMicros();
        if (numbers[session] == NONE) {
            numbers[session] = sessions;
            firstStarts[sessions] = execution.startMicros();
            sessions++;
        }
        int number = numbers[session];
        left[number]++;
        lastEnds[number] = Math.max(lastEnds[number], end);
        startMicros = Math.min(startMicros, execution.startMicros());
        endMicros = Math.max(endMicros, end);
        executions++;
    }

    /** What is said before the executions. */
    QueryRecording head(Path file) {
        return new QueryRecording(
                file,
                Instant.EPOCH.plus(startMicros, ChronoUnit.MICROS),
                executions,
                sessions,
                openAtOnce(),
                endMicros - startMicros,
                queries);
    }

    /** Which of the kept statements it is of; negative where it is of none. */
    private int query(Spooled execution) {
        return byKey.getOrDefault(execution.statement(), NONE);
    }

    /** As it is recorded, where it is of a kept statement; to be called once for each, in their order. */
    Optional<RecordedExecution> recorded(Spooled execution) {
        int query = query(execution);
        if (query < 0) {
            return Optional.empty();
        }
        int number = numbers[execution.session()];
        left[number]--;
        return Optional.of(new RecordedExecution(
                execution.startMicros() - startMicros,
                number,
                query,
                execution.tookMicros(),
                left[number] == 0,
                execution.values()));
    }

    /** Goes through the instants at which sessions begin; whoever ended at such a one is still there. */
    private int openAtOnce() {
        long[] starts = Arrays.copyOf(firstStarts, sessions);
        long[] ends = Arrays.copyOf(lastEnds, sessions);
        Arrays.sort(starts);
        Arrays.sort(ends);
        int most = 0;
        int ended = 0;
        for (int begun = 1; begun <= sessions; begun++) {
            while (ends[ended] < starts[begun - 1]) {
                ended++;
            }
            most = Math.max(most, begun - ended);
        }
        return most;
    }
}
