package siemload.run.answers;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader.DetachedRow;
import siemload.database.ServerAddress;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.memory.MemoryPlugin;
import siemload.event.SecurityEvent;
import siemload.query.PageClass;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.run.answers.AnswerCheck.DroppedDay;
import siemload.run.answers.AnswerSampler.AnswerWatch;

/** The answer to one search, as a test wants it to be, and the verdict on it. */
record GivenAnswer(Search search, PageClass page, List<Row> rows, List<Summary.Line> lines, long reported) {
    private static final double ALWAYS_PICKED = 0;

    /** One row of an answer. */
    record Row(Instant detectTime, String id) {}

    /** Answers searches for these events rightly. */
    static SearchSession reference(List<SecurityEvent> events) {
        Variant variant = new Variant("plain", IndexSet.NONE, Hint.NONE, Paging.OFFSET);
        Target target = new MemoryPlugin()
                .connect(new ServerAddress("", "", ""), new TargetOptions(variant, Duration.ofSeconds(20), 1));
        DatasetKey key = new DatasetKey("00000000000000aa", "random", 0);
        ContractSubject.load(target, key, events);
        return target.copy(key, "reference").openSession();
    }

    /** A batch that the server acknowledged. */
    static FeedLedger.Batch fed(List<SecurityEvent> events, long sentNanos, long acknowledgedNanos) {
        return new FeedLedger.Batch(events, sentNanos, acknowledgedNanos);
    }

    /** A batch that the server never acknowledged. */
    static FeedLedger.Batch unanswered(List<SecurityEvent> events, long sentNanos) {
        return new FeedLedger.Batch(events, sentNanos, sentNanos + FeedLedger.FAR_NANOS);
    }

    static GivenAnswer ofRows(Search search, List<Row> rows) {
        return new GivenAnswer(search, search.page().pageClass(), rows, List.of(), rows.size());
    }

    static GivenAnswer ofCount(Search search, long count) {
        return new GivenAnswer(search, PageClass.COUNT, List.of(), List.of(), count);
    }

    static GivenAnswer ofLines(Search search, List<Summary.Line> lines) {
        return new GivenAnswer(search, PageClass.SUMMARY, List.of(), lines, lines.size());
    }

    /** What a check says is wrong with it, for a search that ran from one of these instants to the other. */
    List<String> faults(
            List<SecurityEvent> stored,
            FeedLedger.Batches fed,
            Optional<DroppedDay> dropped,
            Instant dataUntil,
            long startNanos,
            long endNanos) {
        AnswerSampler sampler = new AnswerSampler(1, dataUntil);
        AnswerWatch watch = sampler.watch(search, page, ALWAYS_PICKED);
        rows.forEach(row -> watch.row(new DetachedRow(row.id(), row.detectTime(), new byte[0]), new byte[0]));
        watch.lines(lines);
        watch.answered(startNanos, endNanos, reported);
        return AnswerCheck.of(sampler, new EventList(stored), fed, dropped, more -> {}, () -> false).wrong().stream()
                .flatMap(wrong -> wrong.faults().stream())
                .toList();
    }
}
