package siemload.run.learn;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import siemload.config.NamedFile;
import siemload.results.MicrosSummary;
import siemload.scenario.replay.RecordedPlan;

/**
 * A scenario that asks what was learnt, with the values in CSV files of a directory beside it. Immutable.
 *
 * @param file whose name ends with {@code .yaml}
 * @param values the directory
 */
public record LearntScenario(Path file, Path values) {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** What may stand in a text of JSON as it is, but not in one of YAML. */
    private static final Pattern UNFIT = Pattern.compile("[\\x7f-\\x9f\\u2028\\u2029\\ufeff\\ufffe\\uffff]");

    /** The files of the scenario with this name. */
    public static LearntScenario of(Path file) {
        return new LearntScenario(file, beside(file, "-values"));
    }

    /** What lies beside a scenario under its name. */
    static Path beside(Path file, String ending) {
        String name = String.valueOf(file.getFileName());
        return file.resolveSibling(name.substring(0, name.length() - NamedFile.ENDING.length()) + ending);
    }

    /** Writes it, and removes nothing but what it replaces. */
    public void write(LearntQueries learnt) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        for (Map.Entry<String, LearntStatement> named : learnt.statements().entrySet()) {
            if (named.getValue().hasParameters()) {
                Files.createDirectories(values);
                writeRows(named.getKey(), named.getValue());
            }
        }
        Files.writeString(file, text(learnt));
    }

    private String text(LearntQueries learnt) {
        StringBuilder statements = new StringBuilder();
        StringBuilder mix = new StringBuilder();
        learnt.statements().forEach((name, statement) -> {
            double percent = 100.0 * statement.count() / learnt.executions();
            statements.append(statement(name, statement, percent));
            mix.append(String.format(Locale.ROOT, "      %s: %.6f\n", name, Math.max(0.000_001, percent)));
        });
        String description = String.format(
                Locale.ROOT,
                "%,d statements of %,d sessions, as the log of %s to %s has them",
                learnt.executions(),
                learnt.sessions().sessions(),
                learnt.sessions().first(),
                learnt.sessions().last());
        return String.format(
                Locale.ROOT,
                """
                # Learnt by ./siemload learn-queries. Statements and values are those of the log: keep both as it is kept.
                # Run it by: %s
                description: %s
                statements:
                %sanalysts:
                  - name: sessions
                    # In the mean %.2f at a time were working or thinking.
                    users: %d
                    # %s
                    thinkTime: %s
                    # In percent of all that were asked.
                    mix:
                %sphases: {warmup: 10s, measurement: 60s}
                """,
                learnt.command(file),
                quoted(description),
                statements,
                learnt.sessions().atATime(),
                learnt.users(),
                learnt.thinking(),
                learnt.thinkTime(),
                mix);
    }

    /** With what a run of the scenario shows beside its own times and plans. */
    private String statement(String name, LearntStatement statement, double percent) {
        MicrosSummary then = statement.times();
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "  # then: %,d (%.2f %%)\n  %s:\n    sql: %s\n",
                statement.count(),
                percent,
                name,
                quoted(statement.text().written())));
        text.append(statement.writes() ? "    writes: true\n" : "");
        if (statement.hasParameters()) {
            text.append("    rows: ")
                    .append(quoted(values.getFileName() + "/" + name + ".csv"))
                    .append('\n');
        }
        text.append(String.format(
                Locale.ROOT,
                "    then:\n      micros: {min: %d, mean: %.1f, p50: %d, p90: %d, p95: %d, p99: %d, p999: %d, max: %d}\n",
                then.min(),
                then.mean(),
                then.p50(),
                then.p90(),
                then.p95(),
                then.p99(),
                then.p999(),
                then.max()));
        List<RecordedPlan> plans = statement.plans().commonest();
        text.append(plans.isEmpty() ? "" : "      plans:\n");
        plans.forEach(plan -> text.append(
                String.format(Locale.ROOT, "        - {shape: %s, count: %d}\n", quoted(plan.shape()), plan.count())));
        return text.toString();
    }

    private void writeRows(String name, LearntStatement statement) throws IOException {
        try (BufferedWriter csv = Files.newBufferedWriter(values.resolve(name + ".csv"))) {
            csv.write(String.join(",", statement.text().parameters()) + "\n");
            for (List<String> row : statement.rows().rows()) {
                csv.write(row.stream()
                        .map(value -> '"' + value.replace("\"", "\"\"") + '"')
                        .collect(Collectors.joining(",", "", "\n")));
            }
        }
    }

    /** In double quotes as YAML reads them: JSON, and escapes for what JSON may hold and YAML may not (YAML 1.2, 5.1). */
    static String quoted(String plain) {
        try {
            return UNFIT.matcher(JSON.writeValueAsString(plain))
                    .replaceAll(found -> String.format(
                            Locale.ROOT, "\\\\u%04x", (int) found.group().charAt(0)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a text always has a JSON form", e);
        }
    }
}
