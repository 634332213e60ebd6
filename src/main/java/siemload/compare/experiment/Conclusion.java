package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import siemload.compare.experiment.Comparison.ClaimResult;
import siemload.compare.experiment.Comparison.ClaimResult.Outcome;

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

    /**
     * All numbered conclusions that experiments test, by study and number.
     *
     * @param experiments all of a suite, in its order
     * @param made what those say that were made
     */
    public static List<Conclusion> of(List<Experiment> experiments, List<Comparison> made) {
        Map<String, Map<Integer, List<Part>>> parts = new LinkedHashMap<>();
        Map<String, Map<Integer, String>> says = new LinkedHashMap<>();
        for (Experiment experiment : experiments) {
            Optional<Comparison> comparison = made.stream()
                    .filter(one -> one.experiment().name().equals(experiment.name()))
                    .findFirst();
            for (SourceClaim source : experiment.sources()) {
                if (source.hasNumber()) {
                    parts.computeIfAbsent(source.study(), unused -> new TreeMap<>())
                            .computeIfAbsent(source.conclusion(), unused -> new ArrayList<>())
                            .add(new Part(experiment.name(), comparison.flatMap(one -> result(one, source))));
                    says.computeIfAbsent(source.study(), unused -> new TreeMap<>())
                            .putIfAbsent(source.conclusion(), source.says());
                }
            }
        }
        List<Conclusion> conclusions = new ArrayList<>();
        parts.forEach((study, numbers) -> numbers.forEach((number, those) -> conclusions.add(
                new Conclusion(study, number, says.getOrDefault(study, Map.of()).getOrDefault(number, ""), those))));
        return conclusions;
    }

    private static Optional<ClaimResult> result(Comparison comparison, SourceClaim source) {
        return comparison.claims().stream()
                .filter(claim -> claim.source().study().equals(source.study())
                        && claim.source().conclusion() == source.conclusion())
                .findFirst();
    }
}
