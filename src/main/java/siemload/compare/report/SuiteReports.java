package siemload.compare.report;

import static siemload.results.report.Markdown.escaped;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Experiment;
import siemload.compare.experiment.ResultFile;

/** The report of several experiments in one file. Stateless and thread-safe. */
public final class SuiteReports {
    private SuiteReports() {}

    /** Experiments that are told together. */
    record Suite(String name, String question, ConclusionTable conclusions, List<Member> members) {
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
     * @param planned all experiments of the suite, also those that were not made yet
     * @param experiments directories with a {@code comparison.json}, in the order in which they are told
     * @return what was written
     */
    public static List<Path> write(
            Path directory, String name, String question, List<Experiment> planned, List<Path> experiments)
            throws IOException {
        List<Member> members = new ArrayList<>();
        for (Path experiment : experiments) {
            Path relative = directory.toAbsolutePath().relativize(experiment.toAbsolutePath());
            members.add(new Member(
                    ResultFile.COMPARISON.read(experiment), relative.toString().replace('\\', '/')));
        }
        ConclusionTable conclusions = ConclusionTable.of(
                planned, members.stream().map(Member::comparison).toList());
        Suite suite = new Suite(name, question, conclusions, members);
        Files.createDirectories(directory);
        return List.of(
                Files.writeString(directory.resolve(ComparisonReports.PAGE), ComparisonPage.of(suite)),
                Files.writeString(directory.resolve(ComparisonReports.SUMMARY), markdown(suite)));
    }

    /** The conclusions, an overview, then each series. */
    static String markdown(Suite suite) {
        StringBuilder text = new StringBuilder("## siemload: " + escaped(suite.question()) + "\n\n");
        conclusions(suite.conclusions(), text);
        text.append("| series | question | verdicts | the source's conclusion |\n| --- | --- | --- | --- |\n");
        for (Member member : suite.members()) {
            Comparison one = member.comparison();
            List<String> outcomes = one.claims().stream()
                    .map(claim -> claim.source().spoken() + ": " + VerdictWords.of(claim.outcome()))
                    .toList();
            text.append("| ")
                    .append(escaped(one.experiment().name()))
                    .append(" | ")
                    .append(escaped(one.experiment().question()))
                    .append(" | ")
                    .append(one.withheld().isEmpty() ? VerdictWords.counts(one) : "withheld")
                    .append(" | ")
                    .append(escaped(String.join("; ", outcomes)))
                    .append(" |\n");
        }
        suite.members().forEach(member -> text.append('\n').append(ComparisonMarkdown.section(member.comparison())));
        return text.toString();
    }

    private static void conclusions(ConclusionTable table, StringBuilder text) {
        if (table.rows().isEmpty()) {
            return;
        }
        text.append("| conclusion | stands | figures |\n| --- | --- | --- |\n");
        table.rows()
                .forEach(row -> text.append("| ")
                        .append(row.whole() ? "**" + escaped(row.title()) + "**" : escaped(row.title()))
                        .append(" | ")
                        .append(row.whole() ? "**" + row.stands() + "**" : row.stands())
                        .append(" | ")
                        .append(escaped(row.figures()))
                        .append(" |\n"));
        text.append('\n');
    }
}
