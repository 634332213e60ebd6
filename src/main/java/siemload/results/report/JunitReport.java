package siemload.results.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.results.RunResult;
import siemload.results.RunVerdict;
import siemload.results.Validity;

/**
 * A run result as JUnit XML: validity is a test case, whether the database kept up, and each objective, so that a CI server lists, counts and
 * follows them. Stateless and thread-safe.
 */
final class JunitReport {

    private JunitReport() {}

    /** The whole document, ending with a line break. */
    static String of(RunResult run) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("run", run.identity().runId());
        properties.put(
                "target",
                run.identity().target().id() + " " + run.identity().target().version());
        properties.put("variant", RunHeadline.variant(run));
        List<JunitSuite.Case> cases = new ArrayList<>();
        Validity validity = run.validity();
        cases.add(verdict(
                "the run is valid",
                validity.verdict() != RunVerdict.NOT_VALID,
                "NOT VALID",
                String.join("\n", validity.faults())));
        cases.add(verdict(
                "the database kept up",
                !validity.saturation().seen(),
                "SATURATED",
                String.join("\n", validity.saturation().sentences()) + "\nwhat to change first: "
                        + validity.saturation().advice()));
        for (RunResult.ObjectiveResult objective : run.objectives()) {
            cases.add(
                    switch (objective.outcome()) {
                        case MET -> JunitSuite.Case.passed(objective.text());
                        case MISSED ->
                            new JunitSuite.Case(
                                    objective.text(),
                                    "MISSED",
                                    objective.text() + ": measured " + objective.measured());
                        case UNDECIDED ->
                            JunitSuite.Case.skipped(
                                    objective.text(),
                                    "undecided: measured " + objective.measured() + "; " + objective.reason());
                    });
        }
        return new JunitSuite(
                        "siemload." + run.identity().scenario(),
                        run.identity().startedAt().toString(),
                        run.identity().measuredSeconds(),
                        properties,
                        cases)
                .toXml();
    }

    private static JunitSuite.Case verdict(String name, boolean passed, String type, String text) {
        return passed ? JunitSuite.Case.passed(name) : new JunitSuite.Case(name, type, text);
    }
}
