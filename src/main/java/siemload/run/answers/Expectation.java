package siemload.run.answers;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.query.Summary.Line;
import siemload.query.Window;
import siemload.run.answers.Answer.Row;
import siemload.run.answers.Answer.UnorderedDigest;
import siemload.run.answers.SampledAnswer.Visibility;

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
        this.fromMicros = always ? Long.MIN_VALUE : Row.microsOf(search.window().from());
        this.untilMicros =
                always ? Long.MAX_VALUE : Row.microsOf(search.window().until());
        this.open = new ArrayList<>(search.criteria());
    }

    static Expectation of(SampledAnswer sample) {
        if (sample.answer() instanceof Answer.PageRows page) {
            return new PageExpectation(sample, page.rows());
        } else if (sample.answer() instanceof Answer.WholeResult whole) {
            return new WholeExpectation(sample, whole);
        } else if (sample.answer() instanceof Answer.Count count) {
            return new OfCount(sample, count.rows());
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
            if (!criterion.meets(event)) {
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

    /** An exact count. */
    static final class OfCount extends Expectation {
        private final long counted;
        private final Bounds bounds = new Bounds();

        OfCount(SampledAnswer sample, long counted) {
            super(sample);
            this.counted = counted;
        }

        @Override
        void take(SecurityEvent event, long micros, Visibility visibility) {
            bounds.add(visibility);
        }

        /** How many of the events so far must be in the answer. */
        long matching() {
            return bounds.must;
        }

        @Override
        List<String> faults() {
            return bounds.allow(counted) ? List.of() : List.of("counted " + counted + " instead of " + bounds);
        }
    }

    /** How many events must and may be seen. */
    private static final class Bounds {
        private long must;
        private long may;

        void add(Visibility visibility) {
            if (visibility.isMust()) {
                must++;
            } else {
                may++;
            }
        }

        boolean allow(long events) {
            return must <= events && events <= must + may;
        }

        @Override
        public String toString() {
            return may == 0 ? String.valueOf(must) : must + " to " + (must + may);
        }
    }

    /** The rows of a page. */
    private static final class PageExpectation extends Expectation {
        private final List<Row> rows;
        private final Order asked;
        private final Comparator<Row> order;
        private final Page page;
        private final boolean isFull;
        private final int firstMisplaced;
        private final boolean[] seen;
        private final Ids missing = new Ids();
        private final Bounds before = new Bounds();

        PageExpectation(SampledAnswer sample, List<Row> rows) {
            super(sample);
            this.rows = rows;
            this.asked = sample.search().order();
            this.order = Row.in(asked);
            this.page = sample.search().page();
            this.isFull = rows.size() >= mostRows(page);
            this.firstMisplaced = Row.firstMisplaced(rows, asked);
            this.seen = new boolean[rows.size()];
        }

        private Row last() {
            return rows.get(rows.size() - 1);
        }

        /** A full page leaves the events on one side of it open: those that the user has not asked for yet. */
        @Override
        boolean concerns(long micros) {
            if (firstMisplaced >= 0) {
                return false;
            }
            if (!isFull) {
                return true;
            }
            boolean isLast = page instanceof Page.Last;
            boolean upwards = isLast == (asked == Order.OLDEST_FIRST);
            long edge = (isLast ? rows.get(0) : last()).micros();
            return upwards ? micros >= edge : micros <= edge;
        }

        @Override
        void take(SecurityEvent event, long micros, Visibility visibility) {
            Row place = new Row(micros, event.id());
            boolean nothingMayFollow = !isFull || page instanceof Page.Last;
            boolean mustBeThere = visibility.isMust();
            if (rows.isEmpty() || order.compare(rows.get(0), place) > 0) {
                before.add(visibility);
                boolean nothingMayPrecede = page instanceof Page.After after
                        ? order.compare(place, key(after)) > 0
                        : page instanceof Page.Last && !isFull;
                mustBeThere &= nothingMayPrecede;
            } else if (order.compare(last(), place) < 0) {
                mustBeThere &= nothingMayFollow;
            } else {
                int row = Collections.binarySearch(rows, place, order);
                if (row >= 0) {
                    seen[row] = true;
                    return;
                }
            }
            if (mustBeThere) {
                missing.add(event.id());
            }
        }

        private static Row key(Page.After after) {
            return new Row(after.key().detectTime(), after.key().id());
        }

        @Override
        List<String> faults() {
            if (firstMisplaced >= 0) {
                return List.of("row " + (firstMisplaced + 1) + " ("
                        + rows.get(firstMisplaced).id()
                        + ") does not come after the row before it in the order of the search");
            }
            List<String> faults = new ArrayList<>();
            if (rows.size() > mostRows(page)) {
                faults.add("a page of " + mostRows(page) + " has " + rows.size() + " rows");
            }
            if (sample().reportedRows() != rows.size()) {
                faults.add(rows.size() + " rows came, but " + sample().reportedRows() + " were reported");
            }
            noteStrangers(faults);
            if (!missing.isEmpty()) {
                faults.add("missing: " + missing);
            }
            if (page instanceof Page.Numbered numbered) {
                noteOffset(numbered.offset(), faults);
            } else if (page instanceof Page.After after
                    && !rows.isEmpty()
                    && order.compare(rows.get(0), key(after)) <= 0) {
                faults.add("the first row (" + rows.get(0).id() + ") does not come after the key " + after.key());
            }
            return faults;
        }

        private void noteStrangers(List<String> faults) {
            Ids strangers = new Ids();
            for (int row = 0; row < seen.length; row++) {
                if (!seen[row]) {
                    strangers.add(rows.get(row).id());
                }
            }
            if (!strangers.isEmpty()) {
                faults.add("rows that the search does not find, or not with this detect time: " + strangers);
            }
        }

        private void noteOffset(long offset, List<String> faults) {
            if (before.must > offset) {
                faults.add(
                        rows.isEmpty()
                                ? "no rows came, but the page skips " + offset + " of " + before.must
                                : "the page skips " + offset + " rows, but " + before.must
                                        + " come before its first one");
            } else if (!rows.isEmpty() && before.must + before.may < offset) {
                faults.add("the page skips " + offset + " rows, but only " + (before.must + before.may)
                        + " come before its first one");
            }
        }

        private static int mostRows(Page page) {
            return page.mostRows().orElse(Integer.MAX_VALUE);
        }
    }

    /** A whole result: what was there before the run in one sum, what was fed row by row. */
    private static final class WholeExpectation extends Expectation {
        private final Answer.WholeResult answer;
        private final UnorderedDigest stored = new UnorderedDigest();
        /** The same with the events of a day that was removed meanwhile, which is there as a whole or not at all. */
        private final UnorderedDigest beforeRemoval = new UnorderedDigest();
        /** The fed rows that no event was offered for yet. */
        private final Map<String, Long> unexplained = new HashMap<>();

        private final Ids twice = new Ids();
        private final Ids missing = new Ids();

        WholeExpectation(SampledAnswer sample, Answer.WholeResult answer) {
            super(sample);
            this.answer = answer;
            for (Row row : answer.fed()) {
                if (unexplained.put(row.id(), row.micros()) != null) {
                    twice.add(row.id());
                }
            }
        }

        @Override
        void take(SecurityEvent event, long micros, Visibility visibility) {
            if (visibility == Visibility.STORED) {
                stored.add(new Row(micros, event.id()));
            }
            if (visibility == Visibility.STORED || visibility == Visibility.LEAVING) {
                beforeRemoval.add(new Row(micros, event.id()));
                return;
            }
            boolean isThere = unexplained.remove(event.id(), micros);
            if (!isThere && visibility.isMust()) {
                missing.add(event.id());
            }
        }

        @Override
        List<String> faults() {
            List<String> faults = new ArrayList<>();
            if (!answer.misplaced().isEmpty()) {
                faults.add("row " + answer.misplaced()
                        + " does not come after the row before it in the order of the search");
            }
            long rows = answer.stored().count() + answer.fed().size();
            if (sample().reportedRows() != rows) {
                faults.add(rows + " rows came, but " + sample().reportedRows() + " were reported");
            }
            if (answer.stored().sameAs(beforeRemoval)) {
                // The removal came later, if there was one.
            } else if (answer.stored().count() != stored.count()) {
                faults.add(
                        answer.stored().count() + " rows of the data set came, but the search finds " + stored.count());
            } else if (!answer.stored().sameAs(stored)) {
                faults.add(
                        stored.count() + " rows of the data set came, but they are not the ones that the search finds");
            }
            if (!twice.isEmpty()) {
                faults.add("fed events that came twice: " + twice);
            }
            if (!missing.isEmpty()) {
                faults.add("fed events that are missing: " + missing);
            }
            if (!unexplained.isEmpty()) {
                Ids strangers = new Ids();
                unexplained.keySet().stream().sorted().forEach(strangers::add);
                faults.add("rows that the search does not find, or not with this detect time: " + strangers);
            }
            return faults;
        }
    }

    /** The lines of a summary. */
    private static final class SummaryExpectation extends Expectation {
        private final Summary summary;
        private final List<Line> lines;
        private final long startMicros;
        private final long stepMicros;
        private final Map<Group, Bounds> groups = new HashMap<>();

        SummaryExpectation(SampledAnswer sample, Answer.Lines answer) {
            super(sample);
            this.summary = answer.summary();
            this.lines = answer.lines();
            Window window = sample.search().window();
            this.startMicros = Row.microsOf(window.from());
            this.stepMicros = summary instanceof Summary.OverTime timeline
                    ? timeline.step(window).toSeconds() * 1_000_000
                    : Long.MAX_VALUE;
        }

        /** What a line is about. */
        private record Group(long fromMicros, String value) {}

        @Override
        void take(SecurityEvent event, long micros, Visibility visibility) {
            summary.field()
                    .values(event)
                    .forEach(value -> groups.computeIfAbsent(new Group(stepOf(micros), value), unused -> new Bounds())
                            .add(visibility));
        }

        private long stepOf(long micros) {
            return stepMicros == Long.MAX_VALUE
                    ? startMicros
                    : startMicros + (micros - startMicros) / stepMicros * stepMicros;
        }

        @Override
        List<String> faults() {
            List<String> faults = new ArrayList<>();
            Set<Group> told = new HashSet<>();
            for (int i = 0; i < lines.size(); i++) {
                Line line = lines.get(i);
                if (i > 0 && !comesAfter(lines.get(i - 1), line)) {
                    faults.add("line " + text(line) + " does not come after " + text(lines.get(i - 1)));
                }
                Group group = new Group(Row.microsOf(line.from()), line.value());
                Bounds bounds = groups.getOrDefault(group, new Bounds());
                if (!told.add(group)) {
                    faults.add("two lines for " + text(line));
                } else if (line.events() < 1 || !bounds.allow(line.events())) {
                    faults.add("line " + text(line) + " instead of " + bounds);
                }
            }
            if (summary instanceof Summary.TopList top && lines.size() > top.size()) {
                faults.add("a list of " + top.size() + " has " + lines.size() + " lines");
            }
            noteMissing(told, faults);
            return faults;
        }

        private void noteMissing(Set<Group> told, List<String> faults) {
            Ids missing = new Ids();
            groups.forEach((group, bounds) -> {
                if (bounds.must > 0 && !told.contains(group) && !isCutOff(group, bounds)) {
                    missing.add(text(new Line(instant(group), group.value(), bounds.must)));
                }
            });
            if (!missing.isEmpty()) {
                faults.add("missing lines: " + missing);
            }
        }

        private boolean isCutOff(Group group, Bounds bounds) {
            return summary instanceof Summary.TopList top
                    && lines.size() >= top.size()
                    && comesAfter(lines.get(lines.size() - 1), new Line(instant(group), group.value(), bounds.must));
        }

        private boolean comesAfter(Line before, Line line) {
            int first = summary instanceof Summary.TopList
                    ? Long.compare(line.events(), before.events())
                    : before.from().compareTo(line.from());
            return first < 0 || (first == 0 && summary.field().order().compare(before.value(), line.value()) < 0);
        }

        private static Instant instant(Group group) {
            boolean isBound = group.fromMicros() != Long.MIN_VALUE && group.fromMicros() != Long.MAX_VALUE;
            return isBound
                    ? Instant.ofEpochSecond(
                            Math.floorDiv(group.fromMicros(), 1_000_000L),
                            Math.floorMod(group.fromMicros(), 1_000_000L) * 1_000)
                    : Instant.MIN;
        }

        private String text(Line line) {
            String value = line.value() + ": " + line.events();
            return summary instanceof Summary.OverTime ? line.from() + " " + value : value;
        }
    }
}
