package siemload.compare.capacity;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import siemload.compare.capacity.LoadSearch.Answer;

/**
 * What is asked: a search that was interrupted goes on where the same is asked again. Immutable. Docs: adr/062.
 *
 * @param scenario what each run does
 * @param varied what grows, and, where another load is given beside it, that one from the least to the most of it
 * @param against the values of the other load, from the least up; empty where there is none
 * @param objectives what runs are held to
 * @param settings the properties of all runs, by name
 * @param precisionRatio half of the width of the interval at which a search ends, as a ratio to the load
 * @param mostRuns of each search
 */
public record CapacityQuestion(
        String scenario,
        List<VariedLoad.Range> varied,
        List<Double> against,
        List<String> objectives,
        Map<String, String> settings,
        double precisionRatio,
        int mostRuns) {

    public CapacityQuestion {
        varied = List.copyOf(varied);
        against = List.copyOf(against);
        objectives = List.copyOf(objectives);
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    /** Whether the largest load is looked for at several values of another one. */
    public boolean hasFrontier() {
        return !against.isEmpty();
    }

    /** What the answer counts. */
    public VariedLoad.Range first() {
        return varied.get(0);
    }

    /** How many searches there are: one at each value of the other load. */
    int searches() {
        return Math.max(1, against.size());
    }

    /** How many runs it takes at most. */
    public int runs() {
        return searches() * mostRuns;
    }

    /** What is given beside what grows in a search, by its name; empty where nothing is. */
    Map<String, Double> beside(int search) {
        return hasFrontier() ? Map.of(varied.get(1).varied().label(), against.get(search)) : Map.of();
    }

    /**
     * What to do next.
     *
     * @param search which search it is of, from 0
     * @param load to run; empty where all searches are at their ends
     * @param found of the searches that are at their ends
     */
    record Step(int search, OptionalDouble load, List<Finding> found) {}

    /**
     * What follows from the runs so far, in the order in which they were made: the first search that is not at its end goes on. More of
     * the other load never lets more be borne: so each search begins with what is borne beside less, and a value that bears nothing
     * ends all higher ones without a run. A pure function, so that what was interrupted goes on as if it had not been.
     */
    Step after(List<Trial> trials) {
        List<Finding> found = new ArrayList<>();
        for (int search = 0; search < searches(); search++) {
            if (search > 0 && found.get(search - 1).kind() == Finding.Kind.LESS_THAN) {
                found.add(found.get(search - 1));
                continue;
            }
            int number = search;
            List<Answer> answers = trials.stream()
                    .filter(trial -> trial.search() == number)
                    .map(trial -> new Answer(trial.load(), trial.outcome()))
                    .toList();
            VariedLoad.Range range = search == 0
                    ? first()
                    : first().startingAt(found.get(search - 1).estimate());
            LoadSearch.Step step = new LoadSearch(range, precisionRatio, mostRuns).after(answers);
            if (step instanceof LoadSearch.Step.Run run) {
                return new Step(search, OptionalDouble.of(run.load()), found);
            }
            found.add(((LoadSearch.Step.End) step).finding());
        }
        return new Step(searches(), OptionalDouble.empty(), found);
    }
}
