package siemload.run.learn;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import siemload.config.NamedFile;
import siemload.query.StatementText;
import siemload.results.MicrosSummary;
import siemload.results.report.Amounts;
import siemload.scenario.replay.RecordedPlan;

/**
 * A scenario that asks what was learnt, with the values in CSV files of a directory beside it. Immutable.
 *
 * @param file whose name ends with {@code .yaml}
 * @param values the directory
 */
public record LearntScenario(Path file, Path values) {
    private static final ObjectMapper JSON = new ObjectMapper();

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
        for (NamedStatement named : learnt.statements()) {
            if (named.statement().hasParameters()) {
                Files.createDirectories(values);
                writeRows(named);
            }
        }
        Files.writeString(file, text(learnt));
    }

    private String text(LearntQueries learnt) {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "# Learnt by ./siemload learn-queries. Statements and values are those of the log: keep both as it is"
                        + " kept.");
        line(text, "# Run it by: " + learnt.command(file));
        line(
                text,
                "description: "
                        + quoted(String.format(
                                Locale.ROOT,
                                "%,d statements of %,d sessions, as the log of %s to %s has them",
                                learnt.executions(),
                                learnt.sessions().sessions(),
                                learnt.first(),
                                learnt.last())));
        line(text, "statements:");
        learnt.statements().forEach(named -> statement(text, named, learnt.executions()));
        line(text, "analysts:");
        line(text, "  - name: sessions");
        line(
                text,
                String.format(
                        Locale.ROOT,
                        "    # In the mean %.2f at a time were working or thinking.",
                        learnt.sessions().atATime()));
        line(text, "    users: " + learnt.users());
        line(text, "    # " + LearntQueriesText.thinking(learnt));
        line(text, "    thinkTime: " + SessionTimes.written(learnt.thinkTime()));
        line(text, "    # In percent of all that were asked.");
        line(text, "    mix:");
        learnt.statements().forEach(named -> line(text, "      " + named.name() + ": " + weight(named, learnt)));
        line(text, "phases: {warmup: 10s, measurement: 60s}");
        return text.toString();
    }

    private void statement(StringBuilder text, NamedStatement named, long executions) {
        MicrosSummary then = named.statement().times();
        line(
                text,
                String.format(
                        Locale.ROOT,
                        "  # then: %,d of %,d (%.2f %%), p50 %s ms, p95 %s ms, max %s ms",
                        named.statement().count(),
                        executions,
                        100.0 * named.statement().count() / executions,
                        Amounts.millis((double) then.p50()),
                        Amounts.millis((double) then.p95()),
                        Amounts.millis((double) then.max())));
        line(text, "  " + named.name() + ":");
        StatementText asked = named.statement().text();
        line(text, "    sql: " + quoted(asked.written()));
        if (named.statement().writes()) {
            line(text, "    writes: true");
        }
        if (named.statement().hasParameters()) {
            line(text, "    rows: " + quoted(values.getFileName() + "/" + named.name() + ".csv"));
        }
        then(text, named.statement());
    }

    /** As a run of the scenario shows it beside its own. */
    private static void then(StringBuilder text, LearntStatement statement) {
        MicrosSummary then = statement.times();
        line(text, "    then:");
        line(
                text,
                String.format(
                        Locale.ROOT,
                        "      micros: {min: %d, mean: %.1f, p50: %d, p90: %d, p95: %d, p99: %d, p999: %d, max: %d}",
                        then.min(),
                        then.mean(),
                        then.p50(),
                        then.p90(),
                        then.p95(),
                        then.p99(),
                        then.p999(),
                        then.max()));
        List<RecordedPlan> plans = statement.plans().commonest();
        if (!plans.isEmpty()) {
            line(text, "      plans:");
            plans.forEach(
                    plan -> line(text, "        - {shape: " + quoted(plan.shape()) + ", count: " + plan.count() + "}"));
        }
    }

    private static String weight(NamedStatement named, LearntQueries learnt) {
        double percent = 100.0 * named.statement().count() / learnt.executions();
        return String.format(Locale.ROOT, "%.6f", Math.max(0.000_001, percent));
    }

    private void writeRows(NamedStatement named) throws IOException {
        StatementText text = named.statement().text();
        try (BufferedWriter csv = Files.newBufferedWriter(values.resolve(named.name() + ".csv"))) {
            csv.write(String.join(",", text.parameters()) + "\n");
            for (List<String> row : named.statement().rows().rows()) {
                String separator = "";
                for (String value : row) {
                    csv.write(separator + '"' + value.replace("\"", "\"\"") + '"');
                    separator = ",";
                }
                csv.write('\n');
            }
        }
    }

    private static void line(StringBuilder text, String line) {
        text.append(line).append('\n');
    }

    /** A name as it may stand in a comment. */
    static String shown(String name) {
        return name.replaceAll("\\p{Cntrl}", "?");
    }

    /** In double quotes as YAML reads them: JSON, and escapes for what JSON may hold and YAML may not (YAML 1.2, 5.1). */
    static String quoted(String plain) {
        try {
            return escaped(JSON.writeValueAsString(plain));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a text always has a JSON form", e);
        }
    }

    private static String escaped(String json) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            boolean isEscaped = (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029 || c == 0xFEFF || c >= 0xFFFE;
            text.append(isEscaped ? String.format(Locale.ROOT, "\\u%04x", (int) c) : String.valueOf(c));
        }
        return text.toString();
    }
}
