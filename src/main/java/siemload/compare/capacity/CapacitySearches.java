package siemload.compare.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import siemload.compare.capacity.LoadSearch.Answer;
import siemload.compare.capacity.LoadSearch.Neighbours;

/**
 * The searches that answer a question: one, or for a frontier one at each value of the second load. What is run at one of those
 * tells of the others, since more of the second load never lets more of the first one be borne. A pure function of the runs so
 * far, so that an answer that was interrupted goes on as if it had not been. Immutable and thread-safe. Docs: adr/062.
 */
record CapacitySearches(CapacityQuestion question) {

    /**
     * One search.
     *
     * @param number by which its runs are known
     * @param varied what grows
     * @param beside what stays the same of the other load, by its name; empty where there is no other one
     */
    record Search(int number, VariedLoad varied, Map<String, Double> beside) {}

    /** A search that has come to its end. */
    record Ended(Search search, Finding finding) {}

    /** What to do next. */
    sealed interface Step {
        /** Run this load. */
        record Run(Search search, double load) implements Step {}

        /** Nothing more: of a frontier from the least of the second load up. */
        record End(List<Ended> searches) implements Step {
            public End {
                searches = List.copyOf(searches);
            }
        }
    }

    /** What follows from the runs so far, in the order in which they were made. */
    Step after(List<Trial> trials) {
        if (!question.hasFrontier()) {
            Search only = new Search(0, question.first().varied(), Map.of());
            return step(only, question.first(), answers(trials, 0), Neighbours.NONE);
        }
        if (!question.against().isEmpty()) {
            return alongLevels(new Levels(question.against(), 0, List.of()), trials);
        }
        LoadRange first = question.first();
        Search top =
                new Search(0, question.second().varied(), Map.of(first.varied().label(), first.least()));
        Step step = step(top, question.second(), answers(trials, 0), Neighbours.NONE);
        if (!(step instanceof Step.End end)) {
            return step;
        }
        Finding most = end.searches().get(0).finding();
        return most.hasLoad() ? alongLevels(new Levels(shares(most.estimate()), 1, end.searches()), trials) : step;
    }

    /**
     * The values of the second load, and what is known beside them.
     *
     * @param loads from the least up
     * @param firstNumber of the search at the first one
     * @param top the most of the second load beside the least of the first one, if that was looked for
     */
    private record Levels(List<Double> loads, int firstNumber, List<Ended> top) {}

    /** Even steps of what is borne of the second load, from nothing up, where there can be nothing. */
    private List<Double> shares(double top) {
        LoadRange second = question.second();
        int steps = question.points() - 1;
        double none = second.varied() == VariedLoad.EVENTS_PER_SECOND ? 0 : second.least();
        List<Double> shares = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            double share = second.varied().rounded(top * step / steps);
            shares.add(share < second.least() ? none : share);
        }
        return shares.stream().distinct().toList();
    }

    /** The first search that is not at its end goes on: perhaps one that was, until the runs of another one contradicted it. */
    private Step alongLevels(Levels levels, List<Trial> trials) {
        List<List<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < levels.loads().size(); i++) {
            answers.add(answers(trials, levels.firstNumber() + i));
        }
        List<Ended> ended = new ArrayList<>();
        for (int i = 0; i < levels.loads().size(); i++) {
            Search search = new Search(
                    levels.firstNumber() + i,
                    question.first().varied(),
                    Map.of(question.second().varied().label(), levels.loads().get(i)));
            LoadRange range = question.first().startingAt(start(levels, ended));
            Step step = step(search, range, answers.get(i), neighbours(answers, i));
            if (!(step instanceof Step.End end)) {
                return step;
            }
            ended.addAll(end.searches());
        }
        ended.addAll(levels.top());
        return new Step.End(ended);
    }

    private static Neighbours neighbours(List<List<Answer>> answers, int own) {
        List<List<Answer>> easier = new ArrayList<>();
        for (int i = own - 1; i >= 0; i--) {
            easier.add(answers.get(i));
        }
        return new Neighbours(easier, answers.subList(own + 1, answers.size()));
    }

    /** Where a search begins: on a straight line from what is known, and never above what is borne beside less. */
    private double start(Levels levels, List<Ended> ended) {
        int own = ended.size();
        if (own == 0) {
            return question.first().start();
        }
        double here = levels.loads().get(own);
        double before = levels.loads().get(own - 1);
        double borne = ended.get(own - 1).finding().estimate();
        double slope = 0;
        if (!levels.top().isEmpty()) {
            double top = levels.top().get(0).finding().estimate();
            slope = (borne - question.first().least()) / (top - before);
        } else if (own > 1) {
            slope = (ended.get(own - 2).finding().estimate() - borne)
                    / (before - levels.loads().get(own - 2));
        }
        return Math.min(borne, Math.max(borne / 2, borne - slope * (here - before)));
    }

    private Step step(Search search, LoadRange range, List<Answer> answers, Neighbours neighbours) {
        LoadSearch.Step step = search(range).after(answers, neighbours);
        if (step instanceof LoadSearch.Step.Run run) {
            return new Step.Run(search, run.load());
        }
        Finding finding = ((LoadSearch.Step.End) step).finding();
        return new Step.End(List.of(new Ended(search, finding)));
    }

    /**
     * What the runs of a search say by themselves, where those of the others contradict them: the intervals have nothing in common.
     *
     * @return at most one sentence
     */
    List<String> contradiction(Ended ended, List<Trial> own) {
        boolean silent = own.stream().allMatch(trial -> trial.outcome() == TrialOutcome.INVALID);
        if (silent || !ended.finding().hasLoad()) {
            return List.of();
        }
        LoadRange range = ended.search().varied() == question.first().varied() ? question.first() : question.second();
        Finding alone =
                search(range).alone(own.stream().map(CapacitySearches::answer).toList());
        boolean together = alone.low() <= ended.finding().high()
                && alone.high() >= ended.finding().low();
        return together ? List.of() : List.of(CapacityWords.contradiction(ended.search(), alone));
    }

    private LoadSearch search(LoadRange range) {
        return new LoadSearch(range, question.precisionRatio(), question.mostRuns());
    }

    private static List<Answer> answers(List<Trial> trials, int search) {
        return trials.stream()
                .filter(trial -> trial.search() == search)
                .map(CapacitySearches::answer)
                .toList();
    }

    private static Answer answer(Trial trial) {
        return new Answer(trial.load(), trial.outcome());
    }
}
