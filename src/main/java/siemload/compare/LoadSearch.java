package siemload.compare;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.DoublePredicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import siemload.compare.CapacityResult.Outcome;
import siemload.compare.statistics.Interval;
import siemload.compare.statistics.ThresholdPosterior;
import siemload.compare.statistics.ThresholdPosterior.Observation;
import siemload.config.Choices;

/**
 * Looks for the largest load that meets all objectives: runs what tells most of where it may lie, again and again, until that is narrow
 * enough, and never more than twice what met them. A pure function of the answers so far, so that a search that was interrupted goes on as
 * if it had not been. Immutable and thread-safe. Docs: adr/053.
 *
 * @param range the loads
 * @param precisionRatio half of the width of the interval as a ratio to the load: the search ends when it is no wider
 * @param mostRuns after which it ends, whatever is known; those that are not valid count
 */
public record LoadSearch(VariedLoad.Range range, double precisionRatio, int mostRuns) {
    private static final double CONFIDENCE = 0.95;
    private static final double CERTAIN = (1 + CONFIDENCE) / 2;
    /** One may be chance; so many, and no valid one, make a load one that cannot be measured here. */
    private static final int INVALID_RUNS = 2;

    private static final int TENTHS = 10;
    /** Beyond this many times the loads that were run nothing needs to be told apart. */
    private static final double FAR = 8;

    /** What a run at a load said. */
    record Answer(double load, Outcome outcome) {}

    /**
     * What follows from the answers so far.
     *
     * @param load to run next, unless there is a finding
     * @param finding where nothing more is to be run
     */
    record Step(double load, Optional<Finding> finding) {
        private static Step run(double load) {
            return new Step(load, Optional.empty());
        }

        private static Step end(Kind kind, double estimate, double low, double high) {
            return new Step(0, Optional.of(new Finding(kind, estimate, low, high)));
        }
    }

    /** What to do after these answers, in the order in which they were given. */
    Step after(List<Answer> answers) {
        if (answers.isEmpty()) {
            return Step.run(range.start());
        }
        DoublePredicate unmeasurable = load -> {
            List<Answer> here =
                    answers.stream().filter(one -> one.load() == load).toList();
            return here.size() >= INVALID_RUNS && here.stream().allMatch(one -> one.outcome() == Outcome.INVALID);
        };
        boolean exhausted = answers.size() >= mostRuns;
        Answer last = answers.get(answers.size() - 1);
        if (!exhausted && last.outcome() == Outcome.INVALID && !unmeasurable.test(last.load())) {
            return Step.run(last.load());
        }
        double highest = loads(answers).max().orElseThrow();
        double met = loads(answers.stream()
                        .filter(answer -> answer.outcome() == Outcome.MET)
                        .toList())
                .max()
                .orElse(0);
        boolean missed = answers.stream().anyMatch(answer -> answer.outcome() == Outcome.NOT_MET);
        // Nothing is known beforehand of a range that reaches beyond what is run, so that its ends can be passed for
        // certain.
        ThresholdPosterior belief = new ThresholdPosterior(
                Math.max(range.least() / 2, loads(answers).min().orElseThrow() / FAR),
                Math.min(range.most() * 2, highest * FAR),
                answers.stream()
                        .filter(answer -> answer.outcome() != Outcome.INVALID)
                        .map(answer -> new Observation(answer.load(), answer.outcome() == Outcome.MET))
                        .toList());
        Interval interval = belief.interval(CONFIDENCE);
        if (met > 0 && belief.isAtLeast(range.most()) >= CERTAIN) {
            return Step.end(Kind.AT_LEAST, range.most(), range.most(), range.most());
        }
        if (missed && belief.isAtLeast(range.least()) <= 1 - CERTAIN) {
            return Step.end(Kind.LESS_THAN, 0, 0, range.least());
        }
        // A threshold between two whole numbers is known as exactly as can be.
        boolean precise = interval.high() - interval.low() <= 2 * precisionRatio * interval.estimate()
                || (range.varied().isWhole() && Math.floor(interval.low()) == Math.floor(interval.high()));
        if (met > 0 && missed && precise) {
            return found(Kind.FOUND, interval);
        }
        // No database is given more than it was given already, or twice what it bore there.
        double most = met == highest ? 2 * highest : highest;
        double ceiling = loads(answers)
                .filter(load -> load > met && unmeasurable.test(load))
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        Optional<Double> next = IntStream.range(1, TENTHS)
                .mapToObj(tenth -> range.within(Math.min(most, belief.quantile((double) tenth / TENTHS))))
                .filter(load -> load < ceiling && !unmeasurable.test(load))
                .distinct()
                .min(Comparator.comparingDouble(belief::entropyAfter));
        if (!exhausted && next.isPresent()) {
            return Step.run(next.get());
        }
        if (met == 0) {
            return Step.end(Kind.NOTHING_MET, 0, 0, Math.min(ceiling, reached(interval.high())));
        }
        return missed || exhausted ? found(Kind.ROUGHLY, interval) : Step.end(Kind.NOT_MEASURABLE, met, met, ceiling);
    }

    private static DoubleStream loads(List<Answer> answers) {
        return answers.stream().mapToDouble(Answer::load);
    }

    private Step found(Kind kind, Interval interval) {
        return Step.end(kind, reached(interval.estimate()), reached(interval.low()), reached(interval.high()));
    }

    /** The largest load of the range up to a threshold. */
    private double reached(double threshold) {
        return range.within(range.varied().isWhole() ? Math.floor(threshold) : threshold);
    }

    /**
     * What a search for the largest load came to. Loads are in the unit of what varies. Immutable.
     *
     * @param kind what is known
     * @param estimate the load up to which more than half of the runs meet all objectives, which is as likely larger as smaller; the
     *     bound where only a bound is known; 0 where nothing is
     * @param low the load is as large as this, or larger, with a probability of 97.5 %
     * @param high the load is as large as this, or smaller, with a probability of 97.5 %
     */
    public record Finding(Kind kind, double estimate, double low, double high) {}

    /** How much is known of the largest load. */
    public enum Kind {
        /** As exactly as was asked for. */
        FOUND,
        /** Less exactly: there were no more runs. */
        ROUGHLY,
        /** The largest load that was allowed meets all objectives. */
        AT_LEAST,
        /** Not even the smallest load meets all objectives. */
        LESS_THAN,
        /** At least as large as {@code low}; runs at larger loads are not valid. */
        NOT_MEASURABLE,
        /** No run met all objectives, and it is not certain that none could: runs were not valid, or there were no more. */
        NOTHING_MET;

        /** The name in results: {@code atLeast}. */
        @JsonValue
        public String label() {
            return Choices.camelCase(this);
        }
    }
}
