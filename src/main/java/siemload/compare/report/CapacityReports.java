package siemload.compare.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import siemload.compare.capacity.CapacityResult;
import siemload.results.report.ChartPage;

/** The reports of a capacity for people, beside its {@code capacity.json}. Stateless and thread-safe. */
public final class CapacityReports {
    private static final String RESOURCES = "/siemload/compare/report/";

    private CapacityReports() {}

    /**
     * Writes {@code report.html} and {@code summary.md} into the directory that holds {@code capacity.json}.
     *
     * @return what was written
     */
    public static List<Path> write(Path directory, CapacityResult result) throws IOException {
        return List.of(
                Files.writeString(directory.resolve(ComparisonReports.PAGE), page(result)),
                Files.writeString(directory.resolve(ComparisonReports.SUMMARY), CapacityMarkdown.of(result)));
    }

    /** The whole page, which opens offline. */
    static String page(CapacityResult result) throws IOException {
        return new ChartPage("siemload: capacity of " + result.question().scenario())
                .elements()
                .script(RESOURCES + "capacity.js")
                .data(result)
                .with(RESOURCES + "capacity.html");
    }
}
