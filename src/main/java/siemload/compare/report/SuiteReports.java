package siemload.compare.report;

import static siemload.results.report.Markdown.escaped;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Comparison.ClaimResult.Outcome;
import siemload.compare.experiment.ComparisonFile;

/** The report of several experiments in one file. Stateless and thread-safe. */
public final class SuiteReports {
    private SuiteReports() {}

    /** Experiments that are told together. */
    record Suite(String name, String question, List<Member> members) {
        Suite {
            members = List.copyOf(members);
        }
    }

    /** @param path from the directory of the suite to that of the experiment, with slashes */
    record Member(Comparison comparison, String path) {}

    /**
     * Writes {@code report.html} and {@code summary.md}.
     *
     * @param directory where to; made if need be
     * @param experiments directories with a {@code comparison.json}, in the order in which they are told
     * @return what was written
     */
    public static List<Path> write(Path directory, String name, String question, List<Path> experiments)
            throws IOException {
        List<Member> members = new ArrayList<>();
        for (Path experiment : experiments) {
            Path relative = directory.toAbsolutePath().relativize(experiment.toAbsolutePath());
            members.add(new Member(
                    ComparisonFile.read(experiment.resolve(ComparisonFile.NAME)),
                    relative.toString().replace('\\', '/')));
        }
        Suite suite = new Suite(name, question, members);
        Files.createDirectories(directory);
        return List.of(
                Files.writeString(directory.resolve(ComparisonReports.PAGE), ComparisonPage.of(suite)),
                Files.writeString(directory.resolve(ComparisonReports.SUMMARY), markdown(suite)));
    }

    /** An overview, then each series. */
    static String markdown(Suite suite) {
        StringBuilder text = new StringBuilder("## siemload: " + escaped(suite.question()) + "\n\n");
        text.append("| series | question | verdicts | the source's conclusion |\n| --- | --- | --- | --- |\n");
        for (Member member : suite.members()) {
            Comparison one = member.comparison();
            Outcome outcome = one.claim().outcome();
            text.append("| ")
                    .append(escaped(one.experiment().name()))
                    .append(" | ")
                    .append(escaped(one.experiment().question()))
                    .append(" | ")
                    .append(one.withheld().isEmpty() ? decided(one) : "withheld")
                    .append(" | ")
                    .append(outcome == Outcome.NO_CLAIM ? "" : VerdictWords.of(outcome))
                    .append(" |\n");
        }
        suite.members().forEach(member -> text.append('\n').append(ComparisonMarkdown.section(member.comparison())));
        return text.toString();
    }

    private static String decided(Comparison comparison) {
        List<String> words = comparison.verdictsAgainstBaseline().stream()
                .map(VerdictWords::of)
                .toList();
        return String.join(
                ", ",
                words.stream()
                        .distinct()
                        .map(word -> words.stream().filter(word::equals).count() + " " + word)
                        .toList());
    }
}
