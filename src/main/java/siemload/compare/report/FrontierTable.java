package siemload.compare.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import siemload.compare.capacity.Capacity;
import siemload.compare.capacity.CapacityResult;
import siemload.compare.capacity.Finding;
import siemload.compare.capacity.TrialOutcome;
import siemload.compare.capacity.VariedLoad;
import siemload.results.report.Table;
import siemload.results.report.Table.Side;

/** A frontier as rows of cells: a value of the second load, and the most of the first one beside it. Stateless. */
final class FrontierTable {
    private static final List<Side> SIDES =
            List.of(Side.RIGHT, Side.RIGHT, Side.LEFT, Side.RIGHT, Side.RIGHT, Side.LEFT);

    private FrontierTable() {}

    /** For the terminal, indented. */
    static List<String> lines(CapacityResult result) {
        return Table.of(SIDES, rows(result))
                .lines()
                .map(line -> "  " + line.stripTrailing())
                .toList();
    }

    /** The titles, then a row for each search in the order of the second load. */
    static List<List<String>> rows(CapacityResult result) {
        VariedLoad first = result.question().varied().get(0).varied();
        VariedLoad second = result.question().varied().get(1).varied();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                second.unit(), first.unit(), "95 % interval", "runs", "not valid", "gave out or was missed first"));
        result.capacities().forEach(capacity -> rows.add(row(capacity, first, second)));
        return rows;
    }

    private static List<String> row(Capacity capacity, VariedLoad first, VariedLoad second) {
        boolean ofFirst = capacity.varied() == first;
        String found = found(capacity.finding());
        String fixed = VariedLoad.number(Objects.requireNonNull(
                capacity.beside().get((ofFirst ? second : first).label()), "each point has a value of the other load"));
        return List.of(
                ofFirst ? fixed : found,
                ofFirst ? found : fixed,
                interval(capacity),
                Integer.toString(capacity.trials().size()),
                Long.toString(capacity.trials().stream()
                        .filter(trial -> trial.outcome() == TrialOutcome.INVALID)
                        .count()),
                gaveOut(capacity));
    }

    private static String found(Finding finding) {
        String load = VariedLoad.number(finding.estimate());
        return switch (finding.kind()) {
            case FOUND -> load;
            case ROUGHLY -> "about " + load;
            case AT_LEAST, NOT_MEASURABLE -> "at least " + load;
            case LESS_THAN -> "none";
            case NOTHING_MET -> "not known";
        };
    }

    private static String interval(Capacity capacity) {
        return switch (capacity.finding().kind()) {
            case FOUND, ROUGHLY ->
                VariedLoad.number(capacity.finding().low()) + " to "
                        + capacity.varied().words(capacity.finding().high());
            case AT_LEAST, NOT_MEASURABLE, LESS_THAN, NOTHING_MET -> "";
        };
    }

    private static String gaveOut(Capacity capacity) {
        return capacity.gaveOut().stream()
                .findFirst()
                .or(() -> CapacityMarkdown.firstMissed(capacity)
                        .flatMap(trial -> trial.why().stream().findFirst()))
                .orElse("");
    }
}
