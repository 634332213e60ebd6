package siemload.compare;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoublePredicate;
import java.util.stream.IntStream;
import siemload.compare.statistics.Interval;
import siemload.compare.statistics.ThresholdPosterior;
import siemload.compare.statistics.ThresholdPosterior.Observation;
import siemload.config.Choices;
import siemload.config.Property;
import siemload.run.ExitCode;

/**
 * The runs and the finding of a capacity search, as {@code capacity.json} holds them. Immutable.
 *
 * @param question the question that the search answers
 * @param finding the largest load that was found
 * @param sentence the finding in words
 * @param trials the runs, in their order
 */
public record CapacityResult(Question question, Finding finding, String sentence, List<Trial> trials) {
    /** The file {@code capacity.json} in the directory of a capacity search. */
    public static final ResultFile<CapacityResult> FILE = new ResultFile<>("capacity.json", CapacityResult.class);

    private static final double CONFIDENCE = 0.95;
    private static final double CERTAIN = (1 + CONFIDENCE) / 2;
    /** If this many runs at a load are all invalid, the load cannot be measured here; a single invalid run may be chance. */
    private static final int INVALID_RUNS = 2;

    private static final int TENTHS = 10;
    /** The threshold is assumed to lie at most this factor beyond the smallest and the largest load that were run. */
    private static final double FAR = 8;

    /** The exit code of the command for this result. */
    public ExitCode exitCode() {
        return switch (finding.kind) {
            case FOUND, AT_LEAST -> ExitCode.OK;
            case LESS_THAN -> ExitCode.MISSED;
            case ROUGHLY, NOT_MEASURABLE, NOTHING_MET -> ExitCode.INCONCLUSIVE;
        };
    }

    /** Returns the run with the smallest load of all runs that did not meet the objectives. */
    Optional<Trial> firstMissed() {
        return trials.stream()
                .filter(trial -> trial.outcome == Outcome.NOT_MET)
                .min(Comparator.comparingDouble(Trial::load));
    }

    /**
     * The question for the largest load that meets all objectives. Each run has the load that is expected to reduce the uncertainty most,
     * but at most twice the largest load so far; the search ends when the interval is narrow enough. An interrupted search continues if the
     * same question is asked again. Immutable. Docs: adr/053.
     *
     * @param scenario the scenario of each run
     * @param range the loads among which to search
     * @param objectives the objectives of each run
     * @param settings the properties of all runs, by name
     * @param precisionRatio the search ends when half of the interval's width, as a ratio to the load, is at most this ratio
     * @param mostRuns the number of runs after which the search ends in any case; invalid runs count
     */
    public record Question(
            String scenario,
            VariedLoad.Range range,
            List<String> objectives,
            Map<String, String> settings,
            double precisionRatio,
            int mostRuns) {
        public Question {
            objectives = List.copyOf(objectives);
            settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        }

        /** Returns the next step after these runs, given in the order in which they ended. A pure function. */
        Step after(List<Trial> trials) {
            if (trials.isEmpty()) {
                return new Step(range.start());
            }
            DoublePredicate unmeasurable = load -> {
                List<Trial> here =
                        trials.stream().filter(one -> one.load == load).toList();
                return here.size() >= INVALID_RUNS && here.stream().allMatch(one -> one.outcome == Outcome.INVALID);
            };
            boolean exhausted = trials.size() >= mostRuns;
            Trial last = trials.get(trials.size() - 1);
            if (!exhausted && last.outcome == Outcome.INVALID && !unmeasurable.test(last.load)) {
                return new Step(last.load);
            }
            double lowest = Double.POSITIVE_INFINITY;
            double highest = 0;
            double met = 0;
            boolean missed = false;
            for (Trial trial : trials) {
                lowest = Math.min(lowest, trial.load);
                highest = Math.max(highest, trial.load);
                met = trial.outcome == Outcome.MET ? Math.max(met, trial.load) : met;
                missed |= trial.outcome == Outcome.NOT_MET;
            }
            // The prior is log-uniform over a wider range than that of the loads, so that a threshold outside of the
            // loads' range can become certain.
            ThresholdPosterior belief = new ThresholdPosterior(
                    Math.max(range.least() / 2, lowest / FAR),
                    Math.min(range.most() * 2, highest * FAR),
                    trials.stream()
                            .filter(trial -> trial.outcome != Outcome.INVALID)
                            .map(trial -> new Observation(trial.load, trial.outcome == Outcome.MET))
                            .toList());
            Interval interval = belief.interval(CONFIDENCE);
            if (met > 0 && belief.isAtLeast(range.most()) >= CERTAIN) {
                return new Step(Kind.AT_LEAST, range.most(), range.most(), range.most());
            }
            if (missed && belief.isAtLeast(range.least()) <= 1 - CERTAIN) {
                return new Step(Kind.LESS_THAN, 0, 0, range.least());
            }
            // A threshold between two neighbouring whole numbers cannot be known more exactly.
            boolean precise = interval.high() - interval.low() <= 2 * precisionRatio * interval.estimate()
                    || (range.varied().isWhole() && Math.floor(interval.low()) == Math.floor(interval.high()));
            if (met > 0 && missed && precise) {
                return found(Kind.FOUND, interval);
            }
            double above = met;
            double ceiling = trials.stream()
                    .mapToDouble(Trial::load)
                    .filter(load -> load > above && unmeasurable.test(load))
                    .min()
                    .orElse(Double.POSITIVE_INFINITY);
            // The next load is at most the largest load so far, or twice that load if it met the objectives.
            double most = met == highest ? 2 * highest : highest;
            Optional<Double> next = IntStream.range(1, TENTHS)
                    .mapToObj(tenth -> range.within(Math.min(most, belief.quantile((double) tenth / TENTHS))))
                    .filter(load -> load < ceiling && !unmeasurable.test(load))
                    .distinct()
                    .min(Comparator.comparingDouble(belief::entropyAfter));
            if (!exhausted && next.isPresent()) {
                return new Step(next.get());
            }
            if (met == 0) {
                return new Step(Kind.NOTHING_MET, 0, 0, Math.min(ceiling, reached(interval.high())));
            }
            return missed || exhausted
                    ? found(Kind.ROUGHLY, interval)
                    : new Step(Kind.NOT_MEASURABLE, met, met, ceiling);
        }

        private Step found(Kind kind, Interval interval) {
            return new Step(kind, reached(interval.estimate()), reached(interval.low()), reached(interval.high()));
        }

        /** Returns the load of the range that is at a threshold; users are rounded down. */
        private double reached(double threshold) {
            return range.within(range.varied().isWhole() ? Math.floor(threshold) : threshold);
        }
    }

    /** The load of the next run, or a finding, which ends the search. */
    record Step(double load, Optional<Finding> finding) {
        private Step(double load) {
            this(load, Optional.empty());
        }

        private Step(Kind kind, double estimate, double low, double high) {
            this(0, Optional.of(new Finding(kind, estimate, low, high)));
        }
    }

    /**
     * The result of a search for the largest load. Loads are in the unit of the varied load. Immutable.
     *
     * @param kind how much is known
     * @param estimate the load up to which more than half of the runs meet all objectives; the true load is equally likely larger or
     *     smaller. A lower bound if no more is known; 0 without a lower bound
     * @param low the true load is this large or larger with a probability of 97.5 %
     * @param high the true load is this large or smaller with a probability of 97.5 %
     */
    public record Finding(Kind kind, double estimate, double low, double high) {}

    /** The kind of a finding about the largest load. */
    public enum Kind {
        /** The load is known as precisely as requested. */
        FOUND,
        /** The load is known less precisely than requested, since no more runs were allowed or possible. */
        ROUGHLY,
        /** The largest allowed load meets all objectives. */
        AT_LEAST,
        /** Not even the smallest load meets all objectives. */
        LESS_THAN,
        /** The load is at least {@code low}; runs at larger loads are not valid. */
        NOT_MEASURABLE,
        /** No run met all objectives, but some load might: runs were not valid, or the allowed number of runs was used up. */
        NOTHING_MET;

        /** The name of this kind in results: {@code atLeast}. */
        @JsonValue
        String label() {
            return Choices.camelCase(this);
        }
    }

    /**
     * A run that has ended, and its outcome. Immutable.
     *
     * @param load the load of the run, in the unit of the varied load
     * @param outcome whether the load meets the objectives
     * @param why the missed objectives and the signs of saturation, or why the run does not count; empty if the run met all objectives
     * @param gaveOut the bottlenecks in words, the most important first; empty if none was found
     * @param subject the search that the first objective is about, or {@code all}
     * @param p50Micros the median of the subject's response times, nearest rank; 0 if none was measured
     * @param p95Micros the 95th percentile of the subject's response times; 0 if none was measured
     * @param p99Micros the 99th percentile of the subject's response times; 0 if none was measured
     * @param searchesPerSecond the answered searches of all kinds a second
     * @param eventsPerSecond the events a second that were to be fed, on average; 0 without a feeder
     * @param directory the directory of the run's results, relative to the directory of the capacity search
     */
    public record Trial(
            double load,
            Outcome outcome,
            List<String> why,
            List<String> gaveOut,
            String subject,
            double p50Micros,
            double p95Micros,
            double p99Micros,
            double searchesPerSecond,
            double eventsPerSecond,
            String directory) {

        /** The outcome of a run in words: {@code not met: HAWAT1 responseTime p95 < 2s: 2.31s}. */
        String words() {
            String said = switch (outcome) {
                case MET -> "met";
                case NOT_MET -> "not met";
                case INVALID -> "not valid";
            };
            return said + (why.isEmpty() ? "" : ": " + String.join("; ", why));
        }
    }

    /** The outcome of a run: does its load meet the objectives? */
    public enum Outcome {
        /** The run is valid, its database kept up, and all objectives were met. */
        MET,
        /** An objective was missed, or the database did not keep up. */
        NOT_MET,
        /** The outcome is unknown: the run is not valid, or did not measure what an objective is about. */
        INVALID;

        /** The name of this outcome in results: {@code notMet}. */
        @JsonValue
        String label() {
            return Choices.camelCase(this);
        }
    }

    /** The part of a load that varies until an objective is missed. */
    public enum VariedLoad {
        USERS(Property.USERS, "users", 100_000),
        EVENTS_PER_SECOND(Property.EPS, "events/s", 10_000_000),
        ARRIVALS(Property.ARRIVALS, "arrivals/s", 10_000);

        /** The property that sets this part of the load. */
        @SuppressWarnings("ImmutableEnumChecker") // Properties are immutable.
        final Property<?> property;

        /** The unit of the load in texts for people. */
        final String unit;
        /** The largest allowed value of the property. */
        final double limit;

        VariedLoad(Property<?> property, String unit, double limit) {
            this.property = property;
            this.unit = unit;
            this.limit = limit;
        }

        /** Returns whether the load must be a whole number. */
        boolean isWhole() {
            return this == USERS;
        }

        /** Returns the nearest load that can be run: a whole number, or a rate with three significant digits. */
        double rounded(double load) {
            return isWhole() ? Math.rint(load) : Double.parseDouble(Interval.significant(load, 3));
        }

        /** Returns a load as options take it: {@code 80}, {@code 0.25}; whole numbers keep all of their digits. */
        static String number(double load) {
            return Interval.significant(load, load == Math.rint(load) ? 0 : 3);
        }

        /** Returns a load with its unit: {@code 80 users}. */
        String words(double load) {
            return number(load) + " " + (load == 1 && isWhole() ? "user" : unit);
        }

        /** The name in options and results: {@code eventsPerSecond}. */
        @JsonValue
        String label() {
            return Choices.camelCase(this);
        }

        /** The smallest load to try, above 0, the load of the first run, and the largest load to try. Immutable. */
        public record Range(VariedLoad varied, double least, double start, double most) {
            /** Returns the load of the range that can be run and is nearest to this load. */
            double within(double load) {
                return Math.min(most, Math.max(least, varied.rounded(load)));
            }
        }
    }
}
