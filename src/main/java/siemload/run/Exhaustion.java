package siemload.run;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import siemload.database.Counters.SessionState;
import siemload.results.DatabaseActivity;
import siemload.results.HostActivity;
import siemload.results.HostActivity.CpuShares;
import siemload.results.RunResult;
import siemload.run.LoadRun.LoadLimits;

/**
 * What a database had used up while it was under load, as far as its machine and its own counters tell: nothing of this is a
 * fault of a run by itself. docs/adr/035 says why the limits are where they are.
 */
public final class Exhaustion {
    /** The share of the CPUs from which on none is free for more. */
    private static final double CPU_LIMIT = 0.9;
    /** The least share of all CPUs with which a database may have taken them from others. */
    private static final double DATABASE_LEAST = 0.5;
    /** How many times as much CPU as the load generator it then took. */
    private static final double DATABASE_TO_GENERATOR = 2;

    private static final double DISK_LIMIT = 0.9;
    private static final double IOWAIT_LIMIT = 0.3;
    private static final double SESSIONS_LIMIT = 0.5;
    private static final double WORKERS_LIMIT = 0.9;

    private final HostActivity host;
    private final LoadLimits limits;
    private final Map<SessionState, Double> sessions = new EnumMap<>(SessionState.class);
    private final List<Resource> resources = new ArrayList<>();

    private Exhaustion(HostActivity host, DatabaseActivity database, LoadLimits limits) {
        this.host = host;
        this.limits = limits;
        long readings = database.counters().getOrDefault(SessionState.READINGS, 0L);
        for (SessionState state : SessionState.values()) {
            long found = database.counters().getOrDefault(state.counter(), 0L);
            sessions.put(state, readings == 0 ? 0 : (double) found / readings);
        }
    }

    /**
     * Something that there was no more of.
     *
     * @param words what it was, with the figures
     * @param advice what to change
     */
    record Resource(String words, String advice) {}

    /** Looks for what gave out; the weightiest comes first. */
    static Exhaustion of(HostActivity host, DatabaseActivity database, LoadLimits limits) {
        Exhaustion exhaustion = new Exhaustion(host, database, limits);
        exhaustion.lookAtCpus();
        String locked = exhaustion.waiting(SessionState.LOCK, "for others that hold locks");
        exhaustion.addIf(
                !locked.isEmpty(),
                "look for who holds the locks; fewer users, or smaller batches of the feeder",
                "locks (%s)",
                locked);
        exhaustion.lookAtDisks();
        exhaustion.lookAtServer();
        return exhaustion;
    }

    /**
     * What the database of a run had used up, in words, the weightiest first: also of one that kept up, but was slower than it should
     * be. Empty where nothing was seen.
     */
    public static List<String> usedUp(RunResult run) {
        LoadLimits unknown = new LoadLimits(0, false, 0, false);
        return of(run.measured().host(), run.measured().database(), unknown).resources().stream()
                .map(Resource::words)
                .toList();
    }

    /** What the database had used up; empty where nothing was seen. */
    List<Resource> resources() {
        return List.copyOf(resources);
    }

    /**
     * Whether the load generator had to wait for CPUs that the database had taken: it shares them with the database, they were
     * all in use, and the database used by far the most of them.
     */
    boolean starvesGenerator() {
        CpuShares cpu = host.cpu();
        double all = cpu.databaseCpuRatio()
                + cpu.generatorCpuRatio()
                + cpu.otherCpuRatio()
                + host.contention().kernelCpuRatio();
        return all >= CPU_LIMIT
                && cpu.databaseCpuRatio() >= DATABASE_LEAST
                && cpu.databaseCpuRatio() >= DATABASE_TO_GENERATOR * cpu.generatorCpuRatio();
    }

    /** Whether the server says that its sessions mostly waited for the load generator. */
    boolean waitsForGenerator() {
        return atWork() > 0 && share(SessionState.CLIENT) >= SESSIONS_LIMIT;
    }

    private void lookAtCpus() {
        CpuShares cpu = host.cpu();
        boolean limited = limits.databaseCpus() > 0 && limits.databaseCpus() < host.cpus();
        double ofOwn = limited ? cpu.databaseCpuRatio() * host.cpus() / limits.databaseCpus() : 0;
        addIf(
                ofOwn >= CPU_LIMIT,
                "more CPUs for the database, fewer users, or a longer think time",
                "the CPUs of the database (it took %.0f %% of the %s that it may use)",
                100 * ofOwn,
                plain(limits.databaseCpus()));
        addIf(
                ofOwn < CPU_LIMIT && starvesGenerator(),
                "fewer users or a longer think time, until the database keeps up; or more CPUs for it",
                "the CPUs (the database took %.0f %% of all %d, the load generator %.0f %%, others %.0f %%)",
                100 * cpu.databaseCpuRatio(),
                host.cpus(),
                100 * cpu.generatorCpuRatio(),
                100 * cpu.otherCpuRatio());
    }

    private void lookAtDisks() {
        List<String> figures = new ArrayList<>();
        String busy = host.disks().stream()
                .filter(disk -> disk.utilisationRatio() >= DISK_LIMIT)
                .map(disk ->
                        disk.name() + " was busy for " + Math.round(100 * disk.utilisationRatio()) + " % of the time")
                .collect(Collectors.joining(", "));
        figures.add(busy);
        double iowait = host.cpu().iowaitRatio();
        figures.add(
                iowait >= IOWAIT_LIMIT
                        ? "the CPUs waited for disks for " + Math.round(100 * iowait) + " % of the time"
                        : "");
        figures.add(waiting(SessionState.IO, "for disks"));
        figures.removeIf(String::isEmpty);
        addIf(
                !figures.isEmpty(),
                "more memory for the database's cache, faster disks, or fewer users",
                "the disks (%s)",
                String.join("; ", figures));
    }

    /** Where the server runs elsewhere, its own word is all there is; one of few connections is no wonder. */
    private void lookAtServer() {
        addIf(
                host.cpu().databaseCpuRatio() == 0
                        && resources.isEmpty()
                        && limits.workersEnough()
                        && atWork() >= WORKERS_LIMIT * limits.workers()
                        && share(SessionState.RUNNING) >= SESSIONS_LIMIT,
                "fewer users or a longer think time, until the database keeps up; or more CPUs for it",
                "the server, as far as it tells (it worked on %.1f sessions at once on average, of which %.0f %% ran or waited"
                        + " for a CPU)",
                atWork(),
                100 * share(SessionState.RUNNING));
    }

    /** How many sessions were at work at once, on average. */
    private double atWork() {
        return sessions.values().stream().mapToDouble(average -> average).sum();
    }

    private double share(SessionState state) {
        return atWork() == 0 ? 0 : sessions.getOrDefault(state, 0.0) / atWork();
    }

    /** How many sessions waited, in words; empty if they were less than half of those at work. */
    private String waiting(SessionState state, String what) {
        return share(state) < SESSIONS_LIMIT
                ? ""
                : String.format(
                        Locale.ROOT,
                        "of %.1f sessions at work at once on average, %.1f waited %s",
                        atWork(),
                        sessions.getOrDefault(state, 0.0),
                        what);
    }

    private void addIf(boolean holds, String advice, String format, Object... values) {
        if (holds) {
            resources.add(new Resource(String.format(Locale.ROOT, format, values), advice));
        }
    }

    private static String plain(double cpus) {
        return cpus == Math.rint(cpus) ? Long.toString(Math.round(cpus)) : Double.toString(cpus);
    }
}
