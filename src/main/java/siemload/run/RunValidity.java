package siemload.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import siemload.database.Counters.Io;
import siemload.database.Counters.SessionState;
import siemload.measure.SearchStatistics;
import siemload.results.DatabaseActivity;
import siemload.results.FeederResult;
import siemload.results.HostActivity;
import siemload.results.HostActivity.CpuShares;
import siemload.results.HostActivity.Disk;
import siemload.results.HostActivity.Pauses;
import siemload.results.InjectorResult;
import siemload.results.MicrosSummary;
import siemload.results.Outcome;
import siemload.results.RunFile;
import siemload.results.RunResult.Disturbance;
import siemload.results.RunResult.PlanRecord;
import siemload.results.RunResult.ScheduleResult;
import siemload.results.Saturation;
import siemload.results.TimeMetric;
import siemload.results.Validity;
import siemload.run.Exhaustion.Resource;
import siemload.run.LoadRun.LoadLimits;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.WrongAnswer;

/**
 * Whether the numbers of a run can be trusted, and whether the database kept up. What the load generator, its machine or the
 * measurement did wrong is a fault; what the database did not do in time is a sign of its being saturated. Each rule is a row: when it
 * holds, and what is said then.
 */
final class RunValidity {
    /** Of searches that fail, ticks that are missed, events that are not stored, and of the time that reading counters takes. */
    private static final double TOLERANCE = 0.01;

    private static final double BUSY_TOLERANCE = 0.05;
    private static final double MOSTLY = 0.5;
    private static final long MOST_SKEW_MICROS = 5_000;
    private static final String NOTHING_SEEN = " (neither CPUs, disks nor locks were seen to give out)";

    private final LoadOutcome measured;
    private final SearchStatistics all;
    private final boolean complete;
    private final double seconds;
    private final LoadLimits limits;
    private final Exhaustion exhaustion;
    private final Findings found;
    /** What signs say themselves about what gave out, where nothing else was seen to. */
    private final List<Resource> saidBySigns = new ArrayList<>();

    private RunValidity(LoadOutcome measured, LoadLimits limits, Findings found) {
        this.found = found;
        this.measured = measured;
        this.all = measured.searches().merged(key -> true);
        this.complete = measured.end().ending() == LoadOutcome.Ending.COMPLETE;
        this.seconds = measured.end().seconds();
        this.limits = limits;
        this.exhaustion = Exhaustion.of(measured.seen().host(), measured.seen().database(), limits);
    }

    /**
     * The verdict on a run.
     *
     * @param limits what it had to work with
     * @param answers what became of the answers that were to be checked
     * @param found takes what is found beside what is known of the run already
     * @param plans before the load and after it
     * @param serverFailure why the server could not be asked after the run; empty if it could
     */
    static Validity of(
            LoadOutcome measured,
            FeederResult feeder,
            LoadLimits limits,
            CheckedAnswers answers,
            Findings found,
            List<PlanRecord> plans,
            String serverFailure) {
        RunValidity run = new RunValidity(measured, limits, found);
        boolean interrupted = measured.end().ending() == LoadOutcome.Ending.INTERRUPTED;
        found.faultIf(!serverFailure.isEmpty(), "the database was gone at the end of the run: %s", serverFailure);
        found.faultIf(interrupted, "interrupted after %.1f s of the measured phase", run.seconds);
        found.faults().addAll(measured.seen().faults());
        run.checkAnswers(answers);
        run.checkSearches();
        run.checkTicks();
        run.checkFeeder(feeder);
        run.checkFedEvents(feeder.events(), measured.feeder().lastFailure());
        boolean allBusy = run.checkWorkers();
        Disturbance disturbance = run.checkMachine(allBusy);
        run.notePlans(plans);
        Saturation saturation = run.saturation();
        found.faultIf(
                saturation.seen() && run.exhaustion.waitsForGenerator() && !run.exhaustion.starvesGenerator(),
                "the server mostly waited for the load generator: it is too slow for this load");
        return Validity.of(found.faults(), disturbance, saturation, found.notes());
    }

    /** Speed is worth nothing where the answers are not right; one is enough. */
    private void checkAnswers(CheckedAnswers answers) {
        String file = RunFile.WRONG_ANSWERS.fileName();
        List<WrongAnswer> hours = answers.wrongTrends();
        if (!hours.isEmpty()) {
            String first = hours.get(0).summary();
            found.fault("hours of trends that are wrong: %d, first %s (%s)", hours.size(), first, file);
        }
        List<WrongAnswer> wrong = answers.wrongSearches();
        if (!wrong.isEmpty()) {
            String text = "%d of %d checked answers were wrong, first %s (%s)";
            found.fault(
                    text, wrong.size(), answers.checked(), wrong.get(0).key().label(), file);
        }
    }

    /**
     * Searches that were not answered in time, and those that the database refused, are its own failures; others may be
     * anybody's. Of an interrupted run all searches that were under way are unfinished.
     */
    private void checkSearches() {
        long count = all.count();
        long ok = all.count(Outcome.OK);
        long refused = all.count(Outcome.REFUSED);
        long failed = count - ok;
        long waited = 0;
        List<String> kinds = new ArrayList<>();
        for (Outcome outcome : Outcome.values()) {
            if (outcome.gaveUp() && all.count(outcome) > 0) {
                waited += all.count(outcome);
                kinds.add(all.count(outcome) + " " + outcome.label());
            }
        }
        double tolerated = TOLERANCE * count;
        boolean others = failed - waited - refused > tolerated;
        boolean none = ok == 0 && (waited == 0 || others);
        boolean many = failed > tolerated && waited + refused <= tolerated;
        boolean unfinished = all.count(Outcome.UNFINISHED) > 0 && complete;
        found.faultIf(none, "no search was answered in the measured phase (%d failed)", failed);
        found.faultIf(!none && (others || many), "%d of %d searches failed", failed, count);
        signIf(
                waited > 0 && (waited > tolerated || unfinished),
                "the time for an answer" + NOTHING_SEEN,
                "fewer users or a longer think time, or a longer -Dtimeout if answers may take that long",
                "%s of %d searches were not answered in time (%s); they count with the time until then",
                ok > 0 ? Long.toString(waited) : "all",
                count,
                String.join(", ", kinds));
        signIf(
                ok > 0 && refused > tolerated,
                "something that the server had no more of (its messages say what)",
                "look at the messages of the refused searches, or use fewer users",
                "the database refused %d of %d searches",
                refused,
                count);
        long lost = all.count(Outcome.CONNECTION);
        found.noteIf(lost > 0 && found.faults().isEmpty(), "%d searches lost their connection to the database", lost);
    }

    /** A tick is missed because the database was still at the one before; one that nobody reports was lost by the generator. */
    private void checkTicks() {
        for (ScheduleResult group :
                measured.searches().ticks().results(measured.end().nanos())) {
            ScheduleResult.TickCounts ticks = group.ticks();
            long due = ticks.due();
            String name = group.group();
            long lost = ticks.unreported();
            found.faultIf(lost != 0 && complete, "what became of %d of %d ticks of %s is unknown", lost, due, name);
            boolean tooMany = ticks.missed() > TOLERANCE * due;
            String missed = "%d of %d ticks of %s were missed: the task was still at the tick before";
            signIf(
                    tooMany,
                    "the time between the ticks of a task" + NOTHING_SEEN,
                    "fewer tasks, or a longer period",
                    missed,
                    ticks.missed(),
                    due,
                    name);
            found.noteIf(ticks.missed() > 0 && !tooMany, missed, ticks.missed(), due, name);
        }
    }

    /**
     * Where all connections are busy with a database that has no more to give, more of them would not help; nor where each user
     * has one, as long as they are kept busy. Otherwise there are too few.
     *
     * @return whether they were all busy too often
     */
    private boolean checkWorkers() {
        long busy = measured.searches().foundAllBusy();
        boolean allBusy = busy > BUSY_TOLERANCE * all.count();
        double use = all.serviceSeconds() / (limits.workers() * seconds);
        boolean tooFew = exhaustion.resources().isEmpty() && !(limits.workersEnough() && use > MOSTLY);
        String workers = "%d of %d searches found all workers busy: raise -Dworkers";
        found.faultIf(allBusy && tooFew, workers, busy, all.count());
        signIf(
                allBusy && !tooFew,
                "connections" + NOTHING_SEEN,
                "fewer users or a longer think time; or more connections (-Dworkers), if the server can bear them",
                "%d of %d searches found all %d connections busy",
                busy,
                all.count(),
                limits.workers());
        return allBusy;
    }

    /** A batch is late because the one before it was not acknowledged yet, or because the feeder itself is slow. */
    private void checkFeeder(FeederResult feeder) {
        if (feeder.achievedRatio() >= 1 - TOLERANCE) {
            return;
        }
        String text = String.format(
                Locale.ROOT,
                "the feeder stored %d of the %d events that were due, %.1f %% too few; its batches were %.1f ms late at"
                        + " p95 and took %.1f ms to be acknowledged",
                feeder.reachedEvents(),
                feeder.dueEvents(),
                100 * (1 - feeder.achievedRatio()),
                feeder.times().latenessMicros().p95() / 1000.0,
                feeder.times().acknowledgeMicros().p95() / 1000.0);
        double byAnswers = 100 * feeder.delayedByAnswersRatio();
        boolean byServer = feeder.delayedByAnswersRatio() > MOSTLY && !limits.inProcess();
        if (byServer || exhaustion.starvesGenerator()) {
            signIf(
                    true,
                    String.format(
                                    Locale.ROOT,
                                    "acknowledgements of fed events, of which %.0f %% of the delay came",
                                    byAnswers)
                            + NOTHING_SEEN,
                    "fewer events a second (-Deps), larger batches (feeder.batch), or more connections of the feeder",
                    text);
        } else {
            found.fault(
                    "%s: %.0f %% of the delay is the load generator's own (use a lower -Deps, a larger feeder.batch, or a faster machine)",
                    text, limits.inProcess() ? 100 : 100 - byAnswers);
        }
    }

    private void checkFedEvents(FeederResult.FedEventCounts events, String failure) {
        long late = events.storedUnacknowledged();
        long twice = events.duplicated();
        found.faultIf(events.failed() > 0, "%d fed events could not be stored: %s", events.failed(), failure);
        found.faultIf(
                events.unknown() > 0,
                "whether %d fed events are stored is unknown: they were never acknowledged, and nobody could look for"
                        + " them (%s)",
                events.unknown(),
                failure);
        found.noteIf(late > 0, "%d fed events are stored although their acknowledgement was lost (%s)", late, failure);
        found.faultIf(events.lost() < 0, "nobody could look whether all fed events are stored");
        found.faultIf(events.lost() > 0, "%d acknowledged events are not in the store", events.lost());
        found.faultIf(twice > 0, "%d acknowledged events are in the store more than once", twice);
    }

    private Disturbance checkMachine(boolean allBusy) {
        HostActivity host = measured.seen().host();
        DatabaseActivity database = measured.seen().database();
        MicrosSummary times = all.times(TimeMetric.RESPONSE_TIME).summary();
        double cpu = measured.generator().result(all.count(), seconds).cpuRatio();
        double running = all.count() * times.mean() / (seconds * 1e6);
        boolean starved = exhaustion.starvesGenerator();
        MachineValidity machine = MachineValidity.of(host, database, starved, cpu, times, running, seconds);
        if (!allBusy) {
            machine.checkWait(
                    measured.searches()
                            .replays()
                            .playerLateness()
                            .orElseGet(() -> all.times(TimeMetric.WORKER_WAIT).summary()),
                    times);
        }
        measured.injected().ifPresent(injected -> checkInjectors(injected.injectors(), times));
        found.addAll("", machine.found());
        found.notes().addAll(measured.seen().notes());
        double sampling = database.samplingRatio();
        found.noteIf(
                sampling > TOLERANCE,
                "reading the database's counters took %.1f %% of the time, with the waiting for its answers",
                100 * sampling);
        return machine.disturbance();
    }

    /** Each by itself: one that is slow among many is lost in what they did together. */
    private void checkInjectors(List<InjectorResult> injectors, MicrosSummary times) {
        boolean starved = exhaustion.starvesGenerator();
        for (InjectorResult injector : injectors) {
            HostActivity process = HostActivity.ofProcess(
                    injector.pauses(), injector.punctuality().eventLoopLatenessMicros());
            double cpu = injector.generator().cpuRatio();
            MachineValidity own = MachineValidity.of(process, DatabaseActivity.NONE, starved, cpu, times, 0, seconds);
            found.addAll(injector.title() + ": ", own.found());
        }
        long skew = InjectorResult.startSkewMicros(injectors);
        String text = "the injectors may have begun up to %.1f ms after each other";
        found.noteIf(skew > MOST_SKEW_MICROS, text, skew / 1000.0);
    }

    /**
     * The numbers are right, but of two plans. That is no fault where the data grow: a server may leave an index for
     * another one and come back to it as fed events pile up in front of the first.
     */
    private void notePlans(List<PlanRecord> plans) {
        Map<String, List<String>> changes = new LinkedHashMap<>();
        for (PlanRecord plan : plans) {
            if (plan.changed()) {
                String change = plan.shape() + " -> " + plan.shapeAtEnd();
                changes.computeIfAbsent(change, unused -> new ArrayList<>())
                        .add(plan.kind().label());
            }
        }
        changes.forEach((change, searches) ->
                found.note("the plan of " + String.join("; ", searches) + " changed during the run: " + change));
    }

    /**
     * A sign that the database did not keep up, other than that it takes the CPUs from the load generator, which needs no explanation.
     *
     * @param gaveOut what the sign says itself about what gave out, where nothing else was seen to
     */
    private void signIf(boolean holds, String gaveOut, String advice, String format, Object... values) {
        found.signIf(holds, format, values);
        if (holds) {
            saidBySigns.add(new Resource(gaveOut, advice));
        }
    }

    /** The verdict: without signs the database kept up, however busy it was. */
    private Saturation saturation() {
        if (found.signs().isEmpty()) {
            return Saturation.NONE;
        }
        List<Resource> gaveOut = exhaustion.resources().isEmpty() ? saidBySigns : exhaustion.resources();
        List<String> words = gaveOut.stream().map(Resource::words).toList();
        return new Saturation(words, found.signs(), gaveOut.get(0).advice());
    }

    /**
     * Whether a machine let a run measure the database, rather than the load generator or other programs. What makes the
     * numbers wrong is a warning; what others cost is a disturbance, measured by how long threads waited because of them; where the
     * database took the CPUs that the load generator needs, that is a sign of its being saturated, as long as most of what was measured
     * is not the load generator's own waiting; what only has to be known is a note. docs/adr/011 says why the limits are where they are.
     */
    static final class MachineValidity {
        /** The highest share of the CPUs allowed to it that the load generator may take. */
        private static final double GENERATOR_LIMIT = 0.8;

        /** How far percentiles may be off, as a ratio, in a run that is valid. */
        private static final double OFF_LIMIT = 0.05;
        /** How much of what others cost in the worst seconds percentiles show. */
        private static final double OF_WORST = 0.5;
        /** The share of the CPUs, or of what the disks moved, from which on somebody is named. */
        private static final double NAMED_LIMIT = 0.02;
        /** The share of the CPUs that others leave, and how many searches run at once on average, at least. */
        private static final double LEAST = 0.05;

        private static final long LATE_MICROS = 10_000;
        private static final double LATE_TOLERANCE = 0.1;

        private static final long PAUSE_MICROS = 50_000;
        private static final double PAUSED_LIMIT = 0.01;
        private static final double PAUSED_LIMIT_OF_STEPS = 0.05;
        /** Above it, pauses are no longer those of a process that waits for a CPU. */
        private static final double PAUSED_LIMIT_IF_STARVED = 0.1;

        private static final double SWAP_LIMIT_BYTES_PER_SECOND = 1 << 20;

        private final HostActivity host;
        private final CpuShares cpu;
        private final double seconds;
        private final boolean starved;
        private final List<String> causes = new ArrayList<>();
        private final Findings found = new Findings();
        private double off;

        /** Judges what procedures and loads have in common. */
        private MachineValidity(HostActivity host, double seconds, boolean starved, double generatorCpuRatio) {
            this.host = host;
            this.cpu = host.cpu();
            this.seconds = seconds;
            this.starved = starved;
            checkOthers();
            found.faultIf(
                    generatorCpuRatio > GENERATOR_LIMIT,
                    "the load generator used %.0f %% of its CPUs: the numbers describe it, not the database",
                    100 * generatorCpuRatio);
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
            MachineValidity machine = new MachineValidity(host, seconds, starved, generatorCpuRatio);
            machine.checkDisks(database, running);
            machine.checkEventLoops(responseTimes);
            machine.checkPauses();
            return machine.checkMemory();
        }

        /** Judges a procedure, which has no percentiles of many searches, but the time of each step: a pause is a part of one. */
        static MachineValidity ofProcedure(HostActivity host, double generatorCpuRatio, double seconds) {
            MachineValidity machine = new MachineValidity(host, seconds, false, generatorCpuRatio);
            boolean paused = host.pauses().maxMicros() > PAUSE_MICROS;
            boolean much = host.pauses().totalMicros() > PAUSED_LIMIT_OF_STEPS * seconds * 1e6;
            String text = machine.pauses() + ": steps took that much longer";
            machine.found.faultIf(paused && much, text + " (give it more memory)");
            machine.found.noteIf(paused && !much, text);
            return machine.checkMemory();
        }

        Findings found() {
            return found;
        }

        /** What others cost. */
        Disturbance disturbance() {
            return new Disturbance(Math.round(1_000 * off) / 10.0, isDisturbed() ? causes : List.of());
        }

        private boolean isDisturbed() {
            return off > OFF_LIMIT && !causes.isEmpty();
        }

        /** A late timer is part of the response time of the search that waited for it: it matters where that is not much longer. */
        private void checkEventLoops(MicrosSummary responseTimes) {
            MicrosSummary lateness = host.eventLoopLatenessMicros();
            long late = lateness.p99();
            String text = text("the load generator's event loops were %.1f ms late at p99", late / 1000.0);
            boolean much = late > LATE_TOLERANCE * responseTimes.p95();
            if (late > LATE_MICROS && much) {
                addWaiting(text + ", which is much of the response times", lateness, responseTimes);
            }
            found.noteIf(late > LATE_MICROS && !much, text + ", which is part of the response times");
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
                String text = text("searches waited %.1f ms at p95 for a worker that was free", wait / 1000.0);
                addWaiting(text, waits, responseTimes);
            }
        }

        /**
         * Judges a waiting of the load generator itself that is a part of what it measures: above half of that it measures its own waiting,
         * whatever the cause.
         */
        private void addWaiting(String text, MicrosSummary waits, MicrosSummary responseTimes) {
            String shares = host.cpus() == 0
                    ? ""
                    : text(
                            " (load generator %.0f %%, database %.0f %%, others %.0f %%)",
                            100 * cpu.generatorCpuRatio(), 100 * cpu.databaseCpuRatio(), 100 * cpu.otherCpuRatio());
            if (starved && waits.p50() > MOSTLY * responseTimes.p50()) {
                found.fault(text + ": the database took the CPUs" + shares
                        + ", so that the load generator measured its own"
                        + " waiting for one; run it on another machine, or use fewer users");
            } else if (starved) {
                found.signs().add(text + ": the database took the CPUs that the load generator needs, too");
            } else if (isDisturbed()) {
                off = Math.max(off, (double) waits.p95() / Math.max(1, responseTimes.p95()));
            } else {
                found.fault(text + ": this machine has too little CPU for load generator and database together" + shares
                        + "; use fewer users, or run the load generator on another machine");
            }
        }

        private void checkPauses() {
            if (host.pauses().maxMicros() <= PAUSE_MICROS) {
                return;
            }
            double ratio = host.pauses().totalMicros() / (seconds * 1e6);
            boolean explained = ratio > PAUSED_LIMIT && ratio <= PAUSED_LIMIT_IF_STARVED;
            if (starved && explained) {
                found.signs().add(pauses() + ": the database took the CPUs that they need");
            } else if (isDisturbed() && explained) {
                found.note(pauses() + ": other programs took the CPUs that they need");
            } else if (ratio > PAUSED_LIMIT) {
                found.fault(pauses() + ": response times from p99 on may be those of pauses (give it more memory)");
            } else {
                found.note(pauses() + ": the longest response times may be those of pauses");
            }
        }

        private String pauses() {
            Pauses pauses = host.pauses();
            return text(
                    "the load generator paused for its garbage collector: %d times, %.0f ms in all, at most %.0f ms",
                    pauses.count(), pauses.totalMicros() / 1000.0, pauses.maxMicros() / 1000.0);
        }

        /**
         * Judges what others took from the CPUs by how long threads of database and load generator waited because of them, or, where the
         * system does not tell that, by what they took.
         */
        private void checkOthers() {
            HostActivity.Contention waits = host.contention();
            double taken = cpu.otherCpuRatio() + cpu.stealRatio();
            boolean told = waits.waitedSeconds() > 0;
            off = told
                    ? Math.max(waits.lostRatio(), OF_WORST * waits.lostRatioP95())
                    : taken / Math.max(LEAST, 1 - taken);
            String heavy = host.heavyProcesses().stream()
                    .map(process -> text("%s %.0f %%", process.name(), 100 * process.cpuRatio()))
                    .collect(Collectors.joining(", "));
            if (cpu.otherCpuRatio() > NAMED_LIMIT) {
                String who = heavy.isEmpty() ? text("%.0f %% together", 100 * cpu.otherCpuRatio()) : heavy;
                causes.add("other programs (" + who + ") took CPU time");
            }
            if (cpu.stealRatio() > NAMED_LIMIT) {
                causes.add(text("the hypervisor gave %.0f %% of the CPU time to others", 100 * cpu.stealRatio()));
            }
            if (causes.isEmpty() && off > OFF_LIMIT) {
                causes.add("other programs took CPU time in some seconds");
            }
            found.noteIf(
                    off <= OFF_LIMIT && !heavy.isEmpty(),
                    "other programs were busy on this machine (%s of all CPUs)",
                    heavy);
            found.noteIf(
                    off > OFF_LIMIT && !told,
                    "this system does not tell how long threads wait for a CPU: how far the percentiles are off is guessed"
                            + " by what other programs took");
        }

        /** Judges what others moved on the disks by how many sessions waited for one, as far as the database tells both. */
        private void checkDisks(DatabaseActivity database, double running) {
            long readings = database.counters().getOrDefault(SessionState.READINGS, 0L);
            if (readings == 0 || cpu.databaseCpuRatio() == 0) {
                return;
            }
            double waiting = (double) database.counters().getOrDefault(SessionState.IO.counter(), 0L) / readings;
            double read = host.disks().stream().mapToLong(Disk::readBytes).sum();
            double written = host.disks().stream().mapToLong(Disk::writtenBytes).sum();
            double ownRead = database.io().stream().mapToLong(Io::readBytes).sum();
            double ownWritten =
                    database.io().stream().mapToLong(Io::writtenBytes).sum();
            double byOthers = Math.max(0, read - ownRead) + Math.max(0, written - ownWritten);
            double othersRatio = byOthers / Math.max(1, read + written);
            double ratio = waiting * othersRatio / Math.max(running, LEAST);
            if (ratio > OFF_LIMIT && othersRatio > MOSTLY) {
                causes.add(text("other programs moved %.0f %% of what the disks read and wrote", 100 * othersRatio));
                off = Math.max(off, ratio);
            }
        }

        private MachineValidity checkMemory() {
            long bytes = host.transfers().swapInBytes() + host.transfers().swapOutBytes();
            boolean much = bytes > SWAP_LIMIT_BYTES_PER_SECOND * seconds;
            double megabytes = bytes / (double) (1 << 20);
            found.faultIf(much, "this machine swapped %.1f MB: it has too little memory", megabytes);
            found.noteIf(bytes > 0 && !much, "this machine swapped %.1f MB", megabytes);
            found.noteIf(
                    cpu.databaseCpuRatio() > 0,
                    "database and load generator share the %d CPUs of this machine; they took %.0f %% and %.0f %% of them",
                    host.cpus(),
                    100 * cpu.databaseCpuRatio(),
                    100 * cpu.generatorCpuRatio());
            return this;
        }

        private static String text(String format, Object... values) {
            return String.format(Locale.ROOT, format, values);
        }
    }
}
