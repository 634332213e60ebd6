package siemload.run;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import siemload.results.HostActivity.HostFigures;
import siemload.results.LoggedJob;
import siemload.results.LoggedJob.JobItem;
import siemload.results.RunFile;
import siemload.results.StepRecord;
import siemload.results.TableReader;
import siemload.results.statistics.JobCourse;
import siemload.results.statistics.JobCourse.SteadyPart;

/**
 * Holds the jobs of a run against what its files say of them, and adds what the machine did during each one. Immutable.
 *
 * @param steps those of the run, those of jobs with what the machine did
 * @param warnings what makes the run one that is not valid
 * @param notes what has to be known
 */
record JobReview(List<StepRecord> steps, List<String> warnings, List<String> notes) {
    private static final String JOB = "job";
    private static final String IN_FLIGHT = "inFlight";
    private static final String SERVERS = "servers";
    /** Of a shorter job the seconds of the machine say too little. */
    private static final double SHORTEST_SECONDS = 2;

    JobReview {
        steps = List.copyOf(steps);
        warnings = List.copyOf(warnings);
        notes = List.copyOf(notes);
    }

    /**
     * Reads what was written.
     *
     * @param cpus of the machine; 0 where nobody looked
     */
    static JobReview of(Path directory, List<StepRecord> steps, int cpus) {
        if (steps.stream().noneMatch(JobReview::isJob)) {
            return new JobReview(steps, List.of(), List.of());
        }
        try {
            Map<Integer, LoggedJob> jobs =
                    LoggedJob.read(directory).stream().collect(Collectors.toMap(LoggedJob::number, job -> job));
            return new Reviewing(jobs, Second.read(directory), cpus).review(steps);
        } catch (NoSuchFileException nothingWritten) {
            return new Reviewing(Map.of(), List.of(), cpus).review(steps);
        } catch (IOException unreadable) {
            return new JobReview(
                    steps,
                    List.of("the jobs cannot be held against their files: " + unreadable.getMessage()),
                    List.of());
        }
    }

    private static boolean isJob(StepRecord step) {
        return step.facts().containsKey(JOB);
    }

    /** The review while it is made. */
    private static final class Reviewing {
        private final Map<Integer, LoggedJob> jobs;
        private final List<Second> machine;
        private final int cpus;
        private final List<String> warnings = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();

        Reviewing(Map<Integer, LoggedJob> jobs, List<Second> machine, int cpus) {
            this.jobs = jobs;
            this.machine = machine;
            this.cpus = cpus;
        }

        JobReview review(List<StepRecord> steps) {
            List<StepRecord> reviewed = steps.stream()
                    .map(step -> isJob(step) ? review(step) : step)
                    .toList();
            return new JobReview(reviewed, warnings, notes);
        }

        private StepRecord review(StepRecord step) {
            int number = number(step, JOB);
            String name = step.name() + " (number " + number + ")";
            Optional<LoggedJob> logged = Optional.ofNullable(jobs.get(number));
            if (logged.isEmpty()) {
                if (!wasInterrupted(step)) {
                    warnings.add(name + ": none of its items was logged");
                }
                return step;
            }
            LoggedJob job = logged.orElseThrow();
            checkComplete(name, step, job);
            checkInFlight(name, step, job);
            checkFailures(name, step, job);
            checkLittlesLaw(name, step, job);
            return step.failed() ? step : withMachine(step, job);
        }

        private void checkComplete(String name, StepRecord step, LoggedJob job) {
            if (!wasInterrupted(step) && job.items().size() != job.level()) {
                warn("%s: %d of its items were logged", name, job.items().size());
            }
        }

        /** Then items may be missing, or all of them. */
        private static boolean wasInterrupted(StepRecord step) {
            return step.facts().containsKey("interrupted");
        }

        /** Whoever measures twenty at once must not have had twenty-one. */
        private void checkInFlight(String name, StepRecord step, LoggedJob job) {
            int allowed = number(step, IN_FLIGHT);
            job.items().stream()
                    .collect(Collectors.groupingBy(item -> item.slot().server(), TreeMap::new, Collectors.toList()))
                    .forEach((server, items) -> {
                        int most = JobCourse.of(items, allowed).mostInFlight();
                        if (most > allowed) {
                            warn(
                                    "%s: %d items were at work at once on server %d (allowed: %d)",
                                    name, most, server, allowed);
                        }
                    });
        }

        private void checkFailures(String name, StepRecord step, LoggedJob job) {
            long failed = job.items().stream().filter(JobItem::hasFailed).count();
            if (failed > 0 && !step.failed()) {
                warn(
                        "%s: %d items failed, with %d of their searches%s",
                        name,
                        failed,
                        job.items().stream().mapToLong(JobItem::failed).sum(),
                        Optional.ofNullable(step.facts().get("firstFailure"))
                                .map(why -> " (the first one: " + why + ")")
                                .orElse(""));
            }
        }

        private void checkLittlesLaw(String name, StepRecord step, LoggedJob job) {
            int slots = number(step, IN_FLIGHT) * number(step, SERVERS);
            Optional<SteadyPart> steady = JobCourse.of(job.items(), slots).steady();
            steady.filter(part -> !part.holds())
                    .ifPresent(part -> notes.add(String.format(
                            Locale.ROOT,
                            "%s: Little's law does not hold within %.0f %% in its steady part of %.1f s: %.1f items a"
                                    + " minute ended, but %d at once that take %.1f ms each make %.1f (factor %.3f)",
                            name,
                            100 * SteadyPart.TOLERANCE,
                            part.micros() / 1e6,
                            part.itemsPerMinute(),
                            slots,
                            part.itemMicros() / 1e3,
                            part.littleItemsPerMinute(),
                            part.littleFactor())));
        }

        private StepRecord withMachine(StepRecord step, LoggedJob job) {
            double seconds = job.endSecond() - job.startSecond();
            if (seconds < SHORTEST_SECONDS || cpus == 0) {
                return step;
            }
            Map<String, Double> figures = new TreeMap<>(step.figures());
            ToDoubleFunction<ToDoubleFunction<Second>> sum = of -> machine.stream()
                    .mapToDouble(second -> second.within(job.startSecond(), job.endSecond()) * of.applyAsDouble(second))
                    .sum();
            double covered = sum.applyAsDouble(second -> 1);
            if (covered > 0) {
                double ratio = sum.applyAsDouble(Second::databaseRatio) / covered;
                double database = ratio * cpus * seconds;
                figures.put("databaseCpuRatio", ratio);
                figures.put("hostCpuRatio", sum.applyAsDouble(Second::busyRatio) / covered);
                figures.put("networkBytes", sum.applyAsDouble(Second::networkBytes));
                figures.put("databaseCpuSeconds", database);
                figures.put("databaseCpuSecondsPerServer", database / number(step, SERVERS));
            }
            return new StepRecord(step.name(), step.facts(), figures, step.io());
        }

        private void warn(String format, Object... values) {
            warnings.add(String.format(Locale.ROOT, format, values));
        }

        private static int number(StepRecord step, String fact) {
            return Integer.parseInt(step.facts().getOrDefault(fact, "1"));
        }
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
