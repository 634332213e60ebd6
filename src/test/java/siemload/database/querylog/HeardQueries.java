package siemload.database.querylog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import siemload.database.querylog.QueryLog.QueryLogListener;

/** Keeps what it hears of a log of queries. Used by one thread. */
public final class HeardQueries implements QueryLogListener {
    /** The reasons. */
    final List<String> leftOut = new ArrayList<>();

    private final List<String> unreadable = new ArrayList<>();
    private final List<LoggedStatement> executed = new ArrayList<>();

    public List<LoggedStatement> executed() {
        return executed;
    }

    /** {@code line: reason}. */
    public List<String> unreadable() {
        return unreadable;
    }

    /** The one that was executed. */
    LoggedStatement only() {
        assertThat(executed).hasSize(1);
        return executed.get(0);
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
    public void wentBack(long line, long seconds) {
        unreadable.add(line + ": back by " + seconds + " s");
    }

    @Override
    public void unreadable(long line, String reason) {
        unreadable.add(line + ": " + reason);
    }
}
