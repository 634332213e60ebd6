package siemload.run.learn;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.BufferedWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import siemload.config.NamedFile;
import siemload.scenario.replay.RecordedPlan;

/**
 * A scenario that asks what was learnt, with the values in CSV files of a directory beside it. Immutable.
 *
 * @param file whose name ends with {@code .yaml}
 * @param values the directory
 */
public record LearntScenario(Path file, Path values) {
    static final YAMLMapper YAML = YAMLMapper.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER, YAMLGenerator.Feature.SPLIT_LINES)
            .enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();

    /** The files of the scenario with this name. */
    public static LearntScenario of(Path file) {
        return new LearntScenario(file, beside(file, "-values"));
    }

    /** What lies beside a scenario under its name. */
    static Path beside(Path file, String ending) {
        String name = String.valueOf(file.getFileName());
        return file.resolveSibling(name.substring(0, name.length() - NamedFile.ENDING.length()) + ending);
    }

    /** The text of a scenario file. */
    static String text(String learntBy, String command, ObjectNode scenario) throws JsonProcessingException {
        return "# Learnt by ./siemload " + learntBy
                + ". Statements and values are those of the log: keep both as it is kept.\n# Run it by: " + command
                + "\n"
                + YAML.writeValueAsString(scenario);
    }

    /** Writes it, and removes nothing but what it replaces. */
    public void write(LearntQueries learnt) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        ObjectNode scenario = YAML.createObjectNode();
        scenario.put(
                "description",
                String.format(
                        Locale.ROOT,
                        "%,d statements of %,d sessions, as the log of %s to %s has them",
                        learnt.executions(),
                        learnt.sessions().sessions(),
                        learnt.sessions().first(),
                        learnt.sessions().last()));
        ObjectNode statements = scenario.putObject("statements");
        ObjectNode analysts = scenario.putArray("analysts").addObject();
        analysts.put("name", "sessions").put("users", learnt.users());
        analysts.set("thinkTime", YAML.readTree(learnt.thinkTime()));
        // In percent of all that were asked.
        ObjectNode mix = analysts.putObject("mix");
        for (Map.Entry<String, LearntStatement> named : learnt.statements().entrySet()) {
            LearntStatement statement = named.getValue();
            double percent = Math.max(0.000_001, 100.0 * statement.count() / learnt.executions());
            mix.put(named.getKey(), BigDecimal.valueOf(percent).setScale(6, RoundingMode.HALF_UP));
            add(named.getKey(), statement, statements);
        }
        scenario.putObject("phases").put("warmup", "10s").put("measurement", "60s");
        Files.writeString(file, text("learn-queries", learnt.command(file), scenario));
    }

    /** With what a run of the scenario shows beside its own times and plans. */
    private void add(String name, LearntStatement statement, ObjectNode statements) throws IOException {
        ObjectNode written =
                statements.putObject(name).put("sql", statement.text().written());
        if (statement.writes()) {
            written.put("writes", true);
        }
        if (statement.hasParameters()) {
            written.put("rows", values.getFileName() + "/" + name + ".csv");
            Files.createDirectories(values);
            writeRows(name, statement);
        }
        ObjectNode then = written.putObject("then");
        then.set("micros", YAML.<ObjectNode>valueToTree(statement.times()).without("intervals95"));
        List<RecordedPlan> plans = statement.plans().commonest();
        if (!plans.isEmpty()) {
            then.set("plans", YAML.valueToTree(plans));
        }
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
}
