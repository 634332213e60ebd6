package siemload.compare.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.compare.capacity.LoadSearch.Answer;

/**
 * The searches that answer a question: one, or for a frontier one at each value of the second load, from the least up. More of the
 * second load never lets more of the first one be borne: so no search begins above what is borne beside less. A pure function of the
 * runs so far, so that an answer that was interrupted goes on as if it had not been. Immutable and thread-safe. Docs: adr/062.
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
        VariedLoad.Range first = question.first();
        if (!question.hasFrontier()) {
            return step(new Search(0, first.varied(), Map.of()), first, trials);
        }
        if (!question.against().isEmpty()) {
            return alongLevels(question.against(), List.of(), trials);
        }
        Map<String, Double> beside = Map.of(first.varied().label(), first.least());
        Step step = step(new Search(0, question.second().varied(), beside), question.second(), trials);
        if (!(step instanceof Step.End end)) {
            return step;
        }
        Finding most = end.searches().get(0).finding();
        return most.hasLoad() ? alongLevels(shares(most.estimate()), end.searches(), trials) : step;
    }

    /** Even steps of what is borne of the second load, from nothing up, where there can be nothing. */
    private List<Double> shares(double top) {
        VariedLoad.Range second = question.second();
        int steps = question.points() - 1;
        double none = second.varied() == VariedLoad.EVENTS_PER_SECOND ? 0 : second.least();
        List<Double> shares = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            double share = second.varied().rounded(top * step / steps);
            shares.add(share < second.least() ? none : share);
        }
        return shares.stream().distinct().toList();
    }

    /**
     * The first search that is not at its end goes on. A value that bears nothing ends all higher ones without a run.
     *
     * @param levels the values of the second load, from the least up
     * @param top the most of the second load beside the least of the first one, if that was looked for
     */
    private Step alongLevels(List<Double> levels, List<Ended> top, List<Trial> trials) {
        List<Ended> ended = new ArrayList<>();
        for (double level : levels) {
            Search search = new Search(
                    top.size() + ended.size(),
                    question.first().varied(),
                    Map.of(question.second().varied().label(), level));
            Optional<Finding> easier = ended.isEmpty()
                    ? Optional.empty()
                    : Optional.of(ended.get(ended.size() - 1).finding());
            if (easier.filter(finding -> finding.kind() == Finding.Kind.LESS_THAN)
                    .isPresent()) {
                ended.add(new Ended(search, easier.get()));
                continue;
            }
            VariedLoad.Range range = question.first().startingAt(start(levels, top, ended));
            Step step = step(search, range, trials);
            if (!(step instanceof Step.End end)) {
                return step;
            }
            ended.addAll(end.searches());
        }
        ended.addAll(top);
        return new Step.End(ended);
    }

    /** Where a search begins: on a straight line from what is known, and never above what is borne beside less. */
    private double start(List<Double> levels, List<Ended> top, List<Ended> ended) {
        int own = ended.size();
        if (own == 0) {
            return question.first().start();
        }
        double before = levels.get(own - 1);
        double borne = ended.get(own - 1).finding().estimate();
        double slope = 0;
        if (!top.isEmpty()) {
            slope = (borne - question.first().least()) / (top.get(0).finding().estimate() - before);
        } else if (own > 1) {
            slope = (ended.get(own - 2).finding().estimate() - borne) / (before - levels.get(own - 2));
        }
        return Math.min(borne, Math.max(borne / 2, borne - slope * (levels.get(own) - before)));
    }

    private Step step(Search search, VariedLoad.Range range, List<Trial> trials) {
        List<Answer> answers = trials.stream()
                .filter(trial -> trial.search() == search.number())
                .map(trial -> new Answer(trial.load(), trial.outcome()))
                .toList();
        LoadSearch.Step step = new LoadSearch(range, question.precisionRatio(), question.mostRuns()).after(answers);
        if (step instanceof LoadSearch.Step.Run run) {
            return new Step.Run(search, run.load());
        }
        return new Step.End(List.of(new Ended(search, ((LoadSearch.Step.End) step).finding())));
    }
}
