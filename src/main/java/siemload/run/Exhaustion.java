package siemload.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import siemload.database.Counters.SessionState;
import siemload.results.DatabaseActivity;
import siemload.results.HostActivity;
import siemload.results.HostActivity.CpuShares;
import siemload.results.HostActivity.Disk;
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
    private static final String FEWER_USERS =
            "fewer users or a longer think time, until the database keeps up; or more CPUs for it";

    private final HostActivity host;
    private final DatabaseActivity database;
    /** How many sessions were at work at once, on average. */
    private final double atWork;

    private final List<Resource> resources = new ArrayList<>();

    private Exhaustion(HostActivity host, DatabaseActivity database) {
        this.host = host;
        this.database = database;
        double all = 0;
        for (SessionState state : SessionState.values()) {
            all += sessions(state);
        }
        this.atWork = all;
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
        Exhaustion seen = new Exhaustion(host, database);
        seen.lookAtCpus(limits.databaseCpus());
        String locked = seen.waiting(SessionState.LOCK, "for others that hold locks");
        seen.addIf(
                !locked.isEmpty(),
                "look for who holds the locks; fewer users, or smaller batches of the feeder",
                "locks (%s)",
                locked);
        seen.lookAtDisks();
        // Where the server runs elsewhere, its own word is all there is; one of few connections is no wonder.
        double running = seen.share(SessionState.RUNNING);
        boolean elsewhere = host.cpu().databaseCpuRatio() == 0 && seen.resources.isEmpty();
        boolean busy = limits.workersEnough() && seen.atWork >= WORKERS_LIMIT * limits.workers();
        seen.addIf(
                elsewhere && busy && running >= SESSIONS_LIMIT,
                FEWER_USERS,
                "the server, as far as it tells (it worked on %.1f sessions at once on average, of which %.0f %% ran or waited"
                        + " for a CPU)",
                seen.atWork,
                100 * running);
        return seen;
    }

    /**
     * What the database of a run had used up, in words, the weightiest first: also of one that kept up, but was slower than it should
     * be. Empty where nothing was seen.
     */
    public static List<String> usedUp(RunResult run) {
        LoadLimits unknown = new LoadLimits(0, false, 0, false);
        Exhaustion seen = of(run.measured().host(), run.measured().database(), unknown);
        return seen.resources.stream().map(Resource::words).toList();
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
        double database = cpu.databaseCpuRatio();
        double beside = cpu.otherCpuRatio() + host.contention().kernelCpuRatio();
        return database + cpu.generatorCpuRatio() + beside >= CPU_LIMIT
                && database >= DATABASE_LEAST
                && database >= DATABASE_TO_GENERATOR * cpu.generatorCpuRatio();
    }

    /** Whether the server says that its sessions mostly waited for the load generator. */
    boolean waitsForGenerator() {
        return atWork > 0 && share(SessionState.CLIENT) >= SESSIONS_LIMIT;
    }

    /** @param allowed how many CPUs the database may use; 0 where nothing but its machine limits it */
    private void lookAtCpus(double allowed) {
        CpuShares cpu = host.cpu();
        boolean limited = allowed > 0 && allowed < host.cpus();
        double ofOwn = limited ? cpu.databaseCpuRatio() * host.cpus() / allowed : 0;
        addIf(
                ofOwn >= CPU_LIMIT,
                "more CPUs for the database, fewer users, or a longer think time",
                "the CPUs of the database (it took %.0f %% of the %s that it may use)",
                100 * ofOwn,
                allowed == Math.rint(allowed) ? Long.toString(Math.round(allowed)) : Double.toString(allowed));
        addIf(
                ofOwn < CPU_LIMIT && starvesGenerator(),
                FEWER_USERS,
                "the CPUs (the database took %.0f %% of all %d, the load generator %.0f %%, others %.0f %%)",
                100 * cpu.databaseCpuRatio(),
                host.cpus(),
                100 * cpu.generatorCpuRatio(),
                100 * cpu.otherCpuRatio());
    }

    private void lookAtDisks() {
        List<String> busy = new ArrayList<>();
        for (Disk disk : host.disks()) {
            long percent = Math.round(100 * disk.utilisationRatio());
            if (disk.utilisationRatio() >= DISK_LIMIT) {
                busy.add(disk.name() + " was busy for " + percent + " % of the time");
            }
        }
        double iowait = host.cpu().iowaitRatio();
        List<String> figures = new ArrayList<>();
        figures.add(String.join(", ", busy));
        figures.add(
                iowait < IOWAIT_LIMIT
                        ? ""
                        : "the CPUs waited for disks for " + Math.round(100 * iowait) + " % of the time");
        figures.add(waiting(SessionState.IO, "for disks"));
        figures.removeIf(String::isEmpty);
        addIf(
                !figures.isEmpty(),
                "more memory for the database's cache, faster disks, or fewer users",
                "the disks (%s)",
                String.join("; ", figures));
    }

    /** How many sessions were found in a state, on average. */
    private double sessions(SessionState state) {
        long readings = database.counters().getOrDefault(SessionState.READINGS, 0L);
        return readings == 0 ? 0 : database.counters().getOrDefault(state.counter(), 0L) / (double) readings;
    }

    private double share(SessionState state) {
        return atWork == 0 ? 0 : sessions(state) / atWork;
    }

    /** How many sessions waited, in words; empty if they were less than half of those at work. */
    private String waiting(SessionState state, String what) {
        return share(state) < SESSIONS_LIMIT
                ? ""
                : String.format(
                        Locale.ROOT,
                        "of %.1f sessions at work at once on average, %.1f waited %s",
                        atWork,
                        sessions(state),
                        what);
    }

    private void addIf(boolean holds, String advice, String format, Object... values) {
        if (holds) {
            resources.add(new Resource(String.format(Locale.ROOT, format, values), advice));
        }
    }
}
