package siemload.compare.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import siemload.GoldenFile;
import siemload.InEveryLocale;
import siemload.compare.experiment.Comparison;
import siemload.compare.report.SuiteReports.Member;
import siemload.compare.report.SuiteReports.Suite;

class GoldenComparisonsTest {
    @InEveryLocale
    void theMarkdownIsTheSameInEveryLocale() throws Exception {
        assertGolden("hints.md", ComparisonMarkdown.of(ExampleComparisons.hints()));
        assertGolden("users.md", ComparisonMarkdown.of(ExampleComparisons.scaling()));
    }

    @Test
    void whatDoesNotCountIsSaidFirst() throws Exception {
        assertGolden("withheld.md", ComparisonMarkdown.of(ExampleComparisons.withheld()));
        assertGolden("nothing.md", ComparisonMarkdown.of(ExampleComparisons.nothingMeasured()));
    }

    @Test
    void theTerminalHasATableWithTheWorstFirst() throws Exception {
        assertGolden("hints.txt", String.join("\n", ComparisonText.of(ExampleComparisons.hints())) + "\n");
    }

    @Test
    void theTerminalShowsAGateAsATableBesideTheBaselineAgainstItself() throws Exception {
        assertGolden("gate.txt", String.join("\n", GateText.of(ExampleComparisons.gate())) + "\n");
    }

    @Test
    void variantsByNameAreToldWithTheirServers() throws Exception {
        assertGolden("servers.md", ComparisonMarkdown.of(ExampleComparisons.servers()));
    }

    @Test
    void aReasonThatAllShareStandsOnceBelowTheTable() throws Exception {
        String text = String.join("\n", ComparisonText.of(ExampleComparisons.pageDepth())) + "\n";

        assertThat(text.lines().filter(line -> line.endsWith("not decided [1]")))
                .hasSize(20);
        assertThat(text).containsOnlyOnce("only 6 pairs");
        assertGolden("page-depth.txt", text);
    }

    @Test
    void aSuiteStartsWithAnOverviewOfItsConclusions() throws Exception {
        List<Comparison> members =
                List.of(ExampleComparisons.slides(), ExampleComparisons.hints(), ExampleComparisons.withheld());
        Suite suite = new Suite(
                "cesnet",
                "Does what was found hold here?",
                ConclusionTable.of(
                        Stream.concat(
                                        members.stream().map(Comparison::experiment),
                                        Stream.of(ExampleComparisons.planned()))
                                .toList(),
                        members),
                members.stream()
                        .map(one -> new Member(one, "../" + one.experiment().name()))
                        .toList());

        assertGolden("suite.md", SuiteReports.markdown(suite));
    }

    @InEveryLocale
    void aCapacityIsTheSameInEveryLocale() throws Exception {
        assertGolden("capacity.md", CapacityMarkdown.of(ExampleCapacities.users()));
        assertGolden("capacity.txt", String.join("\n", CapacityText.of(ExampleCapacities.frontier())) + "\n");
        assertGolden("frontier.txt", String.join("\n", CapacityText.of(ExampleCapacities.against())) + "\n");
        assertGolden("frontier.md", CapacityMarkdown.of(ExampleCapacities.against()));
    }

    private static void assertGolden(String name, String text) throws Exception {
        GoldenFile.of("comparison/" + name).assertHolds(text);
    }
}
