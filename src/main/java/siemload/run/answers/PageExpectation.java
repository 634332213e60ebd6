package siemload.run.answers;

import java.util.ArrayList;
import java.util.List;
import siemload.event.SecurityEvent;
import siemload.query.Page;

/** The rows of a page. */
final class PageExpectation extends Expectation {
    private final AnswerRows rows;
    private final Page page;
    private final boolean isFull;
    private final boolean isJudgedByItself;
    private final boolean[] seen;
    private final Ids missing = new Ids();
    private long mustBefore;
    private long mayBefore;

    PageExpectation(SampledAnswer sample, AnswerRows rows) {
        super(sample);
        this.rows = rows;
        this.page = sample.search().page();
        this.isFull = rows.size() >= mostRows(page);
        this.isJudgedByItself = rows.firstMisplaced() >= 0;
        this.seen = new boolean[rows.size()];
    }

    /** A full page leaves the events on one side of it open: those that the user has not asked for yet. */
    @Override
    boolean concerns(long micros) {
        if (isJudgedByItself) {
            return false;
        }
        if (!isFull) {
            return true;
        }
        boolean isLast = page instanceof Page.Last;
        boolean upwards = isLast == (rows.order() == RowOrder.ASCENDING);
        long edge = rows.micros(isLast ? 0 : rows.last());
        return upwards ? micros >= edge : micros <= edge;
    }

    @Override
    void take(SecurityEvent event, long micros, Visibility visibility) {
        String id = event.id();
        boolean isMust = visibility.isMust();
        if (rows.isEmpty() || rows.compare(0, micros, id) > 0) {
            takeBefore(micros, id, isMust);
        } else if (rows.compare(rows.last(), micros, id) < 0) {
            boolean nothingMayFollow = !isFull || page instanceof Page.Last;
            if (isMust && nothingMayFollow) {
                missing.add(id);
            }
        } else {
            takeBetween(micros, id, isMust);
        }
    }

    private void takeBefore(long micros, String id, boolean isMust) {
        if (!isMust) {
            mayBefore++;
            return;
        }
        mustBefore++;
        boolean nothingMayPrecede =
                page instanceof Page.After after ? isAfter(after, micros, id) : page instanceof Page.Last && !isFull;
        if (nothingMayPrecede) {
            missing.add(id);
        }
    }

    private void takeBetween(long micros, String id, boolean isMust) {
        int row = rows.find(micros, id);
        if (row >= 0) {
            seen[row] = true;
        } else if (isMust) {
            missing.add(id);
        }
    }

    private boolean isAfter(Page.After after, long micros, String id) {
        return rows.order()
                        .compare(
                                micros,
                                id,
                                Micros.of(after.key().detectTime()),
                                after.key().id())
                > 0;
    }

    @Override
    List<String> faults() {
        if (isJudgedByItself) {
            return List.of("row " + (rows.firstMisplaced() + 1) + " (" + rows.id(rows.firstMisplaced())
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
        } else if (page instanceof Page.After after && !rows.isEmpty() && !isAfter(after, rows.micros(0), rows.id(0))) {
            faults.add("the first row (" + rows.id(0) + ") does not come after the key " + after.key());
        }
        return faults;
    }

    private void noteStrangers(List<String> faults) {
        Ids strangers = new Ids();
        for (int row = 0; row < seen.length; row++) {
            if (!seen[row]) {
                strangers.add(rows.id(row));
            }
        }
        if (!strangers.isEmpty()) {
            faults.add("rows that the search does not find, or not with this detect time: " + strangers);
        }
    }

    private void noteOffset(long offset, List<String> faults) {
        if (mustBefore > offset) {
            faults.add(
                    rows.isEmpty()
                            ? "no rows came, but the page skips " + offset + " of " + mustBefore
                            : "the page skips " + offset + " rows, but " + mustBefore + " come before its first one");
        } else if (!rows.isEmpty() && mustBefore + mayBefore < offset) {
            faults.add("the page skips " + offset + " rows, but only " + (mustBefore + mayBefore)
                    + " come before its first one");
        }
    }

    private static int mostRows(Page page) {
        return page.mostRows().orElse(Integer.MAX_VALUE);
    }
}
