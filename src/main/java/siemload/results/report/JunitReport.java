package siemload.results.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.results.RunResult;

/**
 * A run result as JUnit XML: validity is a test case and so is each objective, so that a CI server lists, counts and
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
        cases.add(
                run.validity().valid()
                        ? JunitSuite.Case.passed("the run is valid")
                        : new JunitSuite.Case(
                                "the run is valid",
                                "NOT VALID",
                                String.join("\n", run.validity().warnings())));
        for (RunResult.ObjectiveResult objective : run.objectives()) {
            cases.add(
                    objective.met()
                            ? JunitSuite.Case.passed(objective.text())
                            : new JunitSuite.Case(
                                    objective.text(),
                                    "MISSED",
                                    objective.text() + ": measured " + objective.measured()));
        }
        return new JunitSuite(
                        "siemload." + run.identity().scenario(),
                        run.identity().startedAt().toString(),
                        run.identity().measuredSeconds(),
                        properties,
                        cases)
                .toXml();
    }
}
