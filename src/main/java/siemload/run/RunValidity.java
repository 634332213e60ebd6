package siemload.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.database.Counters.Io;
import siemload.database.Counters.SessionState;
import siemload.measure.Tally.SearchStatistics;
import siemload.results.FeederResult;
import siemload.results.HostActivity;
import siemload.results.HostActivity.Disk;
import siemload.results.HostActivity.Pauses;
import siemload.results.MicrosSummary;
import siemload.results.Outcome;
import siemload.results.ReplayResult;
import siemload.results.RunFile;
import siemload.results.RunFile.TimeMetric;
import siemload.results.RunResult;
import siemload.results.RunResult.DatabaseActivity;
import siemload.results.RunResult.Disturbance;
import siemload.results.RunResult.InjectorResult;
import siemload.results.RunResult.PlanRecord;
import siemload.results.RunResult.ScheduleResult;
import siemload.results.Validity;
import siemload.results.Validity.Saturation;
import siemload.run.LoadRun.LoadLimits;
import siemload.run.answers.CheckedAnswers;

/**
 * Judges whether the numbers of a run can be trusted, and whether the database kept up. An error of the load generator, its machine or the
 * measurement is a fault; work that the database did not do in time is a sign of saturation. Each rule has a condition and a message.
 */
public final class RunValidity {
    /** The tolerated share of searches that fail, of ticks that are missed, and of events that are not stored. */
    private static final double TOLERANCE = 0.01;

    private static final double BUSY_TOLERANCE = 0.05;
    private static final double HALF = 0.5;
    private static final double NEARLY_ALL = 0.9;
    private static final Map<String, String> UNSEEN = Map.of(
            "unknown (CPUs, disks and locks were not exhausted)",
            "fewer users, a longer think time or fewer events a second; or more connections (-Dworkers), if the server can sustain them");

    private final LoadOutcome measured;
    private final SearchStatistics all;
    private final MicrosSummary times;
    private final boolean complete;
    private final double seconds;
    private final LoadLimits limits;
    private final Exhaustion exhaustion;
    private final boolean starved;
    private final Findings found;

    /**
     * Prepares to judge a run.
     *
     * @param limits the run's resources
     * @param found receives the findings, in addition to earlier ones
     */
    RunValidity(LoadOutcome measured, LoadLimits limits, Findings found) {
        this.found = found;
        this.measured = measured;
        this.all = measured.searches().merged(key -> true);
        this.times = all.times(TimeMetric.RESPONSE_TIME).summary();
        this.complete = measured.end().ending() == LoadOutcome.Ending.COMPLETE;
        this.seconds = measured.end().seconds();
        this.limits = limits;
        this.exhaustion = new Exhaustion(measured.seen().host(), measured.seen().database(), limits);
        this.starved = exhaustion.starvesGenerator();
    }

    /** Returns the bottlenecks of a run's database in words, the most important first; even a database that kept up may have some. */
    public static List<String> usedUp(RunResult run) {
        LoadLimits unknown = new LoadLimits(0, false, 0, false);
        return List.copyOf(
                new Exhaustion(run.measured().host(), run.measured().database(), unknown).resources.keySet());
    }

    /**
     * Returns the verdict on a run; to be called once.
     *
     * @param answers the checked answers
     * @param plans the plans before the load and after it
     */
    Validity verdict(FeederResult feeder, CheckedAnswers answers, List<PlanRecord> plans) {
        boolean interrupted = measured.end().ending() == LoadOutcome.Ending.INTERRUPTED;
        found.faultIf(interrupted, "interrupted after %.1f s of the measured phase", seconds);
        found.faults().addAll(measured.seen().faults());
        for (ReplayResult replay : measured.searches().replays().results()) {
            found.faultIf(!replay.failure().isEmpty(), "the recording was not played to its end: %s", replay.failure());
            String unknown = "the outcome of %,d of %,d replayed statements is unknown";
            found.faultIf(complete && replay.unreported() != 0, unknown, replay.unreported(), replay.due());
        }
        // Speed is worth nothing if answers are wrong; one wrong answer is enough.
        int wrong = answers.wrong().size();
        String first = wrong == 0 ? "" : answers.wrong().get(0).key().label();
        String text = "%d of %d checked answers were wrong, first %s (%s)";
        found.faultIf(wrong > 0, text, wrong, answers.checked(), first, RunFile.WRONG_ANSWERS.fileName());
        checkSearches();
        checkTicks();
        checkFeeder(feeder);
        checkFedEvents(feeder, measured.searches().feeder().lastFailure());
        Disturbance disturbance = checkMachine(checkWorkers());
        notePlans(plans);
        Saturation saturation = saturation();
        found.faultIf(
                saturation.seen() && exhaustion.waitsForGenerator() && !starved,
                "the server mostly waited for the load generator: it is too slow for this load");
        return Validity.of(found.faults(), disturbance, saturation, found.notes());
    }

    /**
     * Searches that were not answered in time, or refused, are the database's failures; other failures may have any cause. In an
     * interrupted run all running searches are unfinished.
     */
    private void checkSearches() {
        long count = all.count();
        long ok = all.count(Outcome.OK);
        long refused = all.count(Outcome.REFUSED);
        long failed = count - ok;
        List<Outcome> givenUp = Stream.of(Outcome.values())
                .filter(outcome -> outcome.gaveUp() && all.count(outcome) > 0)
                .toList();
        long waited = givenUp.stream().mapToLong(all::count).sum();
        Stream<String> kinds = givenUp.stream().map(outcome -> all.count(outcome) + " " + outcome.label());
        double tolerated = TOLERANCE * count;
        boolean others = failed - waited - refused > tolerated;
        boolean none = ok == 0 && (waited == 0 || others);
        boolean many = failed > tolerated && waited + refused <= tolerated;
        boolean unfinished = all.count(Outcome.UNFINISHED) > 0 && complete;
        found.faultIf(none, "no search was answered in the measured phase (%d failed)", failed);
        found.faultIf(!none && (others || many), "%d of %d searches failed", failed, count);
        String late = "%s of %d searches were not answered in time (%s); each counts with its waiting time";
        boolean tooLate = waited > 0 && (waited > tolerated || unfinished);
        found.signIf(tooLate, late, ok > 0 ? waited : "all", count, kinds.collect(Collectors.joining(", ")));
        String refusals = "the database refused %d of %d searches (its messages say why)";
        found.signIf(ok > 0 && refused > tolerated, refusals, refused, count);
    }

    /** A tick is missed because the database was still busy with the tick before; the load generator lost a tick without a report. */
    private void checkTicks() {
        for (ScheduleResult ticks : measured.searches().ticks(measured.end().nanos())) {
            long due = ticks.due();
            String name = ticks.group();
            long lost = ticks.unreported();
            found.faultIf(lost != 0 && complete, "the outcome of %d of %d ticks of %s is unknown", lost, due, name);
            boolean tooMany = ticks.missed() > TOLERANCE * due;
            String missed = "%d of %d ticks of %s were missed: the task was still busy with the tick before";
            found.signIf(tooMany, missed, ticks.missed(), due, name);
        }
    }

    /**
     * Checks whether there were too few connections. More connections would not help if the database is at its limit, or if each user has a
     * connection and these are kept busy.
     *
     * @return whether all connections were busy too often
     */
    private boolean checkWorkers() {
        long busy = measured.searches().foundAllBusy();
        boolean allBusy = busy > BUSY_TOLERANCE * all.count();
        double use = all.serviceSeconds() / (limits.workers() * seconds);
        boolean tooFew = exhaustion.resources.isEmpty() && !(limits.workersEnough() && use > HALF);
        String workers = "%d of %d searches found all workers busy: raise -Dworkers";
        found.faultIf(allBusy && tooFew, workers, busy, all.count());
        String connections = "%d of %d searches found all %d connections busy";
        found.signIf(allBusy && !tooFew, connections, busy, all.count(), limits.workers());
        return allBusy;
    }

    /** A batch is late because the previous batch was not acknowledged yet, or because the feeder itself is slow. */
    private void checkFeeder(FeederResult feeder) {
        if (feeder.achievedRatio() >= 1 - TOLERANCE) {
            return;
        }
        long due = feeder.dueEvents();
        double few = 100 * (1 - feeder.achievedRatio());
        double late = feeder.latenessMicros().p95() / 1000.0;
        double took = feeder.acknowledgeMicros().p95() / 1000.0;
        String stored =
                "the feeder stored %d of the %d events that were due, %.1f %% too few; its batches were %.1f ms late at"
                        + " p95 and took %.1f ms to be acknowledged";
        String text = text(stored, feeder.reachedEvents(), due, few, late, took);
        double own = limits.inProcess() ? 1 : 1 - feeder.delayedByAnswersRatio();
        boolean isOwn = own >= HALF && !starved;
        String why =
                "%s: %.0f %% of the delay is the load generator's own (use a lower -Deps, a larger feeder.batch, or a"
                        + " faster machine)";
        found.faultIf(isOwn, why, text, 100 * own);
        found.signIf(!isOwn, "%s", text);
    }

    private void checkFedEvents(FeederResult events, String failure) {
        long twice = events.duplicated();
        found.faultIf(events.failed() > 0, "%d fed events could not be stored: %s", events.failed(), failure);
        String unknown =
                "it is unknown whether %d fed events are stored: they were never acknowledged, and could not be looked up (%s)";
        found.faultIf(events.unknown() > 0, unknown, events.unknown(), failure);
        found.faultIf(events.lost() < 0, "it could not be checked whether all fed events are stored");
        found.faultIf(events.lost() > 0, "%d acknowledged events are not in the store", events.lost());
        found.faultIf(twice > 0, "%d events are in the store more than once", twice);
    }

    private Disturbance checkMachine(boolean allBusy) {
        double cpu = measured.generator().result(all.count(), seconds).cpuRatio();
        MachineValidity machine = new MachineValidity(measured.seen().host(), seconds, starved, cpu, found);
        double running = Math.max(MachineValidity.LEAST, all.count() * times.mean() / (seconds * 1e6));
        machine.checkDisks(
                exhaustion.sessions(SessionState.IO) / running,
                measured.seen().database().io());
        Optional<MicrosSummary> player = measured.searches().replays().playerLateness();
        // Each injector is judged by itself, and a replay by its player: searches may have waited for a session.
        boolean each = measured.injected().isPresent() || player.isPresent();
        MicrosSummary late = all.times(TimeMetric.SEARCH_LATENESS).summary();
        machine.checkGenerator(each ? MicrosSummary.NONE : late, times);
        if (!allBusy) {
            machine.checkWaiting(
                    "searches waited %.1f ms at p95 although a worker was free",
                    player.orElseGet(() -> all.times(TimeMetric.WORKER_WAIT).summary()), times);
        }
        // Each injector is judged by itself: a slow one among many would not show in their sum.
        for (InjectorResult injector :
                measured.injected().map(LoadOutcome.Injected::injectors).orElse(List.of())) {
            HostActivity process = HostActivity.ofProcess(injector.pauses());
            Findings own = new Findings();
            new MachineValidity(process, seconds, starved, injector.generator().cpuRatio(), own)
                    .checkGenerator(injector.searchLatenessMicros(), times);
            found.addAll("injector " + injector.injector() + ": ", own);
        }
        found.notes().addAll(measured.seen().notes());
        return machine.disturbance();
    }

    /**
     * Notes plans that changed: the numbers are right, but belong to two plans. A changed plan is not a fault if the data grow: a server
     * may switch to another index and back as fed events accumulate.
     */
    private void notePlans(List<PlanRecord> plans) {
        plans.stream()
                .filter(PlanRecord::changed)
                .collect(Collectors.groupingBy(
                        plan -> plan.shape() + " -> " + plan.shapeAtEnd(),
                        LinkedHashMap::new,
                        Collectors.mapping(plan -> plan.kind().label(), Collectors.joining("; "))))
                .forEach((change, searches) ->
                        found.note("the plan of " + searches + " changed during the run: " + change));
    }

    /** Returns the verdict on saturation: without signs the database kept up, however busy it was. */
    private Saturation saturation() {
        if (found.signs().isEmpty()) {
            return Saturation.NONE;
        }
        Map<String, String> gaveOut = exhaustion.resources.isEmpty() ? UNSEEN : exhaustion.resources;
        String advice = gaveOut.values().iterator().next();
        return new Saturation(List.copyOf(gaveOut.keySet()), found.signs(), advice);
    }

    /**
     * The bottlenecks of a database under load, as far as its machine and its own counters show, the most important first. A bottleneck by
     * itself is not a fault of a run. docs/results.md has the limits.
     */
    static final class Exhaustion {
        /** A database that uses this many times the load generator's CPU time counts as the one that took the CPUs. */
        private static final double DATABASE_TO_GENERATOR = 2;

        private static final double IOWAIT_LIMIT = 0.3;
        private static final String FEWER_USERS =
                "fewer users or a longer think time, until the database keeps up; or more CPUs for it";

        private final HostActivity host;
        private final Map<String, Long> counters;
        /** The average number of sessions that were at work at once. */
        private final double atWork;

        /** Each bottleneck with its figures, and the advice for it. */
        final Map<String, String> resources = new LinkedHashMap<>();

        Exhaustion(HostActivity host, DatabaseActivity database, LoadLimits limits) {
            this.host = host;
            this.counters = database.counters();
            this.atWork =
                    Stream.of(SessionState.values()).mapToDouble(this::sessions).sum();
            double allowed = limits.databaseCpus();
            boolean limited = allowed > 0 && allowed < host.cpus();
            double ofOwn = limited ? host.databaseCpuRatio() * host.cpus() / allowed : 0;
            String cpus = Double.toString(allowed).replaceFirst("\\.0$", "");
            String own = "the CPUs of the database (it took %.0f %% of the %s that it may use)";
            addIf(ofOwn >= NEARLY_ALL, FEWER_USERS, own, 100 * ofOwn, cpus);
            addIf(
                    ofOwn < NEARLY_ALL && starvesGenerator(),
                    FEWER_USERS,
                    "the CPUs (the database took %.0f %% of all %d, the load generator %.0f %%, others %.0f %%)",
                    100 * host.databaseCpuRatio(),
                    host.cpus(),
                    100 * host.generatorCpuRatio(),
                    100 * host.otherCpuRatio());
            String locked = waiting(SessionState.LOCK, "for locks");
            String holders = "find out who holds the locks; fewer users, or smaller batches of the feeder";
            addIf(!locked.isEmpty(), holders, "locks (%s)", locked);
            String busy = host.disks().stream()
                    .filter(disk -> disk.utilisationRatio() >= NEARLY_ALL)
                    .map(disk ->
                            text("%s was busy for %.0f %% of the time", disk.name(), 100 * disk.utilisationRatio()))
                    .collect(Collectors.joining(", "));
            double iowait = host.iowaitRatio();
            String idle = text("the CPUs waited for disks for %.0f %% of the time", 100 * iowait);
            String disks = Stream.of(busy, iowait < IOWAIT_LIMIT ? "" : idle, waiting(SessionState.IO, "for disks"))
                    .filter(figure -> !figure.isEmpty())
                    .collect(Collectors.joining("; "));
            String advice = "more memory for the database's cache, faster disks, or fewer users";
            addIf(!disks.isEmpty(), advice, "the disks (%s)", disks);
            // If the server runs elsewhere, only its own counters are known; if there are few connections, all of them
            // are always busy.
            double running = share(SessionState.RUNNING);
            boolean elsewhere = host.databaseCpuRatio() == 0 && resources.isEmpty();
            boolean all = limits.workersEnough() && atWork >= NEARLY_ALL * limits.workers() && running >= HALF;
            String server =
                    "the server, as far as it reports (it worked on %.1f sessions at once on average, of which %.0f %% ran or"
                            + " waited for a CPU)";
            addIf(elsewhere && all, FEWER_USERS, server, atWork, 100 * running);
        }

        /**
         * Returns whether the load generator had to wait for CPUs that the database had taken: nearly all of their shared CPUs were in use,
         * and the database used by far the most.
         */
        boolean starvesGenerator() {
            double database = host.databaseCpuRatio();
            double beside = host.otherCpuRatio() + host.contention().kernelCpuRatio();
            return database + host.generatorCpuRatio() + beside >= NEARLY_ALL
                    && database >= HALF
                    && database >= DATABASE_TO_GENERATOR * host.generatorCpuRatio();
        }

        /** Returns whether, according to the server, its sessions mostly waited for the load generator. */
        boolean waitsForGenerator() {
            return atWork > 0 && share(SessionState.CLIENT) >= HALF;
        }

        /** Returns how many sessions were in a state, on average. */
        private double sessions(SessionState state) {
            long readings = counters.getOrDefault(SessionState.READINGS, 0L);
            return readings == 0 ? 0 : counters.getOrDefault(state.counter(), 0L) / (double) readings;
        }

        private double share(SessionState state) {
            return atWork == 0 ? 0 : sessions(state) / atWork;
        }

        /** Describes how many sessions waited; empty if fewer than half of the sessions at work did. */
        private String waiting(SessionState state, String what) {
            String text = "on average %.1f of the %.1f sessions at work waited %s";
            return share(state) < HALF ? "" : text(text, sessions(state), atWork, what);
        }

        private void addIf(boolean holds, String advice, String format, Object... values) {
            if (holds) {
                resources.put(text(format, values), advice);
            }
        }
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /**
     * Judges whether a run measured the database, rather than the load generator or other programs. Errors that make the numbers wrong are
     * faults. The influence of other programs is a disturbance, measured by how long threads waited because of them. If the database took
     * the CPUs that the load generator needs, that is a sign of saturation, unless most of the measured time was the load generator's own
     * waiting. All other findings are notes. docs/results.md has the limits.
     */
    static final class MachineValidity {
        /** The highest share of its CPUs that the load generator may use. */
        private static final double GENERATOR_LIMIT = 0.8;

        /** The largest error of percentiles, as a ratio, in a valid run. */
        private static final double OFF_LIMIT = 0.05;
        /** The share of the worst seconds' influence that is assumed to show in percentiles, 0 to 1. */
        private static final double OF_WORST = 0.5;
        /** Other programs, or the hypervisor, are named if they took more than this share of the CPUs. */
        private static final double NAMED_LIMIT = 0.02;
        /** The smallest divisor: for the share of the CPUs that other programs leave, and for the mean number of running searches. */
        private static final double LEAST = 0.05;

        private static final long LATE_MICROS = 10_000;
        private static final double LATE_TOLERANCE = 0.1;

        private static final long PAUSE_MICROS = 50_000;
        private static final double PAUSED_LIMIT = 0.01;
        private static final double PAUSED_LIMIT_OF_STEPS = 0.05;
        /** If pauses took more than this share of the time, waiting for a CPU does not explain them. */
        private static final double PAUSED_LIMIT_IF_STARVED = 0.1;

        private final HostActivity host;
        private final double seconds;
        private final boolean starved;
        private final List<String> causes = new ArrayList<>();
        private final Findings found;
        private double off;

        /**
         * Judges what procedures and loads have in common; more than 1 MB of swapping a second is too much.
         *
         * @param host the activity of the machine; if it was not watched, only the generator is judged
         * @param seconds the length of the measured phase
         * @param starved whether the database took the CPUs that the load generator shares with it
         * @param generatorCpuRatio the share of its CPUs that the load generator used
         * @param found receives the findings
         */
        MachineValidity(HostActivity host, double seconds, boolean starved, double generatorCpuRatio, Findings found) {
            this.host = host;
            this.seconds = seconds;
            this.starved = starved;
            this.found = found;
            checkOthers();
            String used = "the load generator used %.0f %% of its CPUs: the numbers describe it, not the database";
            found.faultIf(generatorCpuRatio > GENERATOR_LIMIT, used, 100 * generatorCpuRatio);
            double swapped = (host.swapInBytes() + host.swapOutBytes()) / (double) (1 << 20);
            found.faultIf(swapped > seconds, "this machine swapped %.1f MB: it has too little memory", swapped);
        }

        /** Returns the influence of other programs. */
        Disturbance disturbance() {
            return new Disturbance(Math.round(1_000 * off) / 10.0, isDisturbed() ? causes : List.of());
        }

        private boolean isDisturbed() {
            return off > OFF_LIMIT && !causes.isEmpty();
        }

        /**
         * Judges how late the load generator itself was.
         *
         * @param lateness the lateness of submitted searches
         * @param responseTimes the response times of all searches, for comparison; empty for a procedure, whose steps have their own times
         */
        void checkGenerator(MicrosSummary lateness, MicrosSummary responseTimes) {
            checkWaiting("the load generator was %.1f ms late for searches at p95", lateness, responseTimes);
            checkPauses(responseTimes.equals(MicrosSummary.NONE) ? PAUSED_LIMIT_OF_STEPS : PAUSED_LIMIT);
        }

        /**
         * Judges a wait within the load generator, which is part of the measured times, and matters unless it is comparatively short. If
         * the wait is more than half of the response times, the load generator measures its own waiting.
         *
         * @param format the finding, with a place for the 95th percentile in milliseconds
         */
        void checkWaiting(String format, MicrosSummary waits, MicrosSummary responseTimes) {
            long late = waits.p95();
            String text = text(format, late / 1000.0);
            if (late <= LATE_MICROS) {
                return;
            }
            if (late <= LATE_TOLERANCE * responseTimes.p95()) {
                found.note(text + ", which is part of the response times");
            } else if (starved && waits.p50() <= HALF * responseTimes.p50()) {
                found.signs().add(text + ": the database took the CPUs that the load generator needs, too");
            } else if (!starved && isDisturbed()) {
                off = Math.max(off, (double) late / Math.max(1, responseTimes.p95()));
            } else {
                found.fault(text
                        + ": this machine has too little CPU for load generator and database together; use fewer users, or"
                        + " run the load generator on another machine");
            }
        }

        /** @param limit the share of the time above which mainly pauses were measured */
        private void checkPauses(double limit) {
            Pauses pauses = host.pauses();
            if (pauses.maxMicros() <= PAUSE_MICROS) {
                return;
            }
            double all = pauses.totalMicros() / 1000.0;
            String text = text(
                    "the load generator paused for its garbage collector: %d times, %.0f ms in all, at most %.0f ms: ",
                    pauses.count(), all, pauses.maxMicros() / 1000.0);
            double ratio = all / (seconds * 1e3);
            boolean many = ratio > limit;
            boolean explained = many && ratio <= PAUSED_LIMIT_IF_STARVED && (starved || isDisturbed());
            found.signIf(explained && starved, text + "the database took the CPUs that the collector needs");
            found.noteIf(explained && !starved, text + "other programs took the CPUs that the collector needs");
            String why = "times may be pauses of the load generator, not of the database";
            found.faultIf(many && !explained, text + "measured " + why + " (give Java more memory)");
            found.noteIf(!many, text + "the longest " + why);
        }

        /**
         * Judges the influence of other programs by how long threads of database and load generator waited because of them. If the system
         * does not report that, the CPU time of other programs decides.
         */
        private void checkOthers() {
            HostActivity.Contention waits = host.contention();
            double taken = host.otherCpuRatio() + host.stealRatio();
            boolean told = waits.waitedSeconds() > 0;
            off = told
                    ? Math.max(waits.lostRatio(), OF_WORST * waits.lostRatioP95())
                    : taken / Math.max(LEAST, 1 - taken);
            String heavy = host.heavyProcesses().stream()
                    .map(process -> text("%s %.0f %%", process.name(), 100 * process.cpuRatio()))
                    .collect(Collectors.joining(", "));
            if (host.otherCpuRatio() > NAMED_LIMIT) {
                String who = heavy.isEmpty() ? text("%.0f %% together", 100 * host.otherCpuRatio()) : heavy;
                causes.add("other programs (" + who + ") took CPU time");
            }
            double stolen = host.stealRatio();
            if (stolen > NAMED_LIMIT) {
                causes.add(text("the hypervisor gave %.0f %% of the CPU time to other virtual machines", 100 * stolen));
            }
            if (causes.isEmpty() && off > OFF_LIMIT) {
                causes.add("other programs took CPU time during some of the seconds");
            }
            String guessed = "this system does not report how long threads wait for a CPU, so the error of the"
                    + " percentiles is estimated from the CPU time of other programs";
            found.noteIf(off > OFF_LIMIT && !told, guessed);
        }

        /** Judges the disk traffic of other programs by how many sessions waited for a disk, divided by the number of running searches. */
        void checkDisks(double waiting, List<Io> own) {
            double read = host.disks().stream().mapToLong(Disk::readBytes).sum();
            double written = host.disks().stream().mapToLong(Disk::writtenBytes).sum();
            long ownRead = own.stream().mapToLong(Io::readBytes).sum();
            long ownWritten = own.stream().mapToLong(Io::writtenBytes).sum();
            double others = Math.max(0, read - ownRead) + Math.max(0, written - ownWritten);
            double ratio = others / Math.max(1, read + written);
            if (host.databaseCpuRatio() > 0 && ratio > HALF && waiting * ratio > OFF_LIMIT) {
                causes.add(text("other programs moved %.0f %% of what the disks read and wrote", 100 * ratio));
                off = Math.max(off, waiting * ratio);
            }
        }
    }

    /**
     * The findings about a run, in words, from its opening to its verdict. Texts with values are in the form of {@link String#format};
     * texts without values are literal. Used by one thread at a time.
     *
     * @param faults findings that make the numbers wrong
     * @param signs signs of saturation
     * @param notes findings without consequences
     */
    record Findings(List<String> faults, List<String> signs, List<String> notes) {
        Findings() {
            this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        }

        void faultIf(boolean holds, String format, Object... values) {
            add(faults, holds, format, values);
        }

        void signIf(boolean holds, String format, Object... values) {
            add(signs, holds, format, values);
        }

        void noteIf(boolean holds, String format, Object... values) {
            add(notes, holds, format, values);
        }

        void fault(String format, Object... values) {
            add(faults, true, format, values);
        }

        void note(String format, Object... values) {
            add(notes, true, format, values);
        }

        private static void add(List<String> to, boolean holds, String format, Object... values) {
            if (holds) {
                to.add(values.length == 0 ? format : String.format(Locale.ROOT, format, values));
            }
        }

        /** Adds all findings of {@code others}, each with a title before it. */
        void addAll(String title, Findings others) {
            others.faults.forEach(text -> faults.add(title + text));
            others.signs.forEach(text -> signs.add(title + text));
            others.notes.forEach(text -> notes.add(title + text));
        }
    }
}
