package siemload.database.postgresql.querylog;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import siemload.database.CountedSpread;
import siemload.database.CountedStatement;
import siemload.database.StatementCounts;
import siemload.database.StatementCountsReader;
import siemload.query.Statement;

/**
 * Reads copies of the view pg_stat_statements (documentation, F.32), of its versions 1.8 to 1.12. Texts are those that the module keeps:
 * a parameter stands for each literal, and no value is known. Stateless and thread-safe.
 */
public final class StatementSnapshots implements StatementCountsReader {
    /** What the module writes for the text of a role that may not be seen. */
    private static final String UNSEEN = "<insufficient privilege>";
    /** What it writes behind the first value of a list, since 1.12. */
    private static final String MORE_OF_A_LIST = "/*, ... */";

    static final double MICROS_OF_A_MILLISECOND = 1_000;

    private final Statement.Effect most;

    /** @param most what statements may do to be taken */
    public StatementSnapshots(Statement.Effect most) {
        this.most = most;
    }

    @Override
    public boolean isSnapshot(Path file) throws IOException {
        return SnapshotFile.isOne(file);
    }

    @Override
    public StatementCounts upTo(Path snapshot) throws IOException {
        return counts(SnapshotFile.read(snapshot).values(), List.of());
    }

    @Override
    public StatementCounts between(Path earlier, Path later) throws IOException {
        Map<String, SnapshotEntry> before = SnapshotFile.read(earlier);
        Map<String, SnapshotEntry> after = SnapshotFile.read(later);
        List<SnapshotEntry> entries = new ArrayList<>();
        long reset = 0;
        long back = 0;
        long forth = 0;
        for (SnapshotEntry now : after.values()) {
            SnapshotEntry then = before.get(now.key());
            boolean isReset = then != null && now.isResetSince(then);
            reset += isReset ? 1 : 0;
            forth += then == null || now.isLaterThan(then) ? 1 : 0;
            back += then != null && then.isLaterThan(now) ? 1 : 0;
            entries.add(then == null || isReset ? now : now.with(now.counts().minus(then.counts())));
        }
        if (back > 0 && forth == 0) {
            throw new IOException(
                    later + ": no count is above, and some are below those of " + earlier
                            + " (give the earlier snapshot first; if everything was reset in between, give the later one alone)");
        }
        long gone =
                before.keySet().stream().filter(key -> !after.containsKey(key)).count();
        return counts(entries, notes(reset, gone));
    }

    private static List<String> notes(long reset, long gone) {
        List<String> notes = new ArrayList<>();
        if (reset > 0) {
            notes.add(String.format(
                    Locale.ROOT,
                    "%,d statements were reset between the snapshots: what was counted since then is taken, and what was counted"
                            + " before is lost",
                    reset));
        }
        if (gone > 0) {
            notes.add(String.format(
                    Locale.ROOT,
                    "%,d statements of the first snapshot are not in the second one (pg_stat_statements.max, or a reset): how"
                            + " often they were asked in between is not known",
                    gone));
        }
        return notes;
    }

    private StatementCounts counts(Collection<SnapshotEntry> entries, List<String> notes) {
        StatementForms forms = new StatementForms(most == Statement.Effect.WRITES);
        List<CountedStatement> statements = new ArrayList<>();
        List<StatementCounts.LeftOut> leftOut = new ArrayList<>();
        for (SnapshotEntry entry : entries) {
            if (entry.counts().calls() == 0) {
                continue;
            }
            StatementForms.Form form = form(forms, entry);
            if (form instanceof StatementForms.Form.Asked asked) {
                statements.add(statement(entry, asked));
            } else if (form instanceof StatementForms.Form.LeftOut out) {
                leftOut.add(new StatementCounts.LeftOut(
                        entry.database(),
                        out.reason(),
                        entry.query(),
                        entry.counts().calls()));
            }
        }
        return new StatementCounts(statements, leftOut, notes);
    }

    private static StatementForms.Form form(StatementForms forms, SnapshotEntry entry) {
        if (!entry.topLevel()) {
            return new StatementForms.Form.LeftOut("is a part of a function or a procedure that is counted itself");
        }
        if (entry.query().equals(UNSEEN)) {
            return new StatementForms.Form.LeftOut("is of a role whose texts were not shown (pg_read_all_stats)");
        }
        return entry.query().isBlank()
                ? new StatementForms.Form.LeftOut("has no text")
                : forms.withoutValues(entry.query());
    }

    private static CountedStatement statement(SnapshotEntry entry, StatementForms.Form.Asked asked) {
        SnapshotEntry.Counts counts = entry.counts();
        return new CountedStatement(
                entry.database(),
                asked.text(),
                asked.effect(),
                entry.query().contains(MORE_OF_A_LIST)
                        ? CountedStatement.Form.SHORTENED_LISTS
                        : CountedStatement.Form.WHOLE,
                counts.calls(),
                (counts.planMillis() + counts.executionMillis()) * MICROS_OF_A_MILLISECOND,
                counts.planMillis() * MICROS_OF_A_MILLISECOND,
                counts.rows(),
                counts.planMillis() > 0 ? CountedSpread.UNKNOWN : counts.spread());
    }
}
