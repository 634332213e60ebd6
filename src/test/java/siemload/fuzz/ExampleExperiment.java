package siemload.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Experiment;
import siemload.compare.experiment.Experiment.Axis;
import siemload.compare.experiment.Experiment.ComparedVariant;
import siemload.compare.experiment.GateResult;
import siemload.compare.experiment.GateResult.ExactChange;
import siemload.compare.experiment.GateResult.Outcome;
import siemload.compare.experiment.Ledger;
import siemload.compare.experiment.Metric;
import siemload.results.report.ExampleRun;

/** An experiment with two numbers of users, one of whose runs is missing; all others are the same one. */
final class ExampleExperiment {
    private static final List<String> USERS = List.of("1", "2");

    static final Experiment EXPERIMENT = new Experiment(
            "users",
            "Does it matter?",
            Experiment.Kind.SCALING,
            List.of(new Axis("users", USERS)),
            USERS.stream()
                    .map(value -> new ComparedVariant(value, Map.of("users", value)))
                    .toList(),
            Map.of("scenario", "hawat"),
            new Experiment.Judgement("1", new Metric("p50"), List.of(new Metric("throughput")), 0.05, List.of()),
            2,
            1,
            List.of());

    private ExampleExperiment() {}

    static void write(Path directory) throws IOException {
        new Ledger(directory, EXPERIMENT).close();
        List<String> ended = new ArrayList<>();
        List<Ledger.Slot> slots = Ledger.slots(EXPERIMENT);
        for (Ledger.Slot slot : slots.subList(0, slots.size() - 1)) {
            Path run = ExampleRun.copyWithShortLogsTo(directory.resolve("runs").resolve("" + slot.position()));
            ended.add(String.format(
                    "{\"position\":%d,\"block\":%d,\"variant\":\"%s\",\"directory\":\"%s\",\"seconds\":30.5,\"otherSeconds\":0}",
                    slot.position() + 1, slot.block(), slot.variant().label(), directory.relativize(run)));
        }
        Files.writeString(directory.resolve("runs.json"), "{\"runs\":[" + String.join(",\n", ended) + "]}");
    }

    static GateResult gate(Comparison paired) {
        ExactChange change = new ExactChange("plan", "HAWAT1 first", "index", "full scan");
        return new GateResult(
                "hawat",
                "2026-11-21T02:00:00Z",
                Outcome.REGRESSION,
                List.of(change.sentence()),
                List.of(change),
                List.of(),
                List.of("rows"),
                paired.verdicts(),
                paired.verdicts(),
                List.of("HAWAT3 has no ratio"),
                11,
                11,
                paired);
    }
}
