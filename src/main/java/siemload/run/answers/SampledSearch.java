package siemload.run.answers;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.results.SearchKey;

/** Takes notes of one search of the sample; of a whole result a sum and the rows fed during the run. */
final class SampledSearch implements AnswerWatch {
    /** As many as the largest page has. */
    private static final int MOST_ROWS = 100_000;

    private final AnswerSampler sampler;
    private final SearchKey key;
    private final Search search;
    private final double draw;
    private final long dataUntilMicros;
    private final boolean isWhole;
    private final UnorderedDigest stored = new UnorderedDigest();
    private final AnswerRows rows;
    private final List<Summary.Line> lines = new ArrayList<>();
    private final RowOrder order;
    private long lastMicros;
    private String lastId = "";
    private String misplaced = "";
    private boolean tooMany;

    SampledSearch(AnswerSampler sampler, SearchKey key, Search search, double draw, long dataUntilMicros) {
        this.sampler = sampler;
        this.key = key;
        this.search = search;
        this.draw = draw;
        this.dataUntilMicros = dataUntilMicros;
        this.isWhole = search.page() instanceof Page.Whole;
        this.order = RowOrder.of(search.order());
        this.rows = new AnswerRows(search.order());
    }

    @Override
    public boolean wantsRows() {
        return true;
    }

    @Override
    public void row(Instant detectTime, String id) {
        long micros = Micros.of(detectTime);
        if (isWhole) {
            wholeRow(micros, id);
        } else {
            keep(micros, id);
        }
    }

    private void wholeRow(long micros, String id) {
        boolean isFirst = stored.count() == 0 && rows.isEmpty();
        if (!isFirst
                && misplaced.isEmpty()
                && order != RowOrder.NONE
                && order.compare(lastMicros, lastId, micros, id) >= 0) {
            misplaced = id;
        }
        lastMicros = micros;
        lastId = id;
        if (micros < dataUntilMicros) {
            stored.add(micros, id);
        } else {
            keep(micros, id);
        }
    }

    private void keep(long micros, String id) {
        if (rows.size() < MOST_ROWS) {
            rows.add(micros, id);
        } else {
            tooMany = true;
        }
    }

    @Override
    public void lines(List<Summary.Line> some) {
        lines.addAll(some);
    }

    @Override
    public void answered(long seenFromNanos, long endNanos, long reportedRows) {
        if (tooMany) {
            sampler.leaveOut();
        } else {
            sampler.add(
                    new SampledAnswer(key, search, draw, seenFromNanos, endNanos, reportedRows, answer(reportedRows)));
        }
    }

    private Answer answer(long reportedRows) {
        if (key.page() == PageClass.COUNT) {
            return new Answer.Count(reportedRows);
        } else if (key.page() == PageClass.SUMMARY) {
            return new Answer.Lines(search.summary().orElseThrow(), lines);
        }
        return isWhole ? new Answer.WholeResult(stored, rows, misplaced) : new Answer.PageRows(rows);
    }
}
