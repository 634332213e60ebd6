package siemload.database.sql;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import siemload.database.SearchException.Kind;
import siemload.database.ServerAddress;
import siemload.database.server.ServerErrors;

/** What the errors of one database and its driver mean: a table of their codes. Immutable and thread-safe. */
public abstract class SqlErrors extends ServerErrors<SQLException> {
    private static final Pattern BETWEEN_COLUMNS = Pattern.compile(" {2,}");
    private static final Row UNKNOWN = Row.of(".*  OTHER");

    private final List<Row> rows;

    /** What siemload goes on after. */
    public enum Fault {
        NONE,
        /** A key is there already. */
        DUPLICATE,
        NO_TABLE,
        /** Neither an index nor a key of this name. */
        NO_INDEX,
        /** There is another table or database of this name. */
        NAME_TAKEN,
        /** Somebody else holds what was to be dropped. */
        IN_USE
    }

    private record Row(Pattern codes, Meaning meaning, Fault fault) {
        static Row of(String line) {
            String[] columns = BETWEEN_COLUMNS.split(line.strip(), 3);
            String[] what = columns[1].split("/", 2);
            return new Row(
                    Pattern.compile(columns[0]),
                    new Meaning(Kind.valueOf(what[0]), columns.length == 3 ? columns[2] : ""),
                    what.length == 1 ? Fault.NONE : Fault.valueOf(what[1]));
        }
    }

    /**
     * By a table.
     *
     * @param table a line for each kind of error, with two blanks between its columns: how its codes begin, as a pattern; a {@link Kind},
     *     with a {@link Fault} behind a slash where it is one; and, where somebody knows, what can be done, in a whole sentence, in which
     *     {@code :login} is what can be done where nobody may log in. The first line that fits counts; comments begin with two hyphens
     */
    protected SqlErrors(String table) {
        super(SQLException.class);
        rows = table.replace(":login", ServerAddress.LOGIN_ADVICE)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("--"))
                .map(Row::of)
                .toList();
    }

    /** What the table's patterns are held against. */
    protected String known(SQLException e) {
        return code(e);
    }

    private Row row(SQLException e) {
        String known = known(e);
        return rows.stream()
                .filter(row -> row.codes.matcher(known).lookingAt())
                .findFirst()
                .orElse(UNKNOWN);
    }

    @Override
    protected final Meaning meaning(SQLException e) {
        return row(e).meaning;
    }

    /** Whether an error is this one; a violated constraint, class 23 of SQLSTATE, is one of a key wherever siemload writes. */
    public final boolean is(Fault fault, SQLException e) {
        return row(e).fault == fault
                || (fault == Fault.DUPLICATE && String.valueOf(e.getSQLState()).startsWith("23"));
    }

    /** Whether the connection is of no use after this error. */
    public final boolean isLost(SQLException e) {
        return meaning(e).kind() == Kind.CONNECTION;
    }

    /** The words of the server or the driver. Its first line alone: the next ones quote rows, or lead to a manual. */
    protected String words(SQLException e) {
        String message = e.getMessage();
        return message == null ? "no message" : message.lines().findFirst().orElse("no message");
    }

    @Override
    protected String message(SQLException e) {
        return words(e);
    }

    /** The code stands in the words. */
    @Override
    protected String wholeMessage(SQLException e) {
        return words(e);
    }

    /** What may fail with an error of the driver. */
    @FunctionalInterface
    public interface Attempt<T> {
        T result() throws SQLException;
    }

    /**
     * Does something before or after a run.
     *
     * @param tried for people: {@code count the events}
     * @throws siemload.database.TargetException if it fails
     */
    public final <T> T attempt(String tried, Attempt<T> attempt) {
        try {
            return attempt.result();
        } catch (SQLException e) {
            throw outsideRun("cannot " + tried, e);
        }
    }

    /**
     * Does something in a run that nobody cancels and no timeout ends, such as reading a row that has come.
     *
     * @throws siemload.database.SearchException if it fails
     */
    public final <T> T attemptInRun(Attempt<T> attempt) {
        try {
            return attempt.result();
        } catch (SQLException e) {
            throw inRun(e, Duration.ZERO, Duration.ofNanos(1));
        }
    }

    /** What is done for its effect alone. */
    @FunctionalInterface
    public interface Change {
        void make() throws SQLException;
    }

    /** Does something, unless this is the trouble. @return whether it was done */
    public final boolean isMade(Change change, Fault unless) throws SQLException {
        try {
            change.make();
            return true;
        } catch (SQLException e) {
            if (is(unless, e)) {
                return false;
            }
            throw e;
        }
    }
}
