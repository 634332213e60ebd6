package siemload.compare.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import siemload.compare.capacity.CapacityResult.Outcome;
import siemload.compare.capacity.LoadSearch.Answer;
import siemload.compare.capacity.LoadSearch.Finding;
import siemload.compare.capacity.LoadSearch.Step;

/** Searches that ask a function in the place of runs. Stateless. */
final class LoadSearches {
    static final VariedLoad.Range ARRIVALS = new VariedLoad.Range(VariedLoad.ARRIVALS, 0.1, 20, 10_000);
    static final VariedLoad.Range USERS = new VariedLoad.Range(VariedLoad.USERS, 1, 10, 1_000);

    private LoadSearches() {}

    /** What a search found, and what it was told in the order in which it asked. */
    record Ended(Finding finding, List<Answer> answers) {
        List<Double> loads() {
            return answers.stream().map(Answer::load).toList();
        }
    }

    /** A search as it is unless something else is asked for. */
    static Ended end(VariedLoad.Range range, DoubleFunction<Outcome> oracle) {
        return end(new LoadSearch(range, 0.1, 30), oracle);
    }

    static Ended end(LoadSearch search, DoubleFunction<Outcome> oracle) {
        List<Answer> answers = new ArrayList<>();
        while (true) {
            Step step = search.after(answers);
            if (step instanceof Step.End end) {
                return new Ended(end.finding(), answers);
            }
            if (step instanceof Step.Run run) {
                answers.add(new Answer(run.load(), oracle.apply(run.load())));
            }
        }
    }

    static Outcome met(boolean met) {
        return met ? Outcome.MET : Outcome.NOT_MET;
    }
}
