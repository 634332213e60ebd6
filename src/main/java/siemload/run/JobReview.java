package siemload.run;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import siemload.results.HostActivity.HostFigures;
import siemload.results.RunFile;
import siemload.results.StepRecord;
import siemload.results.TableReader;

/**
 * Looks whether the jobs of a run were what was asked for, and adds what the machine did during each one. Stateless.
 */
final class JobReview {
    /** Of a shorter job the seconds of the machine say too little. */
    private static final double SHORTEST_SECONDS = 2;

    private JobReview() {}

    /**
     * Reviews the steps of a run.
     *
     * @param directory has {@code host.csv}
     * @param cpus of the machine; 0 where nobody looked
     * @param found takes what has to be said of them
     * @return those of the run, those of jobs with what the machine did
     */
    static List<StepRecord> of(Path directory, List<StepRecord> steps, int cpus, Findings found) {
        if (steps.stream().noneMatch(JobReview::isJob)) {
            return steps;
        }
        List<Second> machine = new ArrayList<>();
        try {
            machine.addAll(Second.read(directory));
        } catch (NoSuchFileException nothingSeen) {
            // Nobody looked.
        } catch (IOException unreadable) {
            found.fault("what the machine did during the jobs is unknown: " + unreadable.getMessage());
        }
        List<StepRecord> reviewed = new ArrayList<>();
        for (StepRecord step : steps) {
            if (isJob(step) && !step.failed()) {
                review(step, found);
                reviewed.add(cpus == 0 ? step : withMachine(step, machine, cpus));
            } else {
                reviewed.add(step);
            }
        }
        return reviewed;
    }

    private static boolean isJob(StepRecord step) {
        return step.facts().containsKey("job");
    }

    private static void review(StepRecord step, Findings found) {
        String name = step.name() + " (number " + step.facts().get("job") + ")";
        found.faultIf(
                figure(step, "failedItems") > 0,
                "%s: %.0f items failed, with %.0f of their searches%s",
                name,
                figure(step, "failedItems"),
                figure(step, "failedSearches"),
                Optional.ofNullable(step.facts().get("firstFailure"))
                        .map(why -> " (the first one: " + why + ")")
                        .orElse(""));
    }

    private static StepRecord withMachine(StepRecord step, List<Second> machine, int cpus) {
        double seconds = figure(step, "seconds");
        double start = figure(step, "startSecond");
        ToDoubleFunction<ToDoubleFunction<Second>> sum = of -> machine.stream()
                .mapToDouble(second -> second.within(start, start + seconds) * of.applyAsDouble(second))
                .sum();
        double covered = sum.applyAsDouble(second -> 1);
        if (seconds < SHORTEST_SECONDS || covered == 0) {
            return step;
        }
        Map<String, Double> figures = new TreeMap<>(step.figures());
        double ratio = sum.applyAsDouble(Second::databaseRatio) / covered;
        double database = ratio * cpus * seconds;
        figures.put("databaseCpuRatio", ratio);
        figures.put("hostCpuRatio", sum.applyAsDouble(Second::busyRatio) / covered);
        figures.put("networkBytes", sum.applyAsDouble(Second::networkBytes));
        figures.put("databaseCpuSeconds", database);
        figures.put("databaseCpuSecondsPerServer", database / number(step, "servers"));
        return new StepRecord(step.name(), step.facts(), figures, step.io());
    }

    private static int number(StepRecord step, String fact) {
        return Integer.parseInt(step.facts().getOrDefault(fact, "1"));
    }

    private static double figure(StepRecord step, String name) {
        return step.figures().getOrDefault(name, 0.0);
    }

    /**
     * A second of this host in {@code host.csv}: shares of all CPUs by databases and by all processes, and what went over networks.
     *
     * @param start when it began, since the start of the measured phase
     */
    private record Second(double start, double end, double databaseRatio, double busyRatio, double networkBytes) {
        /** The seconds of a run; of one that lies in a part with one half only, one half counts. */
        static List<Second> read(Path directory) throws IOException {
            List<Second> seconds = new ArrayList<>();
            new TableReader(directory, RunFile.HOST).read(row -> {
                if (!row.text("host").equals(HostFigures.THIS_HOST)) {
                    return;
                }
                double end = row.second();
                double start = seconds.isEmpty() ? end - 1 : seconds.get(seconds.size() - 1).end;
                double database = row.number("databaseCpuRatio");
                double others =
                        row.number("generatorCpuRatio") + row.number("otherCpuRatio") + row.number("kernelCpuRatio");
                double network = row.number("networkReceivedBytes") + row.number("networkSentBytes");
                if (end > start) {
                    seconds.add(new Second(start, end, database, database + others, network));
                }
            });
            return seconds;
        }

        double within(double from, double until) {
            return Math.max(0, Math.min(until, end) - Math.max(from, start));
        }
    }
}
