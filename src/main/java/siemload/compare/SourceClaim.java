package siemload.compare;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import siemload.compare.Comparer.Verdicts;
import siemload.compare.Comparer.Verdicts.Ratio;
import siemload.compare.Comparison.PairVerdict;
import siemload.compare.Comparison.Series;
import siemload.compare.SourceClaim.ClaimResult.Outcome;
import siemload.compare.statistics.Decision;
import siemload.compare.statistics.Decision.Verdict;
import siemload.compare.statistics.Interval;
import siemload.compare.statistics.PairedRatios;
import siemload.config.YamlRecords.Key;
import siemload.config.YamlRecords.Misfit;
import siemload.results.report.Table;

/**
 * A conclusion of an earlier study, which is compared with measurements. Immutable.
 *
 * @param study the name of the study; empty if the study has no name
 * @param conclusion the number of the study's conclusion, 1 for the first; 0 for other statements
 * @param says the conclusion in one sentence
 * @param expects the verdicts that would confirm the conclusion; empty if the conclusion cannot be tested
 */
public record SourceClaim(
        @Key(standard = Key.NOTHING) String study,
        @Key(allowed = "0 to 100", standard = "0") int conclusion,
        String says,
        @Key(standard = "[]") List<Expectation> expects) {

    /** Stands for the labels of the experiment's variants in {@link Key#allowed}. */
    static final String VARIANT = "variant";

    private static final int TOLD = 2;

    public SourceClaim {
        expects = List.copyOf(expects);
        if (conclusion > 0 && study.isEmpty()) {
            throw new Misfit("conclusion", "has no study (give study: NAME)");
        }
    }

    /** Returns the source in words: {@code CESNET's conclusion 2}, or {@code the source}. */
    String spoken() {
        return study.isEmpty() ? "the source" : conclusion > 0 ? study + "'s conclusion " + conclusion : study;
    }

    /**
     * Judges the conclusion: contradicted if one verdict says the opposite; confirmed if all verdicts agree; otherwise not decidable.
     *
     * @param withheld whether no verdicts are given
     */
    ClaimResult judge(Verdicts decider, boolean withheld) {
        List<Outcome> outcomes = new ArrayList<>();
        Map<Outcome, List<String>> told = new EnumMap<>(Outcome.class);
        List<String> missing = new ArrayList<>();
        for (Expectation expected : withheld ? List.<Expectation>of() : expects) {
            String baseline = otherwise(expected.than, decider.experiment().baseline());
            List<PairVerdict> concerned = expected.concerned(decider, baseline);
            for (PairVerdict verdict : concerned) {
                Outcome outcome = expected.outcome(verdict.decision());
                Interval ratio = verdict.decision().ratio();
                outcomes.add(outcome);
                told.computeIfAbsent(outcome, unused -> new ArrayList<>())
                        .add(verdict.subject() + ", " + verdict.candidate() + " to " + verdict.baseline() + ": "
                                + Interval.ratio(ratio.estimate()) + " (" + ratio.bounds() + ")");
            }
            if (concerned.isEmpty()) {
                outcomes.add(Outcome.NOT_DECIDABLE);
                missing.add(expected.of + " to " + baseline
                        + (expected.subjects.isEmpty() ? "" : " of " + String.join(", ", expected.subjects)));
            }
        }
        Outcome outcome = Outcome.ofAll(outcomes);
        List<String> telling = told.getOrDefault(outcome, List.of());
        if (telling.isEmpty()) {
            String why = withheld ? "the verdicts are withheld" : "not measured: " + String.join("; ", missing);
            String untested = "the study gave no direction that could be tested";
            return new ClaimResult(this, outcome, expects.isEmpty() ? untested : why);
        }
        return new ClaimResult(
                this,
                outcome,
                told.getOrDefault(Outcome.CONFIRMED, List.of()).size() + " of " + (outcomes.size() - missing.size())
                        + " as expected; " + String.join("; ", telling.subList(0, Math.min(TOLD, telling.size())))
                        + (telling.size() > TOLD ? "; ..." : ""));
    }

    private static String otherwise(String text, String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }

    /**
     * One verdict that the study would have given.
     *
     * @param of the label of the variant that is compared
     * @param is the expected direction of the difference
     * @param times a factor for the direction: at least this many times better or worse, not this many times worse, or not about this many
     *     times as much; 1 if only the change that matters counts
     * @param subjects the subjects that the expectation is about; empty for all subjects
     * @param than the label of the variant to compare with; empty for the baseline
     * @param against another ratio to compare the expected ratio with; empty to compare it with 1
     */
    public record Expectation(
            @Key(allowed = VARIANT) String of,
            Direction is,

            @Key(allowed = "1 to " + Double.MAX_VALUE, standard = "1")
            double times,

            @Key(standard = "[]") List<String> subjects,
            @Key(allowed = VARIANT, standard = Key.NOTHING) String than,
            @Key(standard = "{}") Against against) {
        public Expectation {
            subjects = List.copyOf(subjects);
            if (times != 1 && is == Direction.SAME) {
                throw new Misfit("times", "has no meaning together with 'is: same' (remove it)");
            }
        }

        /** Returns the verdicts that the expectation is about. */
        private List<PairVerdict> concerned(Verdicts decider, String baseline) {
            Predicate<String> speaksOf = subject -> subjects.isEmpty() || subjects.contains(subject);
            if (against.equals(Against.ONE)) {
                return decider.between(baseline, of, decider.questions()).stream()
                        .filter(verdict -> speaksOf.test(verdict.subject()))
                        .toList();
            }
            Map<Ratio, Ratio> pairs = new LinkedHashMap<>();
            decider.figures().stream()
                    .filter(series -> series.isOf(decider.experiment().metric()))
                    .map(Series::subject)
                    .filter(subject -> speaksOf.test(subject) && !subject.equals(against.subject))
                    .forEach(subject -> pairs.put(
                            new Ratio(subject, of, baseline),
                            new Ratio(
                                    otherwise(against.subject, subject),
                                    otherwise(against.of, of),
                                    otherwise(against.than, baseline))));
            return decider.ofRatios(pairs);
        }

        /** Confirms or contradicts the expectation only if the whole interval does; an interval around {@code times} decides nothing. */
        private Outcome outcome(Decision decision) {
            Verdict verdict = decision.verdict();
            Interval ratio = decision.ratio();
            double matters = 1 + decision.practicalDelta();
            Interval worse = decision.quantity().moreIsBetter() ? ratio.reciprocal() : ratio;
            boolean unclear = verdict == Verdict.UNCLEAR;
            boolean tooFew = decision.pairs() < PairedRatios.LEAST_PAIRS;
            return switch (is) {
                case BETTER, WORSE -> {
                    boolean wanted = verdict == (is == Direction.BETTER ? Verdict.BETTER : Verdict.WORSE);
                    Interval factor = ratio.estimate() >= 1 ? ratio : ratio.reciprocal();
                    yield Outcome.of(
                            wanted && (times == 1 || factor.low() >= times),
                            !unclear && (!wanted || factor.high() < times));
                }
                case SAME -> Outcome.of(verdict == Verdict.SAME, verdict.isDifference());
                case NOT_WORSE ->
                    Outcome.of(
                            !tooFew && worse.high() < Math.max(times, matters),
                            verdict == Verdict.WORSE && worse.low() > times);
                case DIFFERENT ->
                    times == 1
                            ? Outcome.of(verdict.isDifference(), verdict == Verdict.SAME)
                            : Outcome.of(
                                    !tooFew && (ratio.high() < times / matters || ratio.low() > times * matters),
                                    !tooFew && ratio.within(times / matters, times * matters));
            };
        }
    }

    /**
     * A ratio to compare another ratio with: of another subject, or of another pair of variants. All parts are empty if there is no other
     * ratio; a single empty part is taken from the expectation.
     */
    public record Against(
            @Key(allowed = VARIANT, standard = Key.NOTHING) String of,
            @Key(allowed = VARIANT, standard = Key.NOTHING) String than,
            @Key(standard = Key.NOTHING) String subject) {
        static final Against ONE = new Against("", "", "");
    }

    /** The expected result of comparing a variant with another variant. */
    public enum Direction {
        BETTER,
        WORSE,
        SAME,
        /** Certainly not worse by the change that matters, or not {@code times} worse if this factor is larger. */
        NOT_WORSE,
        /** Either better or worse; with {@code times}, certainly not about this many times as much. */
        DIFFERENT
    }

    /**
     * The result of testing a conclusion of an earlier study.
     *
     * @param explanation the figures or the reason behind the outcome, in words
     */
    public record ClaimResult(SourceClaim source, Outcome outcome, String explanation) {
        /** The outcome for a conclusion. */
        public enum Outcome {
            CONFIRMED,
            CONTRADICTED,
            NOT_DECIDABLE;

            private static Outcome of(boolean confirmed, boolean contradicted) {
                return confirmed ? CONFIRMED : contradicted ? CONTRADICTED : NOT_DECIDABLE;
            }

            /** Returns the outcome in words: {@code not decidable}. */
            String words() {
                return name().toLowerCase(Locale.ROOT).replace('_', ' ');
            }

            /** Returns the outcome as a coloured cell of a table. */
            Table.Cell cell() {
                return new Table.Cell(words(), "", this == CONFIRMED ? "good" : this == CONTRADICTED ? "bad" : "");
            }

            /** Returns CONTRADICTED if one is contradicted, CONFIRMED if there are outcomes and all are confirmed, else NOT_DECIDABLE. */
            static Outcome ofAll(List<Outcome> some) {
                return of(!some.isEmpty() && some.stream().allMatch(CONFIRMED::equals), some.contains(CONTRADICTED));
            }
        }
    }
}
