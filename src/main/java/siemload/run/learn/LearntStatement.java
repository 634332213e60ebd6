package siemload.run.learn;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import siemload.database.querylog.LoggedStatement;
import siemload.dataset.SeededRandom;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.results.MicrosSummary;

/** A statement of the log with all that is known of its executions then. Not thread-safe. */
final class LearntStatement {
    private static final int SIGNIFICANT_DIGITS = 3;

    private final StatementText text;
    private final Histogram times = new Histogram(SIGNIFICANT_DIGITS);
    private final List<ParameterValues> parameters = new ArrayList<>();
    private final SampledRows rows;
    private final LearntPlans plans;
    private long preparingMicros;
    private long micros;
    private boolean writes;

    /** @param plans those that the log has of it */
    LearntStatement(StatementText text, SeededRandom random, LearntPlans plans) {
        this.text = text;
        this.plans = plans;
        this.rows = new SampledRows(random);
        text.parameters().forEach(parameter -> parameters.add(new ParameterValues()));
    }

    void add(LoggedStatement execution) {
        writes = execution.effect() == Statement.Effect.WRITES;
        times.recordValue(execution.durationMicros());
        micros += execution.durationMicros();
        preparingMicros += execution.preparingMicros();
        if (!parameters.isEmpty()) {
            rows.add(execution.values());
            for (int i = 0; i < parameters.size(); i++) {
                parameters.get(i).add(execution.values().get(i));
            }
        }
    }

    StatementText text() {
        return text;
    }

    /** Whether it may change data, as far as its text shows that. */
    boolean writes() {
        return writes;
    }

    long count() {
        return times.getTotalCount();
    }

    /** How long it took then, preparation included. */
    MicrosSummary times() {
        return MicrosSummary.of(times);
    }

    /** The share of its time in which it was parsed, bound and planned; 0 to 1. */
    double preparingRatio() {
        return micros == 0 ? 0 : (double) preparingMicros / micros;
    }

    /** In the order of the text's parameters. */
    List<ParameterValues> parameters() {
        return List.copyOf(parameters);
    }

    SampledRows rows() {
        return rows;
    }

    /** How the server went about it then. */
    LearntPlans plans() {
        return plans;
    }

    /** Whether a scenario can ask it: there are values for its parameters. */
    boolean isAskable() {
        return parameters.isEmpty() || !rows.rows().isEmpty();
    }
}
