package siemload.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.run.learn.LearntQueries;
import siemload.run.learn.LearntScenario;
import siemload.run.learn.QueryLearner;
import siemload.scenario.ScenarioReader;
import siemload.scenario.replay.QueryRecording;
import siemload.scenario.replay.QueryRecordingReader;
import siemload.scenario.replay.QueryRecording.RecordedExecution;

/** Learns from a log of queries, and reads what was learnt: it is a fault if that is refused. */
final class LearntQuery {
    private LearntQuery() {}

    static void learn(Path log, Path scenario) throws IOException {
        learn(log, scenario, false);
        learn(log, scenario, true);
    }

    private static void learn(Path log, Path scenario, boolean writes) throws IOException {
        QueryLearner.Taken taken = new QueryLearner.Taken(Optional.empty(), Optional.empty(), List.of(), writes);
        for (LearntScenario learnt : List.of(LearntScenario.asking(scenario), LearntScenario.replaying(scenario))) {
            LearntQueries unused = learnt.write(List.of(log), taken, 1, file -> {});
            requireNoProblem(scenario);
        }
    }

    private static void requireNoProblem(Path scenario) {
        Settings settings = Settings.of(new SettingSources(
                Map.of(Property.SCENARIO.name(), scenario.toString(), Property.DATA.name(), "existing"),
                Map.of(),
                Map.of()));
        try {
            ScenarioReader.read(Path.of(""), settings);
        } catch (ConfigException refused) {
            throw new IllegalStateException("what was learnt is refused: " + refused.getMessage(), refused);
        }
    }

    /** Reads a query recording, which is the same once it was written and read again. */
    static void replay(Path file, Path again) throws IOException {
        List<RecordedExecution> executions = new ArrayList<>();
        QueryRecording recording = read(file, executions);
        QueryRecording copy = new QueryRecording(
                again,
                recording.startedAt(),
                recording.executions(),
                recording.sessions(),
                recording.openAtOnce(),
                recording.micros(),
                recording.queries());
        try (QueryRecording.Writer writer = new QueryRecording.Writer(copy)) {
            for (RecordedExecution execution : executions) {
                writer.add(execution);
            }
        }
        List<RecordedExecution> found = new ArrayList<>();
        if (!read(again, found).equals(copy) || !found.equals(executions)) {
            throw new IllegalStateException("written and read it is another recording");
        }
        Files.delete(again);
    }

    private static QueryRecording read(Path file, List<RecordedExecution> executions) throws IOException {
        try (QueryRecordingReader reader = QueryRecordingReader.open(file)) {
            for (Optional<RecordedExecution> next = reader.next(); next.isPresent(); next = reader.next()) {
                executions.add(next.get());
            }
            return reader.recording();
        }
    }
}
