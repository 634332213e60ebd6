package siemload.compare.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.TreeSet;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.experiment.Metric;
import siemload.results.report.ChartPage;

/**
 * The page of one experiment, or of several in one file: style, charts, scripts and data stand in it, so that it opens
 * offline and asks no host for anything. Stateless and thread-safe.
 */
final class ComparisonPage {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RESOURCES = "/siemload/compare/report/";

    private ComparisonPage() {}

    /** The page of one experiment, to lie in its directory. */
    static String of(Comparison comparison) throws IOException {
        ObjectNode data =
                data(comparison.experiment().name(), comparison.experiment().question());
        data.put("suite", false);
        data.putArray("conclusions");
        data.withArray("members").add(member(comparison, ""));
        return page(comparison.experiment().name(), data);
    }

    /** The page of a suite. */
    static String of(SuiteReports.Suite suite) throws IOException {
        ObjectNode data = data(suite.name(), suite.question());
        data.put("suite", true);
        data.set("conclusions", JSON.valueToTree(suite.conclusions().rows()));
        ArrayNode members = data.withArray("members");
        suite.members().forEach(one -> members.add(member(one.comparison(), one.path())));
        return page(suite.name(), data);
    }

    private static ObjectNode data(String title, String question) {
        return JSON.createObjectNode().put("title", title).put("question", question);
    }

    private static ObjectNode member(Comparison comparison, String path) {
        ObjectNode member = JSON.valueToTree(comparison);
        member.put("path", path);
        member.put("axis", comparison.experiment().axisLabel());
        ArrayNode claims = (ArrayNode) member.get("claims");
        for (int i = 0; i < claims.size(); i++) {
            ((ObjectNode) claims.get(i))
                    .put("spoken", comparison.claims().get(i).source().spoken());
        }
        List<PairVerdict> told = comparison.verdictsAgainstBaseline();
        member.set("told", JSON.valueToTree(VerdictTable.of(told)));
        member.set(
                "others",
                JSON.valueToTree(VerdictTable.of(comparison.found().verdicts().stream()
                        .filter(verdict -> !told.contains(verdict))
                        .toList())));
        ArrayNode sides = member.putArray("sides");
        comparison.sides().forEach(side -> sides.add(side.sentence()));
        comparison.equalAnswers().forEach(sides::add);
        ArrayNode saturated = member.putArray("saturated");
        comparison.saturated().forEach(saturated::add);
        member.put("ratios", MetricWords.ratios(comparison.experiment()));
        ObjectNode metrics = member.putObject("metrics");
        for (String name : metrics(comparison)) {
            metrics.set(name, JSON.valueToTree(MetricWords.of(new Metric(name))));
        }
        return member;
    }

    private static Iterable<String> metrics(Comparison comparison) {
        TreeSet<String> names = new TreeSet<>(
                comparison.figures().stream().map(Comparison.Series::metric).toList());
        names.add(comparison.experiment().judged().metric().name());
        comparison.experiment().judged().alsoShow().forEach(metric -> names.add(metric.name()));
        return names;
    }

    private static String page(String title, ObjectNode data) throws IOException {
        return new ChartPage("siemload: " + title)
                .style(RESOURCES + "comparison.css")
                .elements()
                .script(RESOURCES + "comparison-charts.js")
                .script(RESOURCES + "comparison-kinds.js")
                .script(RESOURCES + "comparison.js")
                .data(data)
                .with(RESOURCES + "comparison.html");
    }
}
