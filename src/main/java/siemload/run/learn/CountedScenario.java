package siemload.run.learn;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import siemload.database.CountedStatement;
import siemload.results.report.Millis;

/**
 * A scenario that asks statements as often as they were counted. Of their parameters no values are known: until its user writes
 * them, the scenario is refused by the names of these. Immutable.
 *
 * @param file whose name ends with {@code .yaml}
 */
public record CountedScenario(Path file) {

    /** Writes it. */
    public void write(LearntCounts learnt) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, text(learnt));
    }

    private String text(LearntCounts learnt) {
        StringBuilder text = new StringBuilder();
        text.append(
                        "# Learnt by ./siemload learn-queries. Statements are those of the snapshot: keep them as it is kept.\n")
                .append("# Run it by: ./siemload run ")
                .append(LearntScenario.shown(String.valueOf(file)))
                .append(" --data existing")
                .append(learnt.writing() > 0 ? " --allowWrites" : "")
                .append(" --url ...\n");
        if (learnt.withoutValues() > 0) {
            text.append(
                            "# Counts have no values: each 'values' below waits for yours. A list, {from: 1, to: 9}, {file: values.csv} or\n")
                    .append("# {query: ...} will do, or a literal in place of the parameter in the text.\n");
        }
        text.append("description: ")
                .append(LearntScenario.quoted(String.format(
                        Locale.ROOT,
                        "%d statements as often as %s",
                        learnt.statements().size(),
                        LearntCountsText.counted(learnt))))
                .append("\nstatements:\n");
        learnt.statements().forEach(named -> statement(text, named, learnt));
        text.append("analysts:\n  - name: sessions\n")
                .append(
                        "    # Counts do not tell how many asked at a time, nor how long they waited: one asks without a pause.\n")
                .append("    users: 1\n    thinkTime: {distribution: constant, value: 0s}\n")
                .append("    # In percent of all that were counted.\n    mix:\n");
        learnt.statements()
                .forEach(named -> text.append(String.format(
                        Locale.ROOT,
                        "      %s: %.6f\n",
                        named.name(),
                        Math.max(0.000_001, 100 * learnt.callRatio(named)))));
        return text.append("phases: {warmup: 10s, measurement: 60s}\n").toString();
    }

    private static void statement(StringBuilder text, LearntCounts.NamedCounts named, LearntCounts learnt) {
        CountedStatement statement = named.statement();
        text.append(String.format(
                Locale.ROOT,
                "  # then: %,d of %,d (%.2f %%), mean %s ms, %,.1f rows each\n  %s:\n    sql: %s\n",
                statement.calls(),
                learnt.calls(),
                100 * learnt.callRatio(named),
                Millis.of(Math.round(statement.meanMicros())),
                (double) statement.rows() / statement.calls(),
                named.name(),
                LearntScenario.quoted(statement.text().written())));
        if (statement.form() == CountedStatement.Form.SHORTENED_LISTS) {
            text.append(
                    "    # The server counts lists of any length as one: here they have the one value that is left of them.\n");
        }
        if (LearntCounts.writes(named)) {
            text.append("    writes: true\n");
        }
        List<String> parameters = statement.text().parameters();
        if (!parameters.isEmpty()) {
            text.append(parameters.stream()
                    .map(parameter -> parameter + ": {query: \"SELECT ...\"}")
                    .collect(Collectors.joining(", ", "    # values: {", "}\n")));
        }
        text.append("    then:\n      counted: {calls: ").append(statement.calls());
        figure(text, "mean", OptionalDouble.of(statement.meanMicros()));
        figure(text, "stddev", statement.spread().stddevMicros(statement.calls(), statement.micros()));
        figure(text, "min", statement.spread().minMicros());
        figure(text, "max", statement.spread().maxMicros());
        text.append("}\n");
    }

    private static void figure(StringBuilder text, String name, OptionalDouble micros) {
        micros.ifPresent(known -> text.append(String.format(Locale.ROOT, ", %s: %.1f", name, known)));
    }
}
