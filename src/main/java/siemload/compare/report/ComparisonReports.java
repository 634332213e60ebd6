package siemload.compare.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import siemload.compare.experiment.Comparison;

/** The reports of an experiment for people, beside its {@code comparison.json}. Stateless and thread-safe. */
public final class ComparisonReports {
    static final String PAGE = "report.html";
    static final String SUMMARY = "summary.md";

    private ComparisonReports() {}

    /**
     * Writes {@code report.html} and {@code summary.md} of a comparison into the directory that holds its {@code comparison.json}.
     *
     * @return what was written
     */
    public static List<Path> write(Path directory, Comparison comparison) throws IOException {
        return List.of(
                Files.writeString(directory.resolve(PAGE), ComparisonPage.of(comparison)),
                Files.writeString(directory.resolve(SUMMARY), ComparisonMarkdown.of(comparison)));
    }
}
