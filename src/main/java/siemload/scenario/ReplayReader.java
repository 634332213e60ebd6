package siemload.scenario;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.config.Choices;
import siemload.config.Durations;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.query.SearchName;
import siemload.scenario.replay.QueryRecording;
import siemload.scenario.replay.QueryRecordingReader;
import siemload.scenario.replay.RecordedQuery;

/**
 * Reads what is replayed, and at which speed.
 *
 * @param directory of the scenario, beside which the recording lies
 */
record ReplayReader(ValueLog log, Settings settings, Problems problems, Path directory) {
    private static final String GROUP = "sessions";
    private static final ValueType<Double> SPEED = ValueType.number(0.01, 100);

    /**
     * What a scenario does that replays.
     *
     * @param group all sessions of the recording
     * @param statements that they ask; those are missing that are left out
     * @param phases which follow from the recording
     */
    record Replay(AnalystGroup group, List<StatementPlan> statements, Phases phases) {}

    /** Reads it; empty where the recording cannot be read, which is noted. */
    Optional<Replay> read(YamlNode node) {
        YamlNode written = node.required("recording");
        String name = log.value(written, ValueType.text());
        double speed = log.optional(node, "speed", SPEED, "1");
        Optional<YamlNode> without = node.optional("without");
        if (name.isEmpty()) {
            return Optional.empty();
        }
        try {
            QueryRecording recording = QueryRecordingReader.headOf(FileBeside.find(directory, name));
            List<RecordedQuery> asked = asked(recording, without);
            return asked.isEmpty() ? Optional.empty() : Optional.of(replay(recording, asked, speed));
        } catch (IOException | IllegalArgumentException unreadable) {
            written.problem(String.valueOf(unreadable.getMessage()));
            return Optional.empty();
        }
    }

    private List<RecordedQuery> asked(QueryRecording recording, Optional<YamlNode> without) {
        Map<String, SearchName> names = new LinkedHashMap<>();
        recording
                .queries()
                .forEach(query -> names.put(
                        query.statement().name().name(), query.statement().name()));
        Set<SearchName> left = new LinkedHashSet<>();
        for (YamlNode element : without.map(YamlNode::elements).orElse(List.of())) {
            left.add(log.value(element, ValueType.choice(new Choices<>(names))));
        }
        List<RecordedQuery> asked = new ArrayList<>(recording.queries());
        asked.removeIf(query -> left.contains(query.statement().name()));
        if (asked.isEmpty() && problems.isEmpty()) {
            without.ifPresent(node -> node.problem("leaves nothing to be asked"));
        }
        return asked;
    }

    private Replay replay(QueryRecording recording, List<RecordedQuery> asked, double speed) {
        LoadModel.Replayed load = new LoadModel.Replayed(recording, speed);
        Map<SearchName, Double> mix = new LinkedHashMap<>();
        List<StatementPlan> statements = new ArrayList<>();
        for (RecordedQuery query : asked) {
            mix.put(query.statement().name(), 1.0);
            statements.add(plan(query));
        }
        AnalystGroup.Searched searched = AnalystGroup.Searched.ofStatements(new Weights<>(mix));
        AnalystGroup group = AnalystGroup.ofTasks(GROUP, load, searched, new ResultReading.Whole());
        return new Replay(group, statements, phases(load));
    }

    /** Plans are shown for the example; the load has the values of each execution. */
    private static StatementPlan plan(RecordedQuery query) {
        List<String> parameters = query.statement().text().parameters();
        ValueRows example = parameters.isEmpty() ? ValueRows.NONE : new ValueRows(parameters, List.of(query.example()));
        return new StatementPlan(query.statement(), Map.of(), example);
    }

    private Phases phases(LoadModel.Replayed load) {
        settings.setting(Property.WARMUP)
                .ifPresent(warmup -> problems.add(
                        warmup.origin(),
                        "is no part of a replay, in which everything that was recorded counts (leave it out)"));
        Duration whole = load.length();
        log.put("phases.warmup", Durations.format(LoadModel.Replayed.LEAD), new Origin.Default());
        log.put("phases.measurement", Durations.format(whole), new Origin.Default());
        Duration measurement = log.override("phases.measurement", Property.DURATION, whole);
        Optional<Setting> given = settings.setting(Property.DURATION);
        if (measurement.compareTo(whole) > 0 && given.isPresent()) {
            problems.add(
                    given.get().origin(),
                    "is longer than the recording, which takes " + Durations.format(whole) + " at speed " + load.speed()
                            + " (give less to cut it, or leave this out)");
        }
        return new Phases(LoadModel.Replayed.LEAD, measurement);
    }
}
