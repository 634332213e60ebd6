package siemload.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugins;
import siemload.run.learn.CountLearner;
import siemload.run.learn.CountedScenario;
import siemload.run.learn.LearntQueries;
import siemload.run.learn.LearntReplay;
import siemload.run.learn.LearntScenario;
import siemload.run.learn.QueryLearner;
import siemload.scenario.ScenarioReader;
import siemload.scenario.replay.QueryRecording;
import siemload.scenario.replay.QueryRecordingReader;
import siemload.scenario.replay.QueryRecordingWriter;
import siemload.scenario.replay.RecordedExecution;

/** Learns from a log of queries, or from counts of them, and reads what was learnt: it is a fault if that is refused. */
final class LearntQuery {
    private static final String NO_VALUES = " has no values (";
    private static final TargetPlugin COUNTING = plugin("postgresql");

    private LearntQuery() {}

    private static TargetPlugin plugin(String target) {
        return TargetPlugins.find(target).orElseThrow();
    }

    /** @param target whose server is said to have written the log */
    static void learn(String target, Path log, Path scenario) throws IOException {
        learn(plugin(target), log, scenario, false);
        learn(plugin(target), log, scenario, true);
    }

    private static void learn(TargetPlugin plugin, Path log, Path scenario, boolean writes) throws IOException {
        QueryLearner.Taken taken = new QueryLearner.Taken(Optional.empty(), Optional.empty(), List.of(), writes);
        LearntScenario.of(scenario).write(QueryLearner.learn(plugin, List.of(log), taken, 1, file -> {}));
        requireNoProblem(scenario, problem -> false);
        LearntQueries unused = LearntReplay.of(scenario).write(plugin, List.of(log), taken, 1, file -> {});
        requireNoProblem(scenario, problem -> false);
    }

    /** Counts up to each snapshot, and from the first one to the last. Counts have no values, for which a scenario waits. */
    static void count(List<Path> snapshots, Path scenario) throws IOException {
        for (boolean writes : new boolean[] {false, true}) {
            QueryLearner.Taken taken = new QueryLearner.Taken(Optional.empty(), Optional.empty(), List.of(), writes);
            for (Path snapshot : snapshots) {
                count(List.of(snapshot), taken, scenario);
            }
            count(List.of(snapshots.get(0), snapshots.get(snapshots.size() - 1)), taken, scenario);
        }
    }

    private static void count(List<Path> snapshots, QueryLearner.Taken taken, Path scenario) throws IOException {
        if (CountLearner.areSnapshots(COUNTING, snapshots)) {
            new CountedScenario(scenario).write(CountLearner.learn(COUNTING, snapshots, taken));
            requireNoProblem(scenario, problem -> problem.contains(NO_VALUES));
        }
    }

    private static void requireNoProblem(Path scenario, Predicate<String> expected) {
        Settings settings = Settings.of(new SettingSources(
                Map.of(Property.SCENARIO.name(), scenario.toString(), Property.DATA.name(), "existing"),
                Map.of(),
                Map.of()));
        try {
            ScenarioReader.read(Path.of(""), settings);
        } catch (ConfigException refused) {
            if (!refused.problems().stream().allMatch(problem -> expected.test(problem.message()))) {
                throw new IllegalStateException("what was learnt is refused: " + refused.getMessage(), refused);
            }
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
        try (QueryRecordingWriter writer = new QueryRecordingWriter(copy)) {
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
