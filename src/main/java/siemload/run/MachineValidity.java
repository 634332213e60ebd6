package siemload.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import siemload.results.HostActivity;
import siemload.results.HostActivity.Pauses;
import siemload.results.MicrosSummary;

/**
 * Whether a machine let a run measure the database, rather than the load generator or other programs. What makes the
 * numbers wrong is a warning; what only has to be known is a note. docs/adr/011 says why the limits are where they are.
 */
final class MachineValidity {
    /** The highest share of the CPUs allowed to it that the load generator may take. */
    private static final double GENERATOR_LIMIT = 0.8;

    private static final double STEAL_LIMIT = 0.05;
    private static final double OTHERS_LIMIT = 0.1;
    private static final long LATE_MICROS = 10_000;
    private static final double LATE_TOLERANCE = 0.1;
    private static final long PAUSE_MICROS = 50_000;
    private static final double PAUSED_LIMIT = 0.01;
    private static final double PAUSED_LIMIT_OF_STEPS = 0.05;
    private static final double SWAP_LIMIT_BYTES_PER_SECOND = 1 << 20;

    private final HostActivity host;
    private final double seconds;
    private final List<String> warnings = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private MachineValidity(HostActivity host, double seconds) {
        this.host = host;
        this.seconds = seconds;
    }

    /**
     * Judges a run.
     *
     * @param host what the machine did; of a machine that nobody watched only the generator is judged
     * @param generatorCpuRatio the share of its CPUs that the load generator used
     * @param responseTimes of all searches
     * @param seconds the length of the measured phase
     */
    static MachineValidity of(
            HostActivity host, double generatorCpuRatio, MicrosSummary responseTimes, double seconds) {
        MachineValidity validity = new MachineValidity(host, seconds);
        validity.checkGenerator(generatorCpuRatio);
        validity.checkEventLoops(responseTimes);
        validity.checkPauses(host.pauses());
        validity.checkOthers();
        validity.checkSwap();
        validity.noteSharedCpus();
        return validity;
    }

    /** Judges a procedure, which has no percentiles of many searches, but the time of each step. */
    static MachineValidity ofProcedure(HostActivity host, double generatorCpuRatio, double seconds) {
        MachineValidity validity = new MachineValidity(host, seconds);
        validity.checkGenerator(generatorCpuRatio);
        validity.checkPausesOfSteps(host.pauses());
        validity.checkOthers();
        validity.checkSwap();
        validity.noteSharedCpus();
        return validity;
    }

    List<String> warnings() {
        return warnings;
    }

    List<String> notes() {
        return notes;
    }

    private void checkGenerator(double cpuRatio) {
        if (cpuRatio > GENERATOR_LIMIT) {
            warn(
                    "the load generator used %.0f %% of its CPUs: the numbers describe it, not the database",
                    100 * cpuRatio);
        }
    }

    /** A late timer is part of the response time of whoever waited for it: it matters where that is not much longer. */
    private void checkEventLoops(MicrosSummary responseTimes) {
        long late = host.eventLoopLatenessMicros().p99();
        if (late <= LATE_MICROS) {
            return;
        }
        String text =
                String.format(Locale.ROOT, "the load generator's event loops were %.1f ms late at p99", late / 1000.0);
        if (late > LATE_TOLERANCE * responseTimes.p95()) {
            warnings.add(text + ", which is much of the response times: this machine has too little CPU for the load");
        } else {
            notes.add(text + ", which is part of the response times");
        }
    }

    private void checkPauses(Pauses pauses) {
        if (pauses.maxMicros() <= PAUSE_MICROS) {
            return;
        }
        String text = text(pauses);
        if (pauses.totalMicros() > PAUSED_LIMIT * seconds * 1e6) {
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

    private void checkOthers() {
        if (host.cpu().stealRatio() > STEAL_LIMIT) {
            warn(
                    "the hypervisor gave %.0f %% of this machine's CPU time to others (steal)",
                    100 * host.cpu().stealRatio());
        }
        String heavy = host.heavyProcesses().stream()
                .map(process -> String.format(Locale.ROOT, "%s %.0f %%", process.name(), 100 * process.cpuRatio()))
                .collect(Collectors.joining(", "));
        if (host.cpu().otherCpuRatio() > OTHERS_LIMIT) {
            String names = heavy.isEmpty() ? "none of them took much alone" : heavy;
            warn(
                    "other programs took %.0f %% of all CPUs (%s)",
                    100 * host.cpu().otherCpuRatio(), names);
        } else if (!heavy.isEmpty()) {
            notes.add("other programs were busy on this machine (" + heavy + " of all CPUs)");
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

    private void warn(String format, Object... values) {
        warnings.add(String.format(Locale.ROOT, format, values));
    }
}
