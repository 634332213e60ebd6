package siemload.database.querylog;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import siemload.database.querylog.NumberedLines.Line;

/**
 * The records of a csvlog (documentation, 19.8.4), whose texts may have line ends. A file that begins or ends within a record, as
 * copies of a log that is being written do, loses that one alone: where quotes do not match, reading goes on at the next line that
 * begins as records do. Not thread-safe.
 */
final class CsvRecords implements LogRecords {
    /** 23 since 9.0, 24 since 13, 26 since 14; what comes later stands behind them. */
    private static final int FEWEST_COLUMNS = 23;

    private static final int MOST_COLUMNS = 40;
    private static final int USER = 1;
    private static final int DATABASE = 2;
    private static final int SESSION = 5;
    private static final int SEVERITY = 11;
    private static final int MESSAGE = 13;
    private static final int DETAIL = 14;
    private static final int STATEMENT = 19;
    private static final int PROGRAM = 22;

    private static final Pattern BEGIN =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} [^,\\s\"]{1,20},.*", Pattern.DOTALL);
    private static final Pattern SESSION_ID = Pattern.compile("[0-9a-f]+\\.[0-9a-f]+");

    private final NumberedLines lines;
    private final LogTimes times;
    private final QueryLogListener listener;
    /** Lines that were read, and belong to no record so far. */
    private final Deque<Line> held = new ArrayDeque<>();

    /** How many of them the record has that was put together last. */
    private int taken;

    private boolean inForeignLines;

    CsvRecords(NumberedLines lines, LogTimes times, QueryLogListener listener) {
        this.lines = lines;
        this.times = times;
        this.listener = listener;
    }

    @Override
    public Optional<LogRecord> next() throws IOException {
        while (skipToBegin()) {
            Optional<String> written = whole();
            Line first = held.element();
            if (written.isEmpty()) {
                unreadable(first, "the record does not end");
                continue;
            }
            Optional<LogRecord> record = record(first.number(), written.get());
            if (record.isPresent()) {
                removeTaken();
                return record;
            }
            unreadable(first, "the record has not the columns of a csvlog");
        }
        return Optional.empty();
    }

    /** Tells it once, and gives up the first of the lines that are held: another record may begin in one of the others. */
    private void unreadable(Line first, String reason) {
        listener.unreadable(first.number(), reason);
        inForeignLines = true;
        held.remove();
    }

    /** Moves on to a line that begins as a record does; false at the end. */
    private boolean skipToBegin() throws IOException {
        while (true) {
            if (held.isEmpty()) {
                Optional<Line> more = lines.next();
                if (more.isEmpty()) {
                    return false;
                }
                held.add(more.get());
            }
            Line first = held.element();
            if (BEGIN.matcher(first.text()).matches()) {
                inForeignLines = false;
                return true;
            }
            if (!inForeignLines && !first.text().isBlank()) {
                listener.unreadable(
                        first.number(), "no record begins here: the file begins within one, or is no csvlog");
                inForeignLines = true;
            }
            held.remove();
        }
    }

    /**
     * The text of the record that begins with the first line: so many lines that each quote has a second one. All lines that were
     * read for it are held. Empty where it does not end.
     */
    private Optional<String> whole() throws IOException {
        StringBuilder text = new StringBuilder();
        List<Line> fresh = new ArrayList<>();
        Iterator<Line> known = held.iterator();
        long quotes = 0;
        taken = 0;
        boolean ended = false;
        while (!ended && text.length() <= NumberedLines.LONGEST) {
            Optional<Line> line = known.hasNext() ? Optional.of(known.next()) : read(fresh);
            if (line.isEmpty()) {
                break;
            }
            String written = line.get().text();
            text.append(taken == 0 ? "" : "\n").append(written);
            quotes += CsvRow.quotes(written);
            taken++;
            ended = quotes % 2 == 0;
        }
        held.addAll(fresh);
        return ended ? Optional.of(text.toString()) : Optional.empty();
    }

    private Optional<Line> read(List<Line> fresh) throws IOException {
        Optional<Line> line = lines.next();
        line.ifPresent(fresh::add);
        return line;
    }

    private void removeTaken() {
        for (int i = 0; i < taken; i++) {
            held.remove();
        }
    }

    private Optional<LogRecord> record(long line, String written) {
        String[] row = CsvRow.columns(written);
        if (row.length < FEWEST_COLUMNS
                || row.length > MOST_COLUMNS
                || !SESSION_ID.matcher(row[SESSION]).matches()
                || !row[SEVERITY].matches("[A-Z][A-Z0-9]*")) {
            return Optional.empty();
        }
        return times.micros(row[0])
                .map(micros -> new LogRecord(
                        line,
                        micros,
                        row[DATABASE],
                        row[SESSION],
                        row[PROGRAM],
                        row[USER],
                        row[SEVERITY],
                        row[MESSAGE],
                        row[DETAIL],
                        row[STATEMENT]));
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
