package siemload.run.learn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import siemload.config.Durations;
import siemload.results.MicrosSummary;
import siemload.results.report.Amounts;
import siemload.results.report.Table;

/** What was learnt, for people, as lines of text. Stateless and thread-safe. */
public final class LearntQueriesText {
    private static final int SHOWN_CHARACTERS = 70;

    private LearntQueriesText() {}

    /** All lines. */
    public static List<String> lines(LearntQueries learnt) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%,d statements of %,d sessions, %d different, from %s to %s (%s)",
                learnt.executions(),
                learnt.sessions().sessions(),
                learnt.statements().size(),
                learnt.first(),
                learnt.last(),
                Durations.format(learnt.span())));
        lines.add("");
        lines.addAll(statements(learnt).lines().toList());
        lines.add("Milliseconds at the server: parsing, binding and executing together. preparing: the share of it"
                + " before the execution.");
        if (learnt.writing() > 0) {
            lines.add(writing(learnt.writing()));
        }
        lines.addAll(plans(learnt));
        lines.addAll(tooLong(learnt));
        lines.add("");
        lines.add(String.format(
                Locale.ROOT,
                "sessions: %,d, of which %.2f at a time were working or thinking",
                learnt.sessions().sessions(),
                learnt.sessions().atATime()));
        lines.add(thinking(learnt));
        lines.add("as a scenario says it: " + learnt.users() + (learnt.users() == 1 ? " user" : " users")
                + ", thinkTime " + SessionTimes.written(learnt.thinkTime()));
        lines.addAll(learnt.leftOut().section());
        if (!learnt.unreadable().isEmpty()) {
            lines.add("");
            lines.addAll(learnt.unreadable());
        }
        return lines;
    }

    /** What must be known of statements that write. */
    static String writing(long statements) {
        return String.format(
                Locale.ROOT,
                "%d of these statements write: a run asks them by -DallowWrites=true alone, each in a transaction of"
                        + " its own, and what they write stays.",
                statements);
    }

    private static String statements(LearntQueries learnt) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("statement", "count", "share", "p50", "p95", "max", "preparing", "text"));
        learnt.statements().forEach((name, statement) -> {
            MicrosSummary times = statement.times();
            rows.add(List.of(
                    name,
                    String.format(Locale.ROOT, "%,d", statement.count()),
                    percent((double) statement.count() / learnt.executions()),
                    Amounts.millis((double) times.p50()),
                    Amounts.millis((double) times.p95()),
                    Amounts.millis((double) times.max()),
                    percent(statement.preparingRatio()),
                    LeftOutStatements.shown(statement.text().written(), SHOWN_CHARACTERS)));
        });
        return Table.ofNumbers(rows);
    }

    private static List<String> plans(LearntQueries learnt) {
        List<String> lines = new ArrayList<>();
        learnt.statements().forEach((name, statement) -> {
            String plans = statement.plans().words();
            if (!plans.isEmpty()) {
                lines.add("  " + name + ": " + plans);
            }
        });
        if (!lines.isEmpty()) {
            lines.add(0, "");
            lines.add(1, "plans then:");
        }
        return lines;
    }

    private static List<String> tooLong(LearntQueries learnt) {
        long tooLong = learnt.statements().values().stream()
                .mapToLong(statement -> statement.rows().tooLong())
                .sum();
        return tooLong == 0
                ? List.of()
                : List.of(String.format(
                        Locale.ROOT,
                        "%,d executions had values of more than 20,000 characters, which only --replay asks again",
                        tooLong));
    }

    /** {@code think time then: median 98 ms, p90 230 ms, mean 101 ms, of 1,234 waits; 3 longer than 10m are absences}. */
    static String thinking(LearntQueries learnt) {
        Histogram gaps = learnt.sessions().gaps();
        if (gaps.getTotalCount() == 0) {
            return "think time then: not known, since no session had two statements within "
                    + Durations.format(SessionTimes.LONGEST_THINKING);
        }
        return String.format(
                        Locale.ROOT,
                        "think time then: median %s ms, p90 %s ms, mean %s ms, of %,d waits",
                        Amounts.millis((double) gaps.getValueAtPercentile(50)),
                        Amounts.millis((double) gaps.getValueAtPercentile(90)),
                        Amounts.millis((double) Math.round(gaps.getMean())),
                        gaps.getTotalCount())
                + absences(learnt.sessions().absences(), SessionTimes.LONGEST_THINKING);
    }

    private static String absences(long count, Duration longest) {
        return count == 0
                ? ""
                : String.format(Locale.ROOT, "; %,d longer than %s are absences", count, Durations.format(longest));
    }

    static String percent(double ratio) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * ratio);
    }
}
