package siemload.run.answers;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import siemload.database.SearchSession.RowReader;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.query.Summary.Line;
import siemload.query.Window;
import siemload.results.SearchKey;

/**
 * A search of the sample with its answer, and what the answer has to be, found out from the events that meet the search's conditions,
 * one by one and in any order.
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
 *
 * <p>The answer is taken by the thread that runs the search, and checked by one thread when all searches have ended. Instants are
 * nanoseconds of {@link System#nanoTime}.
 */
public abstract sealed class SampledAnswer implements AnswerWatch {
    /** Rows of one answer, as many as the largest page has. */
    private static final int MOST_KEPT = 100_000;
    /** Of rows and lines, in words. */
    private static final int SHOWN = 200;

    private static final int NAMED_IDS = 5;

    private final Picked picked;
    private final long fromMicros;
    private final long untilMicros;
    private long seenFromNanos;
    private long endNanos;
    private long reportedRows;
    private long lastOffer = -1;

    private SampledAnswer(Picked picked) {
        this.picked = picked;
        Window window = picked.search().window();
        this.fromMicros = window.isAlways() ? Long.MIN_VALUE : Row.microsOf(window.from());
        this.untilMicros = window.isAlways() ? Long.MAX_VALUE : Row.microsOf(window.until());
    }

    /** What is known of it before it is answered, and who takes it then. */
    private record Picked(SearchKey key, Search search, double draw, Consumer<SampledAnswer> taker) {}

    /** Whether an event that meets the conditions of a search belongs into its answer. */
    enum Visibility {
        /** The event is of the data set, which was there before the run. */
        STORED,
        /** The event is of the data set, and was removed while the search ran, with all others of its day. */
        LEAVING,
        /** It was fed, and acknowledged before the search started. */
        MUST,
        /** It was on its way while the search ran. */
        MAY,
        /** It was sent after the search had ended, or removed before it started. */
        NEVER;

        /** Whether the answer is wrong without it. */
        boolean isMust() {
            return this == STORED || this == MUST;
        }
    }

    /**
     * One that nothing is known of yet.
     *
     * @param draw what was drawn for it, 0 (included) to 1; the lowest ones are checked
     * @param dataUntilMicros the first instant after the data set's detect times; those of fed events are not before it
     * @param taker takes it when the search has been answered
     */
    static SampledAnswer of(
            SearchKey key, Search search, double draw, long dataUntilMicros, Consumer<SampledAnswer> taker) {
        Picked picked = new Picked(key, search, draw, taker);
        return switch (key.page()) {
            case COUNT -> new Count(picked);
            case SUMMARY -> new Lines(picked, search.summary().orElseThrow());
            case FIRST, DEEPER, LAST, WHOLE, STATEMENT -> new Rows(picked, dataUntilMicros);
        };
    }

    /** A count to which nobody has said anything. */
    static Count uncounted(Search search) {
        return new Count(new Picked(SearchKey.of(search), search, 0, taken -> {}));
    }

    @Override
    public void answered(long seenFrom, long end, long reported) {
        seenFromNanos = seenFrom;
        endNanos = end;
        reportedRows = reported;
        picked.taker().accept(this);
    }

    /** What it was measured as. */
    final SearchKey key() {
        return picked.key();
    }

    final Search search() {
        return picked.search();
    }

    final double draw() {
        return picked.draw();
    }

    /** What was acknowledged before this instant must be in the answer: when the search started, or its cursor was opened. */
    public final long seenFromNanos() {
        return seenFromNanos;
    }

    /** What was first sent after this instant cannot be in the answer: when the last row was read. */
    final long endNanos() {
        return endNanos;
    }

    /** The number of rows, lines or counted events that the session reported. */
    public final long reportedRows() {
        return reportedRows;
    }

    /** How many rows or lines of it are kept in memory. */
    abstract int keptRows();

    /** Whether it is so long that it is not kept as a whole. */
    final boolean isTooLong() {
        return keptRows() > MOST_KEPT;
    }

    /** What came back, row by row or line by line. */
    abstract List<?> parts();

    /** What came back, for people. */
    String words() {
        String shown = parts().stream().limit(SHOWN).map(String::valueOf).collect(Collectors.joining(", "));
        return keptRows()
                + (this instanceof Lines ? " lines: " : " rows: ")
                + shown
                + (keptRows() > SHOWN ? ", ..." : "");
    }

    /** How it differs from another answer to the same search, of the same kind; empty if it does not. */
    Optional<String> differenceFrom(SampledAnswer first) {
        return difference(first.parts(), parts());
    }

    /** The first part in which an answer differs from the right one; empty where none does. */
    static Optional<String> difference(List<?> right, List<?> parts) {
        for (int i = 0; i < Math.min(right.size(), parts.size()); i++) {
            if (!right.get(i).equals(parts.get(i))) {
                return Optional.of("row " + (i + 1) + " is " + parts.get(i) + " instead of " + right.get(i));
            }
        }
        return right.size() == parts.size()
                ? Optional.empty()
                : Optional.of(parts.size() + " rows instead of " + right.size());
    }

    /** Gets ready for events. */
    void begin() {}

    /**
     * Looks whether an event meets the search's conditions, and takes it if so.
     *
     * @param offer a number of this event alone; the same event may be offered again at once
     */
    final void offer(long offer, SecurityEvent event, long micros, Visibility visibility) {
        if (micros < fromMicros || micros >= untilMicros || !concerns(micros) || offer == lastOffer) {
            return;
        }
        lastOffer = offer;
        for (Criterion criterion : search().criteria()) {
            if (!criterion.meets(event)) {
                return;
            }
        }
        take(event, micros, visibility);
    }

    /** Whether a matching event of this detect time can make a difference; whole results of dense searches are long. */
    boolean concerns(long micros) {
        return true;
    }

    /** Takes an event that meets the search's conditions and must or may be seen. */
    abstract void take(SecurityEvent event, long micros, Visibility visibility);

    /** What is wrong with the answer, once all events were offered; empty if nothing is. */
    abstract List<String> faults();

    /** Ids of which only the first few are kept. */
    private static final class Ids {
        private final List<String> first = new ArrayList<>(NAMED_IDS);
        private long count;

        void add(String id) {
            if (count++ < NAMED_IDS) {
                first.add(id);
            }
        }

        void note(String what, List<String> faults) {
            if (count > 0) {
                faults.add(what + ": " + String.join(", ", first)
                        + (count > NAMED_IDS ? " and " + (count - NAMED_IDS) + " more" : ""));
            }
        }
    }

    /** How many events must and may be seen. */
    private static final class Bounds {
        private long must;
        private long most;

        void add(Visibility visibility) {
            most++;
            must += visibility.isMust() ? 1 : 0;
        }

        boolean allow(long events) {
            return must <= events && events <= most;
        }

        @Override
        public String toString() {
            return must == most ? String.valueOf(must) : must + " to " + most;
        }
    }

    /** An exact count. */
    static final class Count extends SampledAnswer {
        private final Bounds bounds = new Bounds();

        private Count(Picked picked) {
            super(picked);
        }

        @Override
        int keptRows() {
            return 0;
        }

        @Override
        List<String> parts() {
            return List.of(words());
        }

        @Override
        String words() {
            return "a count of " + reportedRows();
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
            return bounds.allow(reportedRows())
                    ? List.of()
                    : List.of("counted " + reportedRows() + " instead of " + bounds);
        }
    }

    /**
     * The rows of a page, one by one; of a whole result, however long, what was there before the run in one sum, and what was fed one by
     * one.
     */
    static final class Rows extends SampledAnswer {
        private final List<Row> rows = new ArrayList<>();
        private final Order asked;
        private final Comparator<Row> order;
        private final Page page;
        private final boolean isWhole;
        private final long mostRows;
        private final long dataUntilMicros;
        private Optional<Row> last = Optional.empty();
        /** Which row did not come after the one before it; empty if all did. */
        private String misplaced = "";

        private final RowSum stored = new RowSum();
        private final RowSum expected = new RowSum();
        /** The same with the events of a day that was removed meanwhile, which is there as a whole or not at all. */
        private final RowSum beforeRemoval = new RowSum();
        /** The rows that no event was offered for yet. */
        private final Map<String, Long> unexplained = new HashMap<>();

        private final Bounds before = new Bounds();
        private final Ids twice = new Ids();
        private final Ids missing = new Ids();

        private Rows(Picked picked, long dataUntilMicros) {
            super(picked);
            this.asked = picked.search().order();
            this.order = Row.in(asked);
            this.page = picked.search().page();
            this.isWhole = page instanceof Page.Whole;
            this.mostRows = page.mostRows().orElse(Integer.MAX_VALUE);
            this.dataUntilMicros = dataUntilMicros;
        }

        @Override
        public void row(RowReader.Row next, byte[] content) {
            Row row = new Row(next.detectTime(), next.id());
            if (asked != Order.UNSORTED
                    && misplaced.isEmpty()
                    && last.filter(one -> order.compare(one, row) >= 0).isPresent()) {
                misplaced = "row " + (count() + 1) + " (" + row.id() + ")";
            }
            last = Optional.of(row);
            if (isWhole && row.micros() < dataUntilMicros) {
                stored.add(row);
            } else if (!isTooLong()) {
                rows.add(row);
            }
        }

        private long count() {
            return stored.count() + rows.size();
        }

        @Override
        int keptRows() {
            return rows.size();
        }

        @Override
        List<Row> parts() {
            return rows;
        }

        @Override
        String words() {
            return isWhole ? stored.count() + " rows of the data set, " + rows.size() + " fed ones" : super.words();
        }

        @Override
        Optional<String> differenceFrom(SampledAnswer first) {
            Rows other = (Rows) first;
            boolean same = stored.sameAs(other.stored) && misplaced.equals(other.misplaced);
            return super.differenceFrom(first)
                    .or(() -> same
                            ? Optional.empty()
                            : Optional.of("not the same rows: " + count() + " instead of " + other.count()));
        }

        @Override
        void begin() {
            for (Row row : rows) {
                if (unexplained.put(row.id(), row.micros()) != null) {
                    twice.add(row.id());
                }
            }
        }

        private boolean isFull() {
            return rows.size() >= mostRows;
        }

        private Row lastKept() {
            return rows.get(rows.size() - 1);
        }

        /** A full page leaves the events on one side of it open: those that the user has not asked for yet. */
        @Override
        boolean concerns(long micros) {
            if (!isFull() || !misplaced.isEmpty()) {
                return misplaced.isEmpty();
            }
            boolean isLast = page instanceof Page.Last;
            boolean upwards = isLast == (asked == Order.OLDEST_FIRST);
            long edge = (isLast ? rows.get(0) : lastKept()).micros();
            return upwards ? micros >= edge : micros <= edge;
        }

        @Override
        void take(SecurityEvent event, long micros, Visibility visibility) {
            Row place = new Row(micros, event.id());
            if (isWhole && (visibility == Visibility.STORED || visibility == Visibility.LEAVING)) {
                beforeRemoval.add(place);
                if (visibility == Visibility.STORED) {
                    expected.add(place);
                }
                return;
            }
            if (unexplained.remove(event.id(), micros)) {
                return;
            }
            boolean mustBeThere = visibility.isMust();
            if (rows.isEmpty() || order.compare(place, rows.get(0)) < 0) {
                before.add(visibility);
                mustBeThere &= isWhole
                        || (page instanceof Page.After after
                                ? order.compare(place, key(after)) > 0
                                : page instanceof Page.Last && !isFull());
            } else if (order.compare(place, lastKept()) > 0) {
                mustBeThere &= !isFull() || page instanceof Page.Last;
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
            if (!misplaced.isEmpty()) {
                return List.of(misplaced + " does not come after the row before it in the order of the search");
            }
            List<String> faults = new ArrayList<>();
            if (rows.size() > mostRows) {
                faults.add("a page of " + mostRows + " has " + rows.size() + " rows");
            }
            if (reportedRows() != count()) {
                faults.add(count() + " rows came, but " + reportedRows() + " were reported");
            }
            // Without the removed day or, where the removal came later, with it.
            if (!stored.sameAs(beforeRemoval) && !stored.sameAs(expected)) {
                faults.add(
                        stored.count() == expected.count()
                                ? stored.count() + " rows of the data set came, but not those that the search finds"
                                : stored.count() + " rows of the data set came, but the search finds "
                                        + expected.count());
            }
            twice.note("rows that came twice", faults);
            Ids strangers = new Ids();
            unexplained.keySet().stream().sorted().forEach(strangers::add);
            strangers.note("rows that the search does not find, or not with this detect time", faults);
            missing.note("missing", faults);
            if (page instanceof Page.Numbered numbered) {
                noteOffset(numbered.offset(), faults);
            } else if (page instanceof Page.After after
                    && !rows.isEmpty()
                    && order.compare(rows.get(0), key(after)) <= 0) {
                faults.add("the first row (" + rows.get(0).id() + ") does not come after the key " + after.key());
            }
            return faults;
        }

        private void noteOffset(long offset, List<String> faults) {
            if (before.must > offset && rows.isEmpty()) {
                faults.add("no rows came, but the page skips " + offset + " of " + before.must);
            } else if (before.must > offset || (!rows.isEmpty() && before.most < offset)) {
                faults.add("the page skips " + offset + " rows, but "
                        + (before.must > offset ? before.must : "only " + before.most)
                        + " come before its first one");
            }
        }
    }

    /** The lines of a summary. */
    private static final class Lines extends SampledAnswer {
        private final Summary summary;
        private final List<Line> lines = new ArrayList<>();
        private final long startMicros;
        private final long stepMicros;
        private final Map<Group, Bounds> groups = new HashMap<>();

        private Lines(Picked picked, Summary summary) {
            super(picked);
            this.summary = summary;
            this.startMicros = Row.microsOf(picked.search().window().from());
            this.stepMicros = summary instanceof Summary.OverTime timeline
                    ? timeline.step(picked.search().window()).toSeconds() * 1_000_000
                    : Long.MAX_VALUE;
        }

        /** What a line is about. */
        private record Group(long fromMicros, String value) {}

        @Override
        public void lines(List<Line> some) {
            lines.addAll(some);
        }

        @Override
        int keptRows() {
            return lines.size();
        }

        @Override
        List<String> parts() {
            return lines.stream().map(this::text).toList();
        }

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
            Ids missing = new Ids();
            groups.forEach((group, bounds) -> {
                Instant from = search().window().from().plus(group.fromMicros() - startMicros, ChronoUnit.MICROS);
                Line line = new Line(from, group.value(), bounds.must);
                if (bounds.must > 0 && !told.contains(group) && !isCutOff(line)) {
                    missing.add(text(line));
                }
            });
            missing.note("missing lines", faults);
            return faults;
        }

        private boolean isCutOff(Line line) {
            return summary instanceof Summary.TopList top
                    && lines.size() >= top.size()
                    && comesAfter(lines.get(lines.size() - 1), line);
        }

        private boolean comesAfter(Line before, Line line) {
            int first = summary instanceof Summary.TopList
                    ? Long.compare(line.events(), before.events())
                    : before.from().compareTo(line.from());
            return first < 0 || (first == 0 && summary.field().order().compare(before.value(), line.value()) < 0);
        }

        private String text(Line line) {
            String value = line.value() + ": " + line.events();
            return summary instanceof Summary.OverTime ? line.from() + " " + value : value;
        }
    }

    /**
     * What rows are compared by, as every target keeps it.
     *
     * @param micros the detect time in whole microseconds since 1970, rounded down
     */
    record Row(long micros, String id) {
        private static final long PER_SECOND = 1_000_000;
        private static final long MOST_SECONDS = Long.MAX_VALUE / PER_SECOND - 1;
        private static final Comparator<Row> ASCENDING =
                Comparator.comparingLong(Row::micros).thenComparing(Row::id, PageKey::compareUtf8);
        private static final Comparator<Row> DESCENDING = ASCENDING.reversed();

        Row(Instant detectTime, String id) {
            this(microsOf(detectTime), id);
        }

        /** An instant in microseconds; what is too far away for them is the smallest or the largest number. */
        static long microsOf(Instant instant) {
            long seconds = instant.getEpochSecond();
            if (Math.abs(seconds) > MOST_SECONDS) {
                return seconds < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
            }
            return seconds * PER_SECOND + instant.getNano() / 1_000;
        }

        /** {@link Order#comparator} for rows; unsorted ones are ordered as ascending ones. */
        private static Comparator<Row> in(Order order) {
            return order == Order.NEWEST_FIRST ? DESCENDING : ASCENDING;
        }

        @Override
        public String toString() {
            return id;
        }
    }
}
