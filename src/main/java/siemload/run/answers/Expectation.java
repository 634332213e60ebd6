package siemload.run.answers;

import java.util.ArrayList;
import java.util.List;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.Search;
import siemload.query.SearchMeaning;

/**
 * What an answer has to be, found out from the events that meet the search's conditions, one by one and in any order.
 *
 * <p>The rules. <i>M</i> are the matching events that must be seen: those of the data set, and the fed ones acknowledged
 * before the search started. <i>Y</i> are those that may be seen: sent before the search ended, but not acknowledged
 * before it started, or never; or of the day that was removed while it ran. The server saw M and any part of Y; an answer is right if it is the answer for one such
 * part. Rows are compared by detect time in microseconds and id.
 *
 * <ul>
 *   <li><b>Rows of any kind</b>: each comes after the one before it in the order of the search (so none comes twice);
 *       each is of M or Y; nothing of M that lies between two rows is missing.
 *   <li><b>Numbered page</b>: at most {@code size} rows. The events before the first row are as many as the page skips:
 *       at least those of M and at most those of M and Y. If there are fewer rows than {@code size}, nothing of M comes
 *       after the last one. Without rows, M is no larger than what the page skips.
 *   <li><b>Page after a key</b>: at most {@code size} rows, all after the key; nothing of M lies between the key and the
 *       first row; if there are fewer rows than {@code size}, nothing of M comes after the last one.
 *   <li><b>Last page</b>: at most {@code size} rows; nothing of M comes after the last one; if there are fewer rows than
 *       {@code size}, nothing of M comes before the first one.
 *   <li><b>Page by cursor</b>: a numbered page whose search started when the cursor was opened.
 *   <li><b>Whole result</b>: everything of M is there. What the data set holds is compared by number and by a sum of 128
 *       bits over detect times and ids, with a day that was removed meanwhile or without it, what was fed row by row.
 *   <li><b>Count</b>: at least M, at most M and Y.
 *   <li><b>Summary</b>: lines are in order and none comes twice; each line's number is at least that of M and at most
 *       that of M and Y; everything of M is in a line, except for what comes after the last line of a full top list. Each
 *       line is judged by itself, so two lines that rest on different parts of Y are not noticed.
 * </ul>
 */
abstract class Expectation {
    private static final int NAMED_IDS = 5;

    private final SampledAnswer sample;
    private final long fromMicros;
    private final long untilMicros;
    /** The criteria that an event on offer may fail to meet. */
    private final List<Criterion> open;

    private long lastOffer = -1;

    Expectation(SampledAnswer sample) {
        this.sample = sample;
        Search search = sample.search();
        boolean always = search.window().isAlways();
        this.fromMicros = always ? Long.MIN_VALUE : Micros.of(search.window().from());
        this.untilMicros = always ? Long.MAX_VALUE : Micros.of(search.window().until());
        this.open = new ArrayList<>(search.criteria());
    }

    static Expectation of(SampledAnswer sample) {
        if (sample.answer() instanceof Answer.PageRows page) {
            return new PageExpectation(sample, page.rows());
        } else if (sample.answer() instanceof Answer.WholeResult whole) {
            return new WholeExpectation(sample, whole);
        } else if (sample.answer() instanceof Answer.Count count) {
            return new CountExpectation(sample, count.rows());
        } else if (sample.answer() instanceof Answer.Lines lines) {
            return new SummaryExpectation(sample, lines);
        }
        throw new AssertionError("a kind of answer without an expectation: " + sample.answer());
    }

    /**
     * Looks whether an event meets the search's conditions, and takes it if so.
     *
     * <p>Whether it meets the criteria that were {@link #settle settled} is not asked again.
     *
     * @param offer a number of this event alone; the same event may be offered again at once
     */
    final void offer(long offer, SecurityEvent event, long micros, Visibility visibility) {
        if (micros < fromMicros || micros >= untilMicros || !concerns(micros) || offer == lastOffer) {
            return;
        }
        lastOffer = offer;
        for (Criterion criterion : open) {
            if (!SearchMeaning.meets(event, criterion)) {
                return;
            }
        }
        take(event, micros, visibility);
    }

    /** Promises that every event on offer meets this criterion. */
    final void settle(Criterion criterion) {
        open.remove(criterion);
    }

    /** Whether a matching event of this detect time can make a difference; whole results of dense searches are long. */
    boolean concerns(long micros) {
        return true;
    }

    /** Takes an event that meets the search's conditions and must or may be seen. */
    abstract void take(SecurityEvent event, long micros, Visibility visibility);

    /** What is wrong with the answer, once all events were offered; empty if nothing is. */
    abstract List<String> faults();

    final SampledAnswer sample() {
        return sample;
    }

    /** Some ids, and how many more there are. */
    static String named(List<String> ids, long count) {
        String some = String.join(", ", ids.subList(0, Math.min(NAMED_IDS, ids.size())));
        return count > NAMED_IDS ? some + " and " + (count - NAMED_IDS) + " more" : some;
    }

    /** Ids of which only the first few are kept. */
    static final class Ids {
        private final List<String> first = new ArrayList<>(NAMED_IDS);
        private long count;

        void add(String id) {
            if (count++ < NAMED_IDS) {
                first.add(id);
            }
        }

        boolean isEmpty() {
            return count == 0;
        }

        @Override
        public String toString() {
            return named(first, count);
        }
    }
}
