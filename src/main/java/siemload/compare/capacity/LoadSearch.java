package siemload.compare.capacity;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import siemload.compare.capacity.CapacityResult.Outcome;
import siemload.compare.statistics.Interval;
import siemload.compare.statistics.ThresholdPosterior;
import siemload.compare.statistics.ThresholdPosterior.Observation;
import siemload.config.Choices;

/**
 * Looks for the largest load that meets all objectives: doubles or halves until one load did and another did not, then runs what
 * tells most of where it may lie, again and again, until that is narrow enough. A pure function of the answers so far, so that a
 * search that was interrupted goes on as if it had not been. Immutable and thread-safe. Docs: adr/053.
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

    /** All that was said so far. */
    private record Said(List<Answer> answers) {

        /** The largest load that met the objectives; 0 if none did. */
        double largestMet() {
            return loads(Outcome.MET).max().orElse(0);
        }

        /** The smallest load that did not; infinite if all did. */
        double smallestMissed() {
            return loads(Outcome.NOT_MET).min().orElse(Double.POSITIVE_INFINITY);
        }

        /** The smallest load of which nothing can be known; infinite if there is none. */
        double ceiling() {
            return loads().filter(this::cannotBeMeasured).min().orElse(Double.POSITIVE_INFINITY);
        }

        boolean cannotBeMeasured(double load) {
            List<Answer> here =
                    answers.stream().filter(answer -> answer.load() == load).toList();
            return here.size() >= INVALID_RUNS && here.stream().allMatch(answer -> answer.outcome() == Outcome.INVALID);
        }

        /** No database is given more than it was given already, or twice what it bore there. */
        double mostToRun() {
            double highest = loads().max().orElseThrow();
            return largestMet() == highest ? 2 * highest : highest;
        }

        DoubleStream loads() {
            return answers.stream().mapToDouble(Answer::load);
        }

        private DoubleStream loads(Outcome outcome) {
            return answers.stream()
                    .filter(answer -> answer.outcome() == outcome)
                    .mapToDouble(Answer::load);
        }
    }

    /** What to do next. */
    sealed interface Step {
        /** Run this load. */
        record Run(double load) implements Step {}

        /** Nothing more. */
        record End(Finding finding) implements Step {}
    }

    /** What follows from the answers so far, in the order in which they were given. */
    Step after(List<Answer> answers) {
        if (answers.isEmpty()) {
            return new Step.Run(range.start());
        }
        Said said = new Said(answers);
        Step step = unlimited(said);
        return step instanceof Step.Run && answers.size() >= mostRuns ? new Step.End(soFar(said)) : step;
    }

    private Step unlimited(Said said) {
        Answer last = said.answers().get(said.answers().size() - 1);
        if (last.outcome() == Outcome.INVALID && !said.cannotBeMeasured(last.load())) {
            return new Step.Run(last.load());
        }
        if (said.largestMet() == 0) {
            return down(said);
        }
        return said.smallestMissed() == Double.POSITIVE_INFINITY ? up(said) : between(said);
    }

    /** No load has met the objectives yet. */
    private Step down(Said said) {
        double missed = said.smallestMissed();
        double lowest = Math.min(missed, said.ceiling());
        if (lowest > range.least()) {
            return new Step.Run(range.within(lowest / 2));
        }
        if (said.ceiling() <= range.least()) {
            return new Step.End(new Finding(Kind.NOTHING_MET, 0, 0, Math.min(missed, range.most())));
        }
        return belief(said).isAtLeast(range.least()) <= 1 - CERTAIN
                ? new Step.End(lessThanLeast())
                : new Step.Run(range.least());
    }

    /** All valid runs have met the objectives so far. */
    private Step up(Said said) {
        double met = said.largestMet();
        double ceiling = said.ceiling();
        if (met >= range.most()) {
            return belief(said).isAtLeast(range.most()) >= CERTAIN
                    ? new Step.End(atLeastMost())
                    : new Step.Run(range.most());
        }
        double twice = range.within(2 * met);
        if (twice < ceiling) {
            return new Step.Run(twice);
        }
        double middle = range.within(Math.sqrt(met * ceiling));
        return ceiling <= met * (1 + 2 * precisionRatio) || middle <= met || middle >= ceiling
                ? new Step.End(new Finding(Kind.NOT_MEASURABLE, met, met, ceiling))
                : new Step.Run(middle);
    }

    private Step between(Said said) {
        ThresholdPosterior belief = belief(said);
        if (belief.isAtLeast(range.most()) >= CERTAIN) {
            return new Step.End(atLeastMost());
        }
        if (belief.isAtLeast(range.least()) <= 1 - CERTAIN) {
            return new Step.End(lessThanLeast());
        }
        double highest = said.mostToRun();
        Interval interval = belief.interval(CONFIDENCE);
        if (isPrecise(interval)) {
            return new Step.End(finding(Kind.FOUND, belief));
        }
        return IntStream.range(1, TENTHS)
                .mapToObj(tenth -> range.within(Math.min(highest, belief.quantile((double) tenth / TENTHS))))
                .distinct()
                .filter(load -> !said.cannotBeMeasured(load))
                .min(Comparator.comparingDouble(belief::entropyAfter))
                .<Step>map(Step.Run::new)
                .orElseGet(() -> new Step.End(finding(Kind.ROUGHLY, belief)));
    }

    /** A threshold between two whole numbers is known as exactly as can be. */
    private boolean isPrecise(Interval interval) {
        boolean oneNumber = Math.floor(interval.low()) == Math.floor(interval.high());
        return (range.varied().isWhole() && oneNumber)
                || interval.high() - interval.low() <= 2 * precisionRatio * interval.estimate();
    }

    private Finding soFar(Said said) {
        Finding rough = finding(Kind.ROUGHLY, belief(said));
        return said.largestMet() > 0 ? rough : new Finding(Kind.NOTHING_MET, 0, 0, rough.high());
    }

    private Finding finding(Kind kind, ThresholdPosterior belief) {
        Interval interval = belief.interval(CONFIDENCE);
        return new Finding(kind, reached(interval.estimate()), reached(interval.low()), reached(interval.high()));
    }

    /** The largest load of the range up to a threshold. */
    private double reached(double threshold) {
        return range.within(range.varied().isWhole() ? Math.floor(threshold) : threshold);
    }

    private Finding atLeastMost() {
        return new Finding(Kind.AT_LEAST, range.most(), range.most(), range.most());
    }

    private Finding lessThanLeast() {
        return new Finding(Kind.LESS_THAN, 0, 0, range.least());
    }

    /** Nothing is known beforehand of a range that reaches beyond what is run, so that its ends can be passed for certain. */
    private ThresholdPosterior belief(Said said) {
        DoubleSummaryStatistics loads = said.loads().summaryStatistics();
        return ThresholdPosterior.of(
                Math.max(range.least() / 2, loads.getMin() / FAR),
                Math.min(range.most() * 2, loads.getMax() * FAR),
                said.answers().stream()
                        .filter(answer -> answer.outcome() != Outcome.INVALID)
                        .map(answer -> new Observation(answer.load(), answer.outcome() == Outcome.MET))
                        .toList());
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
