package siemload.compare.experiment;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import siemload.compare.experiment.Comparer.Measured;
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.GateRules.Certificates;

/** Gates whose runs are made up: eleven blocks of a baseline, a candidate and a control. */
abstract class GateFixture {
    static final int PAIRS = 11;
    static final Certificates NO_CERTIFICATES = new Certificates(List.of(), List.of(), List.of(), Set.of());

    /** Sides that differ by these factors. */
    static GateResult gate(Map<String, Double> factors, long entry) {
        Experiment experiment = experiment();
        return decide(experiment, Examples.runs(experiment, factors, entry), NO_CERTIFICATES);
    }

    /** Equal sides, with another figure or fault in some runs. */
    static GateResult withRuns(UnaryOperator<Measured> change) {
        Experiment experiment = experiment();
        List<Measured> runs =
                Examples.runs(experiment, Map.of(), 1).stream().map(change).toList();
        return decide(experiment, runs, NO_CERTIFICATES);
    }

    /** Equal sides, but for this in each run of the candidate. */
    static GateResult withCandidate(UnaryOperator<Measured> change) {
        return withRuns(run -> run.variant().equals(GateRules.CANDIDATE) ? change.apply(run) : run);
    }

    static GateResult decide(Experiment experiment, List<Measured> runs, Certificates certificates) {
        Comparison comparison = Comparer.compare(experiment, runs, OtherDifferences.ACCEPT);
        return GateRules.decide("2026-11-21T02:00:00Z", certificates, comparison, PAIRS, 14);
    }

    static Experiment experiment() {
        return Examples.experiment(PAIRS, "hint", GateRules.BASELINE, GateRules.CANDIDATE, GateRules.CONTROL);
    }
}
