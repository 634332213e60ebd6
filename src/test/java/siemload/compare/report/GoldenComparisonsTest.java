package siemload.compare.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import siemload.GoldenFile;
import siemload.InEveryLocale;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Experiment;

class GoldenComparisonsTest {
    @InEveryLocale
    void theMarkdownIsTheSameInEveryLocale() throws Exception {
        assertGolden("hints.md", ComparisonReports.markdown(ExampleComparisons.hints()));
        assertGolden("users.md", ComparisonReports.markdown(ExampleComparisons.scaling()));
    }

    @Test
    void whatDoesNotCountIsSaidFirst() throws Exception {
        assertGolden("withheld.md", ComparisonReports.markdown(ExampleComparisons.withheld()));
        assertGolden("nothing.md", ComparisonReports.markdown(ExampleComparisons.nothingMeasured()));
    }

    @Test
    void theTerminalHasATableWithTheWorstFirst() throws Exception {
        assertGolden("hints.txt", String.join("\n", ComparisonReports.text(ExampleComparisons.hints())) + "\n");
    }

    @Test
    void theTerminalShowsAGateAsATableBesideTheBaselineAgainstItself() throws Exception {
        assertGolden("gate.txt", String.join("\n", ComparisonReports.text(ExampleComparisons.gate())) + "\n");
    }

    @Test
    void variantsByNameAreToldWithTheirServers() throws Exception {
        assertGolden("servers.md", ComparisonReports.markdown(ExampleComparisons.servers()));
    }

    @Test
    void aReasonThatAllShareStandsOnceBelowTheTable() throws Exception {
        String text = String.join("\n", ComparisonReports.text(ExampleComparisons.pageDepth())) + "\n";

        assertThat(text.lines().filter(line -> line.endsWith("not decided [1]")))
                .hasSize(20);
        assertThat(text).containsOnlyOnce("only 6 pairs");
        assertGolden("page-depth.txt", text);
    }

    @Test
    void aSuiteEndsWithItsConclusions() throws Exception {
        List<Comparison> members =
                List.of(ExampleComparisons.slides(), ExampleComparisons.hints(), ExampleComparisons.withheld());
        List<Experiment> planned = Stream.concat(
                        members.stream().map(Comparison::experiment), Stream.of(ExampleComparisons.planned()))
                .toList();

        assertGolden("suite.txt", String.join("\n", ComparisonReports.conclusions(planned, members)) + "\n");
    }

    @InEveryLocale
    void aCapacityIsTheSameInEveryLocale() throws Exception {
        assertGolden("capacity.md", ComparisonReports.markdown(ExampleCapacities.users()));
    }

    private static void assertGolden(String name, String text) throws Exception {
        GoldenFile.of("comparison/" + name).assertHolds(text);
    }
}
