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
import java.util.stream.Stream;
import siemload.database.SearchSession.RowReader;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.query.Summary.Line;
import siemload.results.SearchKey;
import siemload.run.answers.AnswerSampler.AnswerWatch;

/**
 * A search of the sample with its answer. The right answer is determined from the matching events, which come one by one, in any order.
 *
 * <p>The rules. <i>M</i> are the matching events that must be seen: those of the data set, and the fed events acknowledged before the
 * search started. <i>Y</i> are the events that may be seen: those sent before the search ended but not acknowledged before it started, and
 * those of a day that was removed meanwhile. The server saw M and any part of Y; an answer is right if it is the answer for one such part.
 * Rows are compared by detect time in microseconds and id.
 *
 * <ul>
 *   <li><b>Rows of any kind</b>: each row comes after the previous row in the order of the search, so none comes twice. Each is an event of
 *       M or Y. No event of M that lies between two rows is missing.
 *   <li><b>Numbered page</b>: at most {@code size} rows. The page skips at least as many events as M has before the first row, and at most
 *       as many as M and Y have there. If there are fewer rows than {@code size}, no event of M comes after the last row. Without rows, M
 *       has at most as many events as the page skips.
 *   <li><b>Page after a key</b>: at most {@code size} rows, all after the key. No event of M lies between the key and the first row. If
 *       there are fewer rows than {@code size}, no event of M comes after the last row.
 *   <li><b>Last page</b>: at most {@code size} rows. No event of M comes after the last row. If there are fewer rows than {@code size}, no
 *       event of M comes before the first row.
 *   <li><b>Page by cursor</b>: a numbered page whose search started when the cursor was opened.
 *   <li><b>Whole result</b>: every event of M is there. Events of the data set are compared by number and by a checksum of 128 bits over
 *       detect times and ids, with or without a day that was removed meanwhile; fed events are compared row by row.
 *   <li><b>Count</b>: at least the number of events of M, at most the number of events of M and Y together.
 *   <li><b>Summary</b>: lines are in order, and none comes twice. Each line's number is at least that of M, and at most that of M and Y
 *       together. Every event of M is in a line, except for events after the last line of a full top list. Each line is judged by itself,
 *       so two lines with different parts of Y are not noticed.
 * </ul>
 *
 * <p>The answer is taken by the thread that runs the search, and checked by one thread when all searches have ended. Instants are
 * nanoseconds of {@link System#nanoTime}.
 */
public final class SampledAnswer implements AnswerWatch {
    /** The maximum number of rows of one answer that are kept: as many as the largest page has. */
    private static final int MOST_KEPT = 100_000;
    /** The maximum number of rows or lines that a message shows. */
    private static final int SHOWN = 200;

    private static final int NAMED_IDS = 5;

    final SearchKey key;
    final Search search;
    final double draw;
    private final Instant dataUntil;
    private final Consumer<SampledAnswer> taker;
    private final Page page;
    private final boolean isCount;
    private final boolean isSummary;
    private final boolean isWhole;
    private final Comparator<PageKey> order;
    private final long mostRows;
    private final Instant from;
    private final Instant until;
    private long seenFromNanos;
    private long endNanos;
    private long reportedRows;

    /** The rows of a page, one by one; of a whole result, however long, only the rows of fed events. */
    final List<PageKey> rows = new ArrayList<>();
    /** For a whole result, the checksum of its rows from the data set. */
    private final RowSum stored = new RowSum();

    private Optional<PageKey> last = Optional.empty();
    /** The first row that did not come after the row before it; empty if all rows are in order. */
    private String misplaced = "";

    private final List<Line> lines = new ArrayList<>();

    private long lastOffer = -1;
    /** For a count, the number of matching events; for a page, the number of events before its first row. */
    private final Bounds bounds = new Bounds();

    private final RowSum expected = new RowSum();
    /** The expected rows with those of a day that was removed during the run: an answer has either all rows of that day or none. */
    private final RowSum beforeRemoval = new RowSum();
    /** Rows without a matching event so far. */
    private final Map<String, Instant> unexplained = new HashMap<>();

    private final List<String> twice = new ArrayList<>();
    /** The missing rows or lines; only the first ones if there are very many. */
    private final List<String> missing = new ArrayList<>();
    /** The expected lines, with the numbers of events that they may have. */
    private final Map<Group, Bounds> groups = new HashMap<>();

    /**
     * Creates a sampled search that has no answer yet.
     *
     * @param key the key of the search; it decides between rows, count and summary
     * @param draw the search's random number, 0 (included) to 1; searches with the lowest numbers are checked
     * @param dataUntil the first instant after the data set's detect times; fed events have this detect time or a later one
     * @param taker receives this object when the search has been answered
     */
    SampledAnswer(SearchKey key, Search search, double draw, Instant dataUntil, Consumer<SampledAnswer> taker) {
        this.key = key;
        this.search = search;
        this.draw = draw;
        this.dataUntil = dataUntil.truncatedTo(ChronoUnit.MICROS);
        this.taker = taker;
        this.page = search.page();
        this.isCount = key.page() == PageClass.COUNT;
        this.isSummary = key.page() == PageClass.SUMMARY;
        this.isWhole = page instanceof Page.Whole;
        this.mostRows = page.mostRows().orElse(Integer.MAX_VALUE);
        boolean unsorted = search.order() == Order.UNSORTED;
        this.order = unsorted ? PageKey.OLDEST_FIRST : search.order().comparator();
        this.from = search.window().start();
        this.until = search.window().until().truncatedTo(ChronoUnit.MICROS);
    }

    /** Returns an empty answer to the same search, which is passed to nobody. */
    SampledAnswer again() {
        return new SampledAnswer(key, search, draw, dataUntil, taken -> {});
    }

    /** Returns a count that has no answer yet. */
    static SampledAnswer uncounted(Search search) {
        SearchKey count = new SearchKey(search.name(), PageClass.COUNT, search.order());
        return new SampledAnswer(count, search, 0, Instant.EPOCH, taken -> {});
    }

    /** Whether an event that meets the criteria of a search belongs in its answer. */
    enum Visibility {
        /** The answer is wrong without the event. */
        MUST,
        /** The event was being stored, or removed, while the search ran. */
        MAY,
        /** The event was sent after the search had ended, or removed before the search started. */
        NEVER
    }

    /** Returns whether the search saw a change that happened between these two instants. */
    Visibility sees(long startNanos, long doneNanos) {
        return startNanos - endNanos >= 0
                ? Visibility.NEVER
                : doneNanos - seenFromNanos < 0 ? Visibility.MUST : Visibility.MAY;
    }

    /** The time and the value for which a line counts events. */
    private record Group(Instant from, String value) {}

    /** The smallest and the largest number of events that an answer may count. */
    private static final class Bounds {
        private long must;
        private long most;

        void add(boolean isMust) {
            most++;
            must += isMust ? 1 : 0;
        }

        boolean allow(long events) {
            return must <= events && events <= most;
        }

        @Override
        public String toString() {
            return must == most ? String.valueOf(must) : must + " to " + most;
        }
    }

    // ---- the answer that came back

    @Override
    public void row(RowReader.Row next, byte[] content) {
        PageKey row = next.key().inMicroseconds();
        if (search.order() != Order.UNSORTED
                && misplaced.isEmpty()
                && last.filter(one -> order.compare(one, row) >= 0).isPresent()) {
            misplaced = "row " + (count() + 1) + " (" + row.id() + ")";
        }
        last = Optional.of(row);
        if (isWhole && row.detectTime().isBefore(dataUntil)) {
            stored.add(row);
        } else if (!isTooLong()) {
            rows.add(row);
        }
    }

    @Override
    public void lines(List<Line> some) {
        lines.addAll(some);
    }

    @Override
    public void answered(long seenFrom, long end, long reported) {
        seenFromNanos = seenFrom;
        endNanos = end;
        reportedRows = reported;
        taker.accept(this);
    }

    /** Returns the instant before which acknowledged events must be in the answer. */
    public long seenFromNanos() {
        return seenFromNanos;
    }

    private Summary summary() {
        return search.summary().orElseThrow();
    }

    /** Returns how many rows or lines of the answer are kept in memory. */
    int keptRows() {
        return rows.size() + lines.size();
    }

    /** Returns whether the answer is too long to be kept as a whole. */
    boolean isTooLong() {
        return keptRows() > MOST_KEPT;
    }

    private long count() {
        return stored.count() + rows.size();
    }

    /** Returns the answer, row by row or line by line. */
    private List<?> parts() {
        return isCount
                ? List.of("a count of " + reportedRows)
                : isSummary ? lines.stream().map(this::text).toList() : rows;
    }

    /** Returns the wrong answer with these faults, for people. */
    CheckedAnswers.WrongAnswer wrong(List<String> faults) {
        String of = isCount ? "" : keptRows() + (isSummary ? " lines: " : " rows: ");
        String more = keptRows() > SHOWN ? ", ..." : "";
        String found = isWhole && !isSummary && !isCount
                ? stored.count() + " rows of the data set, " + rows.size() + " fed ones"
                : parts().stream().limit(SHOWN).map(SampledAnswer::shown).collect(Collectors.joining(", ", of, more));
        return new CheckedAnswers.WrongAnswer(key, search.toString(), seenFromNanos, endNanos, faults, found);
    }

    /** Returns the difference from another answer to the same search; empty if there is none. */
    Optional<String> differenceFrom(SampledAnswer first) {
        boolean same = stored.sameAs(first.stored) && misplaced.equals(first.misplaced);
        return difference(first.parts(), parts())
                .or(() -> Optional.of("not the same rows: " + count() + " instead of " + first.count())
                        .filter(unused -> !same));
    }

    /** Describes the first part in which an answer differs from the right answer; empty if none does. */
    static Optional<String> difference(List<?> right, List<?> parts) {
        for (int i = 0; i < Math.min(right.size(), parts.size()); i++) {
            if (!right.get(i).equals(parts.get(i))) {
                return Optional.of(
                        "row " + (i + 1) + " is " + shown(parts.get(i)) + " instead of " + shown(right.get(i)));
            }
        }
        boolean same = right.size() == parts.size();
        return same ? Optional.empty() : Optional.of(parts.size() + " rows instead of " + right.size());
    }

    private static String shown(Object part) {
        return part instanceof PageKey row ? row.id() : part.toString();
    }

    // ---- the right answer

    /** Prepares the check of the answer. */
    void begin() {
        for (PageKey row : rows) {
            if (unexplained.put(row.id(), row.detectTime()) != null) {
                twice.add(row.id());
            }
        }
    }

    /**
     * Takes an event if it meets the search's criteria.
     *
     * @param offer a number that identifies this event; the same event may be offered again immediately
     * @param place the place of the event in the order
     * @param isMust whether the search must have seen the event, or only may have
     */
    void offer(long offer, SecurityEvent event, PageKey place, boolean isMust) {
        Instant time = place.detectTime();
        if (time.isBefore(from) || !time.isBefore(until) || !concerns(time) || offer == lastOffer) {
            return;
        }
        lastOffer = offer;
        for (Criterion criterion : search.criteria()) {
            if (!criterion.meets(event)) {
                return;
            }
        }
        if (isCount) {
            bounds.add(isMust);
        } else if (isSummary) {
            Stream<Group> of = summary().field().values(event).map(value -> new Group(stepOf(time), value));
            of.forEach(group ->
                    groups.computeIfAbsent(group, unused -> new Bounds()).add(isMust));
        } else {
            take(place, isMust);
        }
    }

    /** Returns how many of the events so far must be in a count. */
    long matching() {
        return bounds.must;
    }

    private boolean isFull() {
        return rows.size() >= mostRows;
    }

    /**
     * Returns whether a matching event with this detect time can make a difference: whole results of searches with many matches are long. A
     * full page says nothing about events on one side of it, which the user has not asked for yet.
     */
    private boolean concerns(Instant time) {
        if (isCount || isSummary || !isFull() || !misplaced.isEmpty()) {
            return misplaced.isEmpty();
        }
        boolean isLast = page instanceof Page.Last;
        int afterEdge = time.compareTo(rows.get(isLast ? 0 : rows.size() - 1).detectTime());
        return isLast == (search.order() == Order.OLDEST_FIRST) ? afterEdge >= 0 : afterEdge <= 0;
    }

    private void take(PageKey place, boolean isMust) {
        if (isWhole && place.detectTime().isBefore(dataUntil)) {
            beforeRemoval.add(place);
            if (isMust) {
                expected.add(place);
            }
            return;
        }
        if (unexplained.remove(place.id(), place.detectTime())) {
            return;
        }
        boolean isLast = page instanceof Page.Last;
        boolean belongs = true;
        if (rows.isEmpty() || order.compare(place, rows.get(0)) < 0) {
            bounds.add(isMust);
            belongs = page instanceof Page.After after
                    ? order.compare(place, after.key().inMicroseconds()) > 0
                    : isWhole || (isLast && !isFull());
        } else if (order.compare(place, rows.get(rows.size() - 1)) > 0) {
            belongs = isLast || !isFull();
        }
        if (isMust && belongs && missing.size() <= NAMED_IDS) {
            missing.add(place.id());
        }
    }

    private Instant stepOf(Instant time) {
        if (summary() instanceof Summary.OverTime timeline) {
            long step = timeline.step(search.window()).toSeconds();
            return from.plusSeconds(from.until(time, ChronoUnit.MICROS) / (step * 1_000_000) * step);
        }
        return from;
    }

    /** Returns the faults of the answer, once all events were offered; empty if the answer is right. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        if (isCount) {
            if (!bounds.allow(reportedRows)) {
                faults.add("counted " + reportedRows + " instead of " + bounds);
            }
        } else if (isSummary) {
            noteLines(faults);
        } else if (!misplaced.isEmpty()) {
            faults.add(misplaced + " does not come after the row before it in the order of the search");
        } else {
            noteRows(faults);
        }
        return faults;
    }

    private static void note(String what, List<String> ids, List<String> faults) {
        if (!ids.isEmpty()) {
            String first = ids.stream().limit(NAMED_IDS).collect(Collectors.joining(", "));
            faults.add(what + ": " + first + (ids.size() > NAMED_IDS ? " and more" : ""));
        }
    }

    private void noteRows(List<String> faults) {
        if (rows.size() > mostRows) {
            faults.add("a page of " + mostRows + " has " + rows.size() + " rows");
        }
        if (reportedRows != count()) {
            faults.add(count() + " rows came, but " + reportedRows + " were reported");
        }
        // The right rows lack the removed day or, if the day was removed after the search, have it.
        if (!stored.sameAs(beforeRemoval) && !stored.sameAs(expected)) {
            faults.add(stored.count() + " rows of the data set came, but not the " + expected.count()
                    + " that the search should find");
        }
        note("rows that came twice", twice, faults);
        List<String> strangers = unexplained.keySet().stream().sorted().toList();
        note("rows that the search should not return, or only with another detect time", strangers, faults);
        note("missing", missing, faults);
        if (page instanceof Page.Numbered numbered) {
            long offset = numbered.offset();
            if (bounds.must > offset || (!rows.isEmpty() && bounds.most < offset)) {
                String there = rows.isEmpty() ? " exist, and none was returned" : " come before its first one";
                faults.add("the page skips " + offset + " rows, but " + bounds + there);
            }
        } else if (page instanceof Page.After after
                && !rows.isEmpty()
                && order.compare(rows.get(0), after.key().inMicroseconds()) <= 0) {
            faults.add("the first row (" + rows.get(0).id() + ") does not come after the key " + after.key());
        }
    }

    private void noteLines(List<String> faults) {
        Set<Group> told = new HashSet<>();
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            if (i > 0 && !comesAfter(lines.get(i - 1), line)) {
                faults.add("line " + text(line) + " does not come after " + text(lines.get(i - 1)));
            }
            Group group = new Group(line.from().truncatedTo(ChronoUnit.MICROS), line.value());
            Bounds allowed = groups.getOrDefault(group, new Bounds());
            if (!told.add(group)) {
                faults.add("two lines for " + text(line));
            } else if (line.events() < 1 || !allowed.allow(line.events())) {
                faults.add("line " + text(line) + " instead of " + allowed);
            }
        }
        long most = summary() instanceof Summary.TopList top ? top.size() : Long.MAX_VALUE;
        if (lines.size() > most) {
            faults.add("a list of " + most + " has " + lines.size() + " lines");
        }
        groups.forEach((group, allowed) -> {
            Line line = new Line(group.from(), group.value(), allowed.must);
            boolean isCutOff = lines.size() >= most && comesAfter(lines.get(lines.size() - 1), line);
            if (allowed.must > 0 && !told.contains(group) && !isCutOff) {
                missing.add(text(line));
            }
        });
        note("missing lines", missing, faults);
    }

    private boolean comesAfter(Line before, Line line) {
        boolean isTopList = summary() instanceof Summary.TopList;
        int first = isTopList
                ? Long.compare(line.events(), before.events())
                : before.from().compareTo(line.from());
        return first < 0 || (first == 0 && summary().field().order().compare(before.value(), line.value()) < 0);
    }

    private String text(Line line) {
        String value = line.value() + ": " + line.events();
        return summary() instanceof Summary.OverTime ? line.from() + " " + value : value;
    }
}
