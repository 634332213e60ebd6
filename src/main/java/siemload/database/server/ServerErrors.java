package siemload.database.server;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;
import siemload.database.ServerAddress;
import siemload.database.TargetException;

/**
 * The meaning of a client's errors during a run and outside of runs, from a table of error codes. Immutable and thread-safe.
 *
 * @param <E> the exception that the client throws
 */
public abstract class ServerErrors<E extends Exception> {
    private static final Pattern BETWEEN_COLUMNS = Pattern.compile(" {2,}");
    private static final Meaning UNKNOWN = Meaning.of(".*  OTHER");

    private final Class<E> thrown;
    private final List<Meaning> table;

    /**
     * Reads the table.
     *
     * @param table a line for each kind of error, with two blanks between its columns: a pattern for the start of its codes; a {@link
     *     Kind}, with a fault after a slash if siemload handles it; and advice, if any, as a whole sentence, in which {@code :login} stands
     *     for the advice on failed logins. The first matching line counts; comments begin with two hyphens
     */
    protected ServerErrors(Class<E> thrown, String table) {
        this.thrown = thrown;
        this.table = table.replace(":login", ServerAddress.LOGIN_ADVICE)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("--"))
                .map(Meaning::of)
                .toList();
    }

    /**
     * The meaning of an error.
     *
     * @param fault as in the table; empty if the table has none
     * @param advice in whole sentences; empty for no advice
     */
    protected record Meaning(Pattern codes, Kind kind, String fault, String advice) {
        static Meaning of(String line) {
            String[] columns = BETWEEN_COLUMNS.split(line.strip(), 3);
            String[] what = (columns[1] + "/").split("/", -1);
            return new Meaning(
                    Pattern.compile(columns[0]), Kind.valueOf(what[0]), what[1], columns.length == 3 ? columns[2] : "");
        }
    }

    /** Returns the text of an error that the table's patterns are matched against. */
    protected String known(E error) {
        return code(error);
    }

    protected final Meaning meaning(E error) {
        String known = known(error);
        return table.stream()
                .filter(row -> row.codes.matcher(known).lookingAt())
                .findFirst()
                .orElse(UNKNOWN);
    }

    /** Returns whether an error counts as a timeout if the time limit had passed. */
    protected boolean mayBeTimeout(E error) {
        return meaning(error).kind == Kind.CANCELLED;
    }

    protected abstract String code(E error);

    /** Returns the server's message, without searched values. */
    protected abstract String message(E error);

    /** Returns the message for errors outside of searches, with all details that help to find the cause. */
    protected String wholeMessage(E error) {
        return message(error) + (code(error).isEmpty() ? "" : " (" + code(error) + ")");
    }

    /** Converts an error in a run; an error at the time limit or later may count as a timeout. */
    public final SearchException inRun(E error, Duration elapsed, Duration timeout) {
        boolean isLate = elapsed.compareTo(timeout) >= 0;
        Kind kind = isLate && mayBeTimeout(error) ? Kind.TIMEOUT : meaning(error).kind;
        return new SearchException(kind, code(error), message(error), error);
    }

    @FunctionalInterface
    public interface Attempt<T, E extends Exception> {
        T result() throws E;
    }

    /** Performs work of a run under a time limit. @throws SearchException in place of the client's error */
    public final <T> T answering(Duration timeout, Attempt<T, E> work) {
        long start = System.nanoTime();
        return unless(work, e -> {
            throw inRun(e, Duration.ofNanos(System.nanoTime() - start), timeout);
        });
    }

    /** Converts an error before or after a run: the message says what was tried, what the server said, and what can be done. */
    public final TargetException outsideRun(String tried, E error) {
        String advice = meaning(error).advice.isEmpty() ? "" : ". " + meaning(error).advice;
        return new TargetException(tried + ": " + wholeMessage(error) + advice, error);
    }

    /**
     * Performs work before or after a run.
     *
     * @param tried for people: {@code count the events}
     * @throws TargetException in place of the client's error
     */
    public final <T> T attempt(String tried, Attempt<T, E> work) {
        return unless(work, e -> {
            throw outsideRun("cannot " + tried, e);
        });
    }

    private <T> T unless(Attempt<T, E> work, Function<E, T> instead) {
        try {
            return unless(any -> true, work, instead);
        } catch (Exception unchecked) {
            throw (RuntimeException) unchecked;
        }
    }

    /**
     * Performs work whose expected errors are harmless.
     *
     * @param instead the result after an expected error
     */
    public final <T> T unless(Predicate<E> expected, Attempt<T, E> work, Function<E, T> instead) throws E {
        try {
            return work.result();
        } catch (Exception e) {
            if (thrown.isInstance(e) && expected.test(thrown.cast(e))) {
                return instead.apply(thrown.cast(e));
            }
            throw e;
        }
    }

    @FunctionalInterface
    public interface Work<E extends Exception> {
        void run() throws E;
    }

    public final void running(String tried, Work<E> work) {
        boolean unused = attempt(tried, () -> {
            work.run();
            return true;
        });
    }
}
