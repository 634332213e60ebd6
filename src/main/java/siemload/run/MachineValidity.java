package siemload.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import siemload.database.SessionState;
import siemload.results.DatabaseActivity;
import siemload.results.Disturbance;
import siemload.results.HostActivity;
import siemload.results.HostActivity.Pauses;
import siemload.results.MicrosSummary;

/**
 * Whether a machine let a run measure the database, rather than the load generator or other programs. What makes the
 * numbers wrong is a warning; what others cost is a disturbance, measured by how long threads waited because of them; where the
 * database took the CPUs that the load generator needs, that is a sign of its being saturated, as long as most of what was measured
 * is not the load generator's own waiting; what only has to be known is a note. docs/adr/011 says why the limits are where they are.
 */
final class MachineValidity {
    /** The highest share of the CPUs allowed to it that the load generator may take. */
    private static final double GENERATOR_LIMIT = 0.8;

    /** How far percentiles may be off, as a ratio, in a run that is valid. */
    private static final double OFF_LIMIT = 0.05;
    /** How much of what others cost in the worst seconds percentiles show. */
    private static final double OF_WORST = 0.5;
    /** The share of the CPUs, or of what the disks moved, from which on somebody is named. */
    private static final double NAMED_LIMIT = 0.02;

    /** The share of the CPUs that others leave, at least. */
    private static final double LEAST_LEFT = 0.05;
    /** Searches that run at once on average count as so many at least. */
    private static final double LEAST_RUNNING = 0.05;

    private static final long LATE_MICROS = 10_000;
    private static final double LATE_TOLERANCE = 0.1;
    /** Above it, the load generator measures its own waiting, whatever the cause. */
    private static final double OWN_WAIT_LIMIT = 0.5;

    private static final long PAUSE_MICROS = 50_000;
    private static final double PAUSED_LIMIT = 0.01;
    private static final double PAUSED_LIMIT_OF_STEPS = 0.05;
    /** Above it, pauses are no longer those of a process that waits for a CPU. */
    private static final double PAUSED_LIMIT_IF_STARVED = 0.1;

    private static final double SWAP_LIMIT_BYTES_PER_SECOND = 1 << 20;

    private final HostActivity host;
    private final double seconds;
    private final boolean starved;
    private final List<String> causes = new ArrayList<>();
    private double off;
    private final List<String> signs = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private MachineValidity(HostActivity host, double seconds, boolean starved) {
        this.host = host;
        this.seconds = seconds;
        this.starved = starved;
    }

    /**
     * Judges a run.
     *
     * @param host what the machine did; of a machine that was not watched only the generator is judged
     * @param starved whether the database took the CPUs that the load generator shares with it
     * @param generatorCpuRatio the share of its CPUs that the load generator used
     * @param responseTimes of all searches
     * @param running how many searches were running at once on average
     * @param seconds the length of the measured phase
     */
    static MachineValidity of(
            HostActivity host,
            DatabaseActivity database,
            boolean starved,
            double generatorCpuRatio,
            MicrosSummary responseTimes,
            double running,
            double seconds) {
        MachineValidity validity = new MachineValidity(host, seconds, starved);
        validity.checkOthers();
        validity.checkDisks(database, running);
        validity.checkGenerator(generatorCpuRatio);
        validity.checkEventLoops(responseTimes);
        validity.checkPauses(host.pauses());
        return validity.checkMachine();
    }

    /** Judges a procedure, which has no percentiles of many searches, but the time of each step. */
    static MachineValidity ofProcedure(HostActivity host, double generatorCpuRatio, double seconds) {
        MachineValidity validity = new MachineValidity(host, seconds, false);
        validity.checkOthers();
        validity.checkGenerator(generatorCpuRatio);
        validity.checkPausesOfSteps(host.pauses());
        return validity.checkMachine();
    }

    private MachineValidity checkMachine() {
        checkSwap();
        noteSharedCpus();
        return this;
    }

    List<String> warnings() {
        return warnings;
    }

    /** What others cost. */
    Disturbance disturbance() {
        return new Disturbance(Math.round(1_000 * off) / 10.0, isDisturbed() ? causes : List.of());
    }

    private boolean isDisturbed() {
        return off > OFF_LIMIT && !causes.isEmpty();
    }

    /** How it showed that the database took the CPUs. */
    List<String> signs() {
        return signs;
    }

    List<String> notes() {
        return notes;
    }

    private void checkGenerator(double cpuRatio) {
        if (cpuRatio > GENERATOR_LIMIT) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "the load generator used %.0f %% of its CPUs: the numbers describe it, not the database",
                    100 * cpuRatio));
        }
    }

    /** A late timer is part of the response time of the search that waited for it: it matters where that is not much longer. */
    private void checkEventLoops(MicrosSummary responseTimes) {
        MicrosSummary lateness = host.eventLoopLatenessMicros();
        long late = lateness.p99();
        if (late <= LATE_MICROS) {
            return;
        }
        String text =
                String.format(Locale.ROOT, "the load generator's event loops were %.1f ms late at p99", late / 1000.0);
        if (late > LATE_TOLERANCE * responseTimes.p95()) {
            addWaiting(text + ", which is much of the response times", lateness, responseTimes);
        } else {
            notes.add(text + ", which is part of the response times");
        }
    }

    /** Judges a waiting of the load generator itself that is a part of what it measures. */
    private void addWaiting(String text, MicrosSummary waits, MicrosSummary responseTimes) {
        boolean mostly = waits.p50() > OWN_WAIT_LIMIT * responseTimes.p50();
        if (isDisturbed() && !starved) {
            off = Math.max(off, (double) waits.p95() / Math.max(1, responseTimes.p95()));
        } else if (!starved) {
            warnings.add(text + ": this machine has too little CPU for load generator and database together" + shares()
                    + "; use fewer users, or run the load generator on another machine");
        } else if (mostly) {
            warnings.add(
                    text + ": the database took the CPUs" + shares() + ", so that the load generator measured its own"
                            + " waiting for one; run it on another machine, or use fewer users");
        } else {
            signs.add(text + ": the database took the CPUs that the load generator needs, too");
        }
    }

    /**
     * Judges how long searches waited for a worker that was free: their response times hold it.
     *
     * @param waits of all searches
     * @param responseTimes of all searches
     */
    void checkWait(MicrosSummary waits, MicrosSummary responseTimes) {
        long wait = waits.p95();
        if (wait > LATE_MICROS && wait > LATE_TOLERANCE * responseTimes.p95()) {
            addWaiting(
                    String.format(
                            Locale.ROOT, "searches waited %.1f ms at p95 for a worker that was free", wait / 1000.0),
                    waits,
                    responseTimes);
        }
    }

    private String shares() {
        return host.cpus() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        " (load generator %.0f %%, database %.0f %%, others %.0f %%)",
                        100 * host.cpu().generatorCpuRatio(),
                        100 * host.cpu().databaseCpuRatio(),
                        100 * host.cpu().otherCpuRatio());
    }

    private void checkPauses(Pauses pauses) {
        if (pauses.maxMicros() <= PAUSE_MICROS) {
            return;
        }
        String text = text(pauses);
        double ratio = pauses.totalMicros() / (seconds * 1e6);
        if (starved && ratio > PAUSED_LIMIT && ratio <= PAUSED_LIMIT_IF_STARVED) {
            signs.add(text + ": the database took the CPUs that they need");
        } else if (isDisturbed() && ratio > PAUSED_LIMIT && ratio <= PAUSED_LIMIT_IF_STARVED) {
            notes.add(text + ": other programs took the CPUs that they need");
        } else if (ratio > PAUSED_LIMIT) {
            warnings.add(text + ": response times from p99 on may be those of pauses (give it more memory)");
        } else {
            notes.add(text + ": the longest response times may be those of pauses");
        }
    }

    /** Steps last long: a pause is a part of one, and matters by its share. */
    private void checkPausesOfSteps(Pauses pauses) {
        if (pauses.maxMicros() <= PAUSE_MICROS) {
            return;
        }
        if (pauses.totalMicros() > PAUSED_LIMIT_OF_STEPS * seconds * 1e6) {
            warnings.add(text(pauses) + ": steps took that much longer (give it more memory)");
        } else {
            notes.add(text(pauses) + ": steps took that much longer");
        }
    }

    private static String text(Pauses pauses) {
        return String.format(
                Locale.ROOT,
                "the load generator paused for its garbage collector: %d times, %.0f ms in all, at most %.0f ms",
                pauses.count(),
                pauses.totalMicros() / 1000.0,
                pauses.maxMicros() / 1000.0);
    }

    /**
     * Judges what others took from the CPUs by how long threads of database and load generator waited because of them, or, where the
     * system does not tell that, by what they took.
     */
    private void checkOthers() {
        HostActivity.CpuShares cpu = host.cpu();
        double others = cpu.otherCpuRatio() + cpu.stealRatio();
        boolean told = host.contention().waitedSeconds() > 0;
        double ratio = told
                ? Math.max(
                        host.contention().lostRatio(),
                        OF_WORST * host.contention().lostRatioP95())
                : others / Math.max(LEAST_LEFT, 1 - others);
        off = Math.max(off, ratio);
        String heavy = host.heavyProcesses().stream()
                .map(process -> String.format(Locale.ROOT, "%s %.0f %%", process.name(), 100 * process.cpuRatio()))
                .collect(Collectors.joining(", "));
        if (cpu.otherCpuRatio() > NAMED_LIMIT) {
            causes.add(String.format(
                    Locale.ROOT,
                    "other programs (%s) took CPU time",
                    heavy.isEmpty()
                            ? String.format(Locale.ROOT, "%.0f %% together", 100 * cpu.otherCpuRatio())
                            : heavy));
        }
        if (cpu.stealRatio() > NAMED_LIMIT) {
            causes.add(String.format(
                    Locale.ROOT, "the hypervisor gave %.0f %% of the CPU time to others", 100 * cpu.stealRatio()));
        }
        if (causes.isEmpty() && ratio > OFF_LIMIT) {
            causes.add("other programs took CPU time in some seconds");
        }
        if (ratio <= OFF_LIMIT && !heavy.isEmpty()) {
            notes.add("other programs were busy on this machine (" + heavy + " of all CPUs)");
        }
        if (ratio > OFF_LIMIT && !told) {
            notes.add(
                    "this system does not tell how long threads wait for a CPU: how far the percentiles are off is guessed"
                            + " by what other programs took");
        }
    }

    /** Judges what others moved on the disks by how many sessions waited for one, as far as the database tells both. */
    private void checkDisks(DatabaseActivity database, double running) {
        long readings = database.counters().getOrDefault(SessionState.READINGS, 0L);
        if (readings == 0 || host.cpu().databaseCpuRatio() == 0) {
            return;
        }
        double waiting = (double) database.counters().getOrDefault(SessionState.IO.counter(), 0L) / readings;
        double read =
                host.disks().stream().mapToLong(HostActivity.Disk::readBytes).sum();
        double written =
                host.disks().stream().mapToLong(HostActivity.Disk::writtenBytes).sum();
        double byOthers = Math.max(
                        0,
                        read
                                - database.io().stream()
                                        .mapToLong(DatabaseActivity.Io::readBytes)
                                        .sum())
                + Math.max(
                        0,
                        written
                                - database.io().stream()
                                        .mapToLong(DatabaseActivity.Io::writtenBytes)
                                        .sum());
        double othersRatio = byOthers / Math.max(1, read + written);
        double ratio = waiting * othersRatio / Math.max(running, LEAST_RUNNING);
        if (ratio > OFF_LIMIT && othersRatio > OWN_WAIT_LIMIT) {
            causes.add(String.format(
                    Locale.ROOT, "other programs moved %.0f %% of what the disks read and wrote", 100 * othersRatio));
            off = Math.max(off, ratio);
        }
    }

    private void checkSwap() {
        long bytes = host.transfers().swapInBytes() + host.transfers().swapOutBytes();
        if (bytes == 0) {
            return;
        }
        String text = String.format(Locale.ROOT, "this machine swapped %.1f MB", bytes / (double) (1 << 20));
        if (bytes > SWAP_LIMIT_BYTES_PER_SECOND * seconds) {
            warnings.add(text + ": it has too little memory");
        } else {
            notes.add(text);
        }
    }

    private void noteSharedCpus() {
        if (host.cpu().databaseCpuRatio() > 0) {
            notes.add(String.format(
                    Locale.ROOT,
                    "database and load generator share the %d CPUs of this machine; they took %.0f %% and %.0f %% of them",
                    host.cpus(),
                    100 * host.cpu().databaseCpuRatio(),
                    100 * host.cpu().generatorCpuRatio()));
        }
    }
}
