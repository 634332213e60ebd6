package siemload.compare.experiment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import siemload.compare.experiment.Comparison.ClaimResult;
import siemload.compare.experiment.Comparison.ClaimResult.Outcome;
import siemload.config.YamlRecords.Key;
import siemload.config.YamlRecords.Misfit;

/**
 * What an earlier study found, to be held against what is measured here. Immutable.
 *
 * @param study the name of the study; empty where it has none
 * @param conclusion the number of the study's conclusion, 1 for the first; 0 where it is none of its conclusions
 * @param says one sentence for people
 * @param expects what would confirm it; empty where the study said nothing that can be tested
 */
public record SourceClaim(
        @Key(standard = Key.NOTHING) String study,
        @Key(allowed = "0 to 100", standard = "0") int conclusion,
        String says,
        @Key(standard = "[]") List<Expectation> expects) {

    /** How the labels of variants are allowed. */
    static final String VARIANT = "variant";

    public SourceClaim {
        expects = List.copyOf(expects);
        if (conclusion > 0 && study.isEmpty()) {
            throw new Misfit("conclusion", "is of no study (give study: NAME)");
        }
    }

    /** Whether it is one of the conclusions of a study. */
    public boolean hasNumber() {
        return conclusion > 0;
    }

    /** For people: {@code CESNET's conclusion 2}, or {@code the source}. */
    public String spoken() {
        if (study().isEmpty()) {
            return "the source";
        }
        return hasNumber() ? study() + "'s conclusion " + conclusion : study();
    }

    /**
     * One verdict that the study would have given.
     *
     * @param of the label of the variant that is compared
     * @param is how it compares
     * @param times how many times better or worse at least, how many times worse at most, or how many times as much it is not; 1 where
     *     only what matters counts
     * @param subjects what it is said of; empty for everything
     * @param than the label of the variant that it is compared with; empty for the baseline
     * @param against another ratio that the ratio of both variants is held against; nothing where the ratio is held against 1
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
                throw new Misfit("times", "says nothing of what is the same (leave it out)");
            }
        }

        boolean speaksOf(String subject) {
            return subjects.isEmpty() || subjects.contains(subject);
        }

        /** An expectation that compares one variant with the baseline. */
        public static Expectation of(String variant, Direction is, double times, List<String> subjects) {
            return new Expectation(variant, is, times, subjects, "", Against.ONE);
        }
    }

    /**
     * A ratio beside which another one is looked at: what the same change of variant costs something else, or what another
     * change costs the same. All are empty where there is none; what is empty of one is as in the expectation.
     */
    public record Against(
            @Key(allowed = VARIANT, standard = Key.NOTHING) String of,
            @Key(allowed = VARIANT, standard = Key.NOTHING) String than,
            @Key(standard = Key.NOTHING) String subject) {
        static final Against ONE = new Against("", "", "");

        boolean isRatio() {
            return !equals(ONE);
        }
    }

    /** How a variant compares with the one beside it. */
    public enum Direction {
        BETTER,
        WORSE,
        SAME,
        /** Better, the same, or worse by less than what matters, or than so many times, for certain. */
        NOT_WORSE,
        /** Better or worse; or neither so many times as much nor about that. */
        DIFFERENT
    }

    /**
     * How a conclusion of an earlier study stands after all experiments that test it. Immutable.
     *
     * @param study its name
     * @param number of the conclusion, 1 for the first
     * @param says the conclusion, for people
     * @param parts one for each experiment that tests it, in the order of the suite
     */
    public record Conclusion(String study, int number, String says, List<Part> parts) {

        public Conclusion {
            parts = List.copyOf(parts);
        }

        /**
         * What one experiment says of it.
         *
         * @param result empty where the experiment was not made yet
         */
        public record Part(String experiment, Optional<ClaimResult> result) {

            /** How it stands by this experiment alone. */
            public Outcome outcome() {
                return result.map(ClaimResult::outcome).orElse(Outcome.NOT_DECIDABLE);
            }
        }

        /** Contradicted by one experiment that does so; confirmed if all confirm it; otherwise not decidable. */
        public Outcome outcome() {
            if (parts.stream().anyMatch(part -> part.outcome() == Outcome.CONTRADICTED)) {
                return Outcome.CONTRADICTED;
            }
            return parts.stream().allMatch(part -> part.outcome() == Outcome.CONFIRMED)
                    ? Outcome.CONFIRMED
                    : Outcome.NOT_DECIDABLE;
        }

        private Conclusion and(Conclusion more) {
            return new Conclusion(
                    study,
                    number,
                    says,
                    Stream.concat(parts.stream(), more.parts.stream()).toList());
        }

        /**
         * All numbered conclusions that experiments test, by study and number.
         *
         * @param experiments all of a suite, in its order
         * @param made what those say that were made
         */
        public static List<Conclusion> of(List<Experiment> experiments, List<Comparison> made) {
            Map<String, Map<Integer, Conclusion>> conclusions = new LinkedHashMap<>();
            for (Experiment experiment : experiments) {
                for (SourceClaim source : experiment.sources()) {
                    Optional<ClaimResult> result = made.stream()
                            .filter(one -> one.experiment().name().equals(experiment.name()))
                            .flatMap(one -> one.claims().stream())
                            .filter(claim -> claim.source().study().equals(source.study())
                                    && claim.source().conclusion() == source.conclusion())
                            .findFirst();
                    if (source.hasNumber()) {
                        List<Part> part = List.of(new Part(experiment.name(), result));
                        conclusions
                                .computeIfAbsent(source.study(), unused -> new TreeMap<>())
                                .merge(
                                        source.conclusion(),
                                        new Conclusion(source.study(), source.conclusion(), source.says(), part),
                                        Conclusion::and);
                    }
                }
            }
            return conclusions.values().stream()
                    .flatMap(ofStudy -> ofStudy.values().stream())
                    .toList();
        }
    }
}
