package siemload.compare.capacity;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import siemload.compare.capacity.Trial.TrialFigures;
import siemload.compare.experiment.RunFigures;
import siemload.compare.experiment.RunFiguresReader;
import siemload.results.FeederResult;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.RunResultFile;
import siemload.results.RunVerdict;
import siemload.run.Exhaustion;

/** Reads from the files of a run what it says of its load. Stateless. */
final class TrialReader {
    private TrialReader() {}

    /**
     * Reads the directory of a run. One that missed something while other programs disturbed it says nothing the first time, so that it is made
     * again; one that met all did so in spite of them.
     *
     * @param search which search it is of
     * @param load of the run
     * @param directory of its results, below {@code whole}
     * @param before what earlier runs at this load said
     * @throws IOException if a file is missing or broken; the message names it
     */
    static Trial read(int search, double load, Path whole, Path directory, double seconds, List<TrialOutcome> before)
            throws IOException {
        RunResult run = RunResultFile.read(RunFile.RUN.in(directory));
        RunFigures figures = RunFiguresReader.read(directory);
        List<String> nothing = nothing(run, figures);
        List<String> missed = missed(run);
        if (nothing.isEmpty()
                && !missed.isEmpty()
                && run.validity().verdict() == RunVerdict.DISTURBED
                && !before.contains(TrialOutcome.INVALID)) {
            nothing.add("disturbed: " + run.validity().disturbance().sentence() + "; " + missed.get(0));
        }
        TrialOutcome outcome =
                !nothing.isEmpty() ? TrialOutcome.INVALID : missed.isEmpty() ? TrialOutcome.MET : TrialOutcome.NOT_MET;
        return new Trial(
                search,
                load,
                outcome,
                nothing.isEmpty() ? missed : nothing,
                outcome == TrialOutcome.NOT_MET ? gaveOut(run) : List.of(),
                figures(run, figures.figures()),
                whole.relativize(directory).toString(),
                seconds);
    }

    /** Why it says nothing; empty if it says something. */
    private static List<String> nothing(RunResult run, RunFigures figures) {
        List<String> nothing = new ArrayList<>(figures.invalid());
        run.objectives().stream()
                .filter(ObjectiveResult::hasTooFew)
                .forEach(objective -> nothing.add(objective.text() + ": " + objective.reason()));
        if (run.objectives().isEmpty()) {
            nothing.add("the run was held to no objective");
        }
        return nothing;
    }

    /**
     * The objectives that were missed, by the measured value: near the answer its interval holds the limit in every run, and only
     * many runs together say more. And by what it showed that the database did not keep up. */
    private static List<String> missed(RunResult run) {
        List<String> missed = new ArrayList<>();
        run.objectives().stream()
                .filter(objective -> !objective.met())
                .forEach(objective -> missed.add(objective.text() + ": " + objective.measured()));
        if (run.validity().saturation().seen()) {
            missed.addAll(run.validity().saturation().signs());
        }
        return missed;
    }

    private static List<String> gaveOut(RunResult run) {
        List<String> gaveOut = run.validity().saturation().gaveOut();
        return gaveOut.isEmpty() ? Exhaustion.usedUp(run) : gaveOut;
    }

    private static TrialFigures figures(RunResult run, Map<String, Map<String, Double>> figures) {
        String subject = run.objectives().stream()
                .map(objective -> objective.text().strip().split("\\s+", 2)[0])
                .filter(figures::containsKey)
                .filter(name -> !name.equals(RunFigures.FEEDER))
                .findFirst()
                .orElse(RunFigures.ALL);
        Map<String, Double> times = figures.getOrDefault(subject, Map.of());
        FeederResult feeder = run.measured().feeder();
        return new TrialFigures(
                subject,
                times.getOrDefault("p50", 0.0),
                times.getOrDefault("p95", 0.0),
                times.getOrDefault("p99", 0.0),
                figures.getOrDefault(RunFigures.ALL, Map.of()).getOrDefault("throughput", 0.0),
                feeder.eventsPerSecond(),
                feeder.achievedEventsPerSecond());
    }
}
