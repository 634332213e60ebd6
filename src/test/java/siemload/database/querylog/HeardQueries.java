package siemload.database.querylog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.database.querylog.QueryLog.QueryLogListener;

/** Collects the contents of a query log. Used by one thread. */
public final class HeardQueries implements QueryLogListener {
    /** The reasons why statements were left out. */
    final List<String> leftOut = new ArrayList<>();

    private final List<String> unreadable = new ArrayList<>();
    private final List<LoggedStatement> executed = new ArrayList<>();

    public List<LoggedStatement> executed() {
        return executed;
    }

    /** The problems, each as {@code line: reason}. */
    public List<String> unreadable() {
        return unreadable;
    }

    /** The only executed statement. */
    LoggedStatement only() {
        assertThat(executed).hasSize(1);
        return executed.get(0);
    }

    /** All statements, reasons and problems, one per line. */
    String told() {
        Stream<String> asked = executed.stream().map(one -> {
            Client by = one.client();
            return Instant.EPOCH.plus(one.endMicros(), ChronoUnit.MICROS) + " after " + one.durationMicros() + " us, "
                    + by.session() + " " + by.user() + "@" + by.database() + " " + by.program() + ": "
                    + one.text().written()
                    + (" " + one.values()).replace("\r", "\\r").replace("\n", "\\n");
        });
        return Stream.of(asked, leftOut.stream().map(why -> "left out: " + why), unreadable.stream())
                .flatMap(lines -> lines)
                .collect(Collectors.joining("\n"));
    }

    @Override
    public void executed(LoggedStatement statement) {
        executed.add(statement);
    }

    @Override
    public void leftOut(String reason, String text) {
        leftOut.add(reason);
    }

    @Override
    public void ended(String session) {}

    @Override
    public void doubtful(long line, String what) {
        unreadable.add(line + ": " + what);
    }

    @Override
    public void unreadable(long line, String reason) {
        unreadable.add(line + ": " + reason);
    }
}
