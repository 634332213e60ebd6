package siemload.compare;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.util.DefaultLocale;
import siemload.GoldenFile;

@Tag("every-java")
class GoldenComparisonsTest {
    @Test
    @DefaultLocale("tr-TR-u-nu-arab")
    void whatIsReadIsTheSameInAnyLocale() throws Exception {
        assertGolden("hints.md", ComparisonReports.markdown(ExampleComparisons.hints()));
        assertGolden("capacity.md", ComparisonReports.markdown(ExampleCapacities.users()));
    }

    /** What does not count is said first, variants by name with their servers, the worst verdicts at the top. */
    @Test
    void eachComparisonIsToldAsItsFileHasIt() throws Exception {
        assertGolden("servers.md", ComparisonReports.markdown(ExampleComparisons.servers()));
        assertGolden("hints.txt", lines(ComparisonReports.text(ComparisonReports.report(ExampleComparisons.hints()))));
        assertGolden("gate.txt", lines(ComparisonReports.text(ComparisonReports.report(ExampleComparisons.gate()))));
    }

    @Test
    void aSuiteEndsWithItsConclusions() throws Exception {
        List<Comparison> members =
                List.of(ExampleComparisons.slides(), ExampleComparisons.hints(), ExampleComparisons.servers());
        List<Experiment> planned = Stream.concat(
                        members.stream().map(Comparison::experiment), Stream.of(ExampleComparisons.planned()))
                .toList();

        assertGolden("suite.txt", lines(ComparisonReports.conclusions(planned, members)));
    }

    private static String lines(List<String> lines) {
        return String.join("\n", lines) + "\n";
    }

    private static void assertGolden(String name, String text) throws Exception {
        GoldenFile.of("comparison/" + name).assertHolds(text);
    }
}
