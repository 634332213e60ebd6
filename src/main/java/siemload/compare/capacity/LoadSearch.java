package siemload.compare.capacity;

import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import siemload.compare.capacity.Finding.Kind;
import siemload.compare.statistics.Interval;
import siemload.compare.statistics.ThresholdPosterior;
import siemload.compare.statistics.ThresholdPosterior.Observation;

/**
 * Looks for the largest load that meets all objectives: doubles or halves until one load did and another did not, then runs what
 * tells most of where it may lie, again and again, until that is narrow enough. A pure function of the answers so far, so that a
 * search that was interrupted goes on as if it had not been. Immutable and thread-safe. Docs: adr/053.
 *
 * @param range the loads
 * @param precisionRatio half of the width of the interval as a ratio to the load: the search ends when it is no wider
 * @param mostRuns after which it ends, whatever is known; those that are not valid count
 */
record LoadSearch(LoadRange range, double precisionRatio, int mostRuns) {
    private static final double CONFIDENCE = 0.95;
    private static final double CERTAIN = (1 + CONFIDENCE) / 2;
    /** One may be chance; so many, and no valid one, make a load one that cannot be measured here. */
    private static final int INVALID_RUNS = 2;

    private static final int TENTHS = 10;
    /** Beyond this many times the loads that were run nothing needs to be told apart. */
    private static final double FAR = 8;

    /** What a run at a load said. */
    record Answer(double load, TrialOutcome outcome) {}

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
        Step step = unlimited(answers);
        return step instanceof Step.Run && answers.size() >= mostRuns ? new Step.End(soFar(answers)) : step;
    }

    private Step unlimited(List<Answer> answers) {
        Answer last = answers.get(answers.size() - 1);
        if (last.outcome() == TrialOutcome.INVALID && !cannotBeMeasured(last.load(), answers)) {
            return new Step.Run(last.load());
        }
        double met = loads(answers, TrialOutcome.MET).max().orElse(0);
        double missed = loads(answers, TrialOutcome.NOT_MET).min().orElse(Double.POSITIVE_INFINITY);
        double ceiling = loads(answers, TrialOutcome.INVALID)
                .filter(load -> cannotBeMeasured(load, answers))
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        if (met == 0) {
            return down(answers, missed, ceiling);
        }
        return missed == Double.POSITIVE_INFINITY ? up(answers, met, ceiling) : between(answers);
    }

    /** No load has met the objectives yet. */
    private Step down(List<Answer> answers, double missed, double ceiling) {
        double lowest = Math.min(missed, ceiling);
        if (lowest > range.least()) {
            return new Step.Run(range.within(lowest / 2));
        }
        if (ceiling <= range.least()) {
            return new Step.End(new Finding(Kind.NOTHING_MET, 0, 0, Math.min(missed, range.most())));
        }
        return belief(answers).isAtLeast(range.least()) <= 1 - CERTAIN
                ? new Step.End(lessThanLeast())
                : new Step.Run(range.least());
    }

    /** All valid runs have met the objectives so far. */
    private Step up(List<Answer> answers, double met, double ceiling) {
        if (met >= range.most()) {
            return belief(answers).isAtLeast(range.most()) >= CERTAIN
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

    private Step between(List<Answer> answers) {
        ThresholdPosterior belief = belief(answers);
        if (belief.isAtLeast(range.most()) >= CERTAIN) {
            return new Step.End(atLeastMost());
        }
        if (belief.isAtLeast(range.least()) <= 1 - CERTAIN) {
            return new Step.End(lessThanLeast());
        }
        if (isPrecise(belief.interval(CONFIDENCE))) {
            return new Step.End(finding(Kind.FOUND, belief));
        }
        double highest = mostToRun(answers);
        return IntStream.range(1, TENTHS)
                .mapToObj(tenth -> range.within(Math.min(highest, belief.quantile((double) tenth / TENTHS))))
                .distinct()
                .filter(load -> !cannotBeMeasured(load, answers))
                .min(Comparator.comparingDouble(belief::entropyAfter))
                .<Step>map(Step.Run::new)
                .orElseGet(() -> new Step.End(finding(Kind.ROUGHLY, belief)));
    }

    /** No database is given more than it was given already, or twice what it bore. */
    private static double mostToRun(List<Answer> answers) {
        double highest = answers.stream().mapToDouble(Answer::load).max().orElseThrow();
        boolean met = loads(answers, TrialOutcome.MET).anyMatch(load -> load == highest);
        return met ? 2 * highest : highest;
    }

    /** A threshold between two whole numbers is known as exactly as can be. */
    private boolean isPrecise(Interval interval) {
        boolean oneNumber = Math.floor(interval.low()) == Math.floor(interval.high());
        return (range.varied().isWhole() && oneNumber)
                || interval.high() - interval.low() <= 2 * precisionRatio * interval.estimate();
    }

    private Finding soFar(List<Answer> answers) {
        boolean any = loads(answers, TrialOutcome.MET).findAny().isPresent();
        Finding rough = finding(Kind.ROUGHLY, belief(answers));
        return any ? rough : new Finding(Kind.NOTHING_MET, 0, 0, rough.high());
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
    private ThresholdPosterior belief(List<Answer> answers) {
        double lowest = answers.stream().mapToDouble(Answer::load).min().orElse(range.start());
        double highest = answers.stream().mapToDouble(Answer::load).max().orElse(range.start());
        return ThresholdPosterior.of(
                Math.max(range.least() / 2, lowest / FAR),
                Math.min(range.most() * 2, highest * FAR),
                answers.stream()
                        .filter(answer -> answer.outcome() != TrialOutcome.INVALID)
                        .map(answer -> new Observation(answer.load(), answer.outcome() == TrialOutcome.MET))
                        .toList());
    }

    private static boolean cannotBeMeasured(double load, List<Answer> answers) {
        List<Answer> here =
                answers.stream().filter(answer -> answer.load() == load).toList();
        return here.size() >= INVALID_RUNS
                && here.stream().allMatch(answer -> answer.outcome() == TrialOutcome.INVALID);
    }

    private static DoubleStream loads(List<Answer> answers, TrialOutcome outcome) {
        return answers.stream().filter(answer -> answer.outcome() == outcome).mapToDouble(Answer::load);
    }
}
