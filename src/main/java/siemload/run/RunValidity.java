package siemload.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import siemload.database.Counters.Io;
import siemload.database.Counters.SessionState;
import siemload.measure.SearchStatistics;
import siemload.measure.monitor.RunMonitor;
import siemload.results.DatabaseActivity;
import siemload.results.FeederResult;
import siemload.results.HostActivity;
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
import siemload.run.LoadRun.LoadLimits;
import siemload.run.answers.CheckedAnswers;

/**
 * Whether the numbers of a run can be trusted, and whether the database kept up. What the load generator, its machine or the
 * measurement did wrong is a fault; what the database did not do in time is a sign of its being saturated.
 */
final class RunValidity {
    private static final double FEEDER_TOLERANCE = 0.01;
    private static final double ERROR_TOLERANCE = 0.01;
    private static final double BUSY_TOLERANCE = 0.05;
    private static final double MOSTLY = 0.5;
    private static final long MOST_SKEW_MICROS = 5_000;
    private static final double SAMPLING_LIMIT = 0.01;
    private static final String NOTHING_SEEN = "neither CPUs, disks nor locks were seen to give out";

    private final LoadOutcome measured;
    private final SearchStatistics all;
    private final boolean complete;
    private final LoadLimits limits;
    private final Exhaustion exhaustion;
    private final Findings found;
    /** What signs say themselves about what gave out, where nothing else was seen to. */
    private final List<Exhaustion.Resource> saidBySigns = new ArrayList<>();

    private RunValidity(LoadOutcome measured, LoadLimits limits, Findings found) {
        this.found = found;
        this.measured = measured;
        this.all = measured.searches().merged(key -> true);
        this.complete = measured.end().ending() == LoadOutcome.Ending.COMPLETE;
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
        RunValidity validity = new RunValidity(measured, limits, found);
        found.faultIf(!serverFailure.isEmpty(), "the database was gone at the end of the run: %s", serverFailure);
        found.faultIf(
                measured.end().ending() == LoadOutcome.Ending.INTERRUPTED,
                "interrupted after %.1f s of the measured phase",
                measured.end().seconds());
        found.faults().addAll(measured.seen().faults());
        validity.checkAnswers(answers);
        validity.checkSearches();
        validity.checkTicks();
        validity.checkFeeder(feeder);
        validity.checkFedEvents(feeder.events(), measured.feeder().lastFailure());
        validity.checkWorkers();
        Disturbance disturbance = validity.checkMachine();
        validity.notePlans(plans);
        Saturation saturation = validity.saturation();
        found.faultIf(
                saturation.seen() && validity.exhaustion.waitsForGenerator() && !validity.exhaustion.starvesGenerator(),
                "the server mostly waited for the load generator: it is too slow for this load");
        return Validity.of(found.faults(), disturbance, saturation, found.notes());
    }

    /** Speed is worth nothing where the answers are not right; one is enough. */
    private void checkAnswers(CheckedAnswers answers) {
        answers.wrongTrends().stream()
                .findFirst()
                .ifPresent(first -> found.faultIf(
                        true,
                        "hours of trends that are wrong: %d, first %s (%s)",
                        answers.wrongTrends().size(),
                        first.summary(),
                        RunFile.WRONG_ANSWERS.fileName()));
        answers.wrongSearches().stream()
                .findFirst()
                .ifPresent(first -> found.faultIf(
                        true,
                        "%d of %d checked answers were wrong, first %s (%s)",
                        answers.wrongSearches().size(),
                        answers.checked(),
                        first.key().label(),
                        RunFile.WRONG_ANSWERS.fileName()));
    }

    /**
     * Searches that were not answered in time, and those that the database refused, are its own failures; others may be
     * anybody's. Of an interrupted run all searches that were under way are unfinished.
     */
    private void checkSearches() {
        long count = all.count();
        long refused = all.count(Outcome.REFUSED);
        long failed = count - all.count(Outcome.OK);
        long waited = Arrays.stream(Outcome.values())
                .filter(Outcome::gaveUp)
                .mapToLong(all::count)
                .sum();
        double tolerated = ERROR_TOLERANCE * count;
        boolean answered = all.count(Outcome.OK) > 0;
        boolean others = failed - waited - refused > tolerated;
        boolean none = !answered && (waited == 0 || others);
        found.faultIf(none, "no search was answered in the measured phase (%d failed)", failed);
        found.faultIf(
                !none && (others || (failed > tolerated && waited + refused <= tolerated)),
                "%d of %d searches failed",
                failed,
                count);
        boolean unfinished = all.count(Outcome.UNFINISHED) > 0 && complete;
        signIf(
                waited > 0 && (waited > tolerated || unfinished),
                "the time for an answer (" + NOTHING_SEEN + ")",
                "fewer users or a longer think time, or a longer -Dtimeout if answers may take that long",
                "%s of %d searches were not answered in time (%s); they count with the time until then",
                answered ? Long.toString(waited) : "all",
                count,
                Arrays.stream(Outcome.values())
                        .filter(outcome -> outcome.gaveUp() && all.count(outcome) > 0)
                        .map(outcome -> all.count(outcome) + " " + outcome.label())
                        .collect(Collectors.joining(", ")));
        signIf(
                answered && refused > tolerated,
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
            found.faultIf(
                    ticks.unreported() != 0 && complete,
                    "what became of %d of %d ticks of %s is unknown",
                    ticks.unreported(),
                    ticks.due(),
                    group.group());
            boolean tooMany = ticks.missed() > ERROR_TOLERANCE * ticks.due();
            String missed = "%d of %d ticks of %s were missed: the task was still at the tick before";
            signIf(
                    tooMany,
                    "the time between the ticks of a task (" + NOTHING_SEEN + ")",
                    "fewer tasks (-Dtasks), or a longer period",
                    missed,
                    ticks.missed(),
                    ticks.due(),
                    group.group());
            found.noteIf(ticks.missed() > 0 && !tooMany, missed, ticks.missed(), ticks.due(), group.group());
        }
    }

    /**
     * Where all connections are busy with a database that has no more to give, more of them would not help; nor where each user
     * has one, as long as they are kept busy. Otherwise there are too few.
     */
    private void checkWorkers() {
        long busy = measured.searches().foundAllBusy();
        double use = all.serviceSeconds() / (limits.workers() * measured.end().seconds());
        boolean tooFew = exhaustion.resources().isEmpty() && !(limits.workersEnough() && use > MOSTLY);
        found.faultIf(
                foundAllBusy() && tooFew,
                "%d of %d searches found all workers busy: raise -Dworkers",
                busy,
                all.count());
        signIf(
                foundAllBusy() && !tooFew,
                "connections (" + NOTHING_SEEN + ")",
                "fewer users or a longer think time; or more connections (-Dworkers), if the server can bear them",
                "%d of %d searches found all %d connections busy",
                busy,
                all.count(),
                limits.workers());
    }

    private boolean foundAllBusy() {
        return measured.searches().foundAllBusy() > BUSY_TOLERANCE * all.count();
    }

    /** A batch is late because the one before it was not acknowledged yet, or because the feeder itself is slow. */
    private void checkFeeder(FeederResult feeder) {
        if (feeder.achievedRatio() >= 1 - FEEDER_TOLERANCE) {
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
        boolean byServer =
                (feeder.delayedByAnswersRatio() > MOSTLY && !limits.inProcess()) || exhaustion.starvesGenerator();
        signIf(
                byServer,
                String.format(
                        Locale.ROOT,
                        "acknowledgements of fed events, of which %.0f %% of the delay came (%s)",
                        byAnswers,
                        NOTHING_SEEN),
                "fewer events a second (-Deps), larger batches (-Dbatch), or more connections of the feeder",
                "%s",
                text);
        found.faultIf(
                !byServer,
                "%s: %.0f %% of the delay is the load generator's own (use a lower -Deps, a larger -Dbatch, or a faster machine)",
                text,
                limits.inProcess() ? 100 : 100 - byAnswers);
    }

    private void checkFedEvents(FeederResult.FedEventCounts events, String failure) {
        found.faultIf(events.failed() > 0, "%d fed events could not be stored: %s", events.failed(), failure);
        found.faultIf(
                events.unknown() > 0,
                "whether %d fed events are stored is unknown: they were never acknowledged, and nobody could look for"
                        + " them (%s)",
                events.unknown(),
                failure);
        found.noteIf(
                events.storedUnacknowledged() > 0,
                "%d fed events are stored although their acknowledgement was lost (%s)",
                events.storedUnacknowledged(),
                failure);
        found.faultIf(events.lost() < 0, "nobody could look whether all fed events are stored");
        found.faultIf(events.lost() > 0, "%d acknowledged events are not in the store", events.lost());
        found.faultIf(
                events.duplicated() > 0, "%d acknowledged events are in the store more than once", events.duplicated());
    }

    private Disturbance checkMachine() {
        RunMonitor.Seen seen = measured.seen();
        double seconds = measured.end().seconds();
        MicrosSummary responseTimes = all.times(TimeMetric.RESPONSE_TIME).summary();
        MachineValidity machine = MachineValidity.of(
                seen.host(),
                seen.database(),
                exhaustion.starvesGenerator(),
                measured.generator().result(all.count(), seconds).cpuRatio(),
                responseTimes,
                all.count() * responseTimes.mean() / (seconds * 1e6),
                seconds);
        if (!foundAllBusy()) {
            machine.checkWait(
                    measured.searches()
                            .replays()
                            .playerLateness()
                            .orElseGet(() -> all.times(TimeMetric.WORKER_WAIT).summary()),
                    responseTimes);
        }
        measured.injected().ifPresent(injected -> checkInjectors(injected.injectors(), responseTimes, seconds));
        found.addAll("", machine.found());
        found.notes().addAll(seen.notes());
        double sampling = seen.database().samplingRatio();
        found.noteIf(
                sampling > SAMPLING_LIMIT,
                "reading the database's counters took %.1f %% of the time, with the waiting for its answers",
                100 * sampling);
        return machine.disturbance();
    }

    /** Each by itself: one that is slow among many is lost in what they did together. */
    private void checkInjectors(List<InjectorResult> injectors, MicrosSummary responseTimes, double seconds) {
        for (InjectorResult injector : injectors) {
            MachineValidity own = MachineValidity.of(
                    HostActivity.ofProcess(
                            injector.pauses(), injector.punctuality().eventLoopLatenessMicros()),
                    DatabaseActivity.NONE,
                    exhaustion.starvesGenerator(),
                    injector.generator().cpuRatio(),
                    responseTimes,
                    0,
                    seconds);
            found.addAll(injector.title() + ": ", own.found());
        }
        long skew = InjectorResult.startSkewMicros(injectors);
        found.noteIf(
                skew > MOST_SKEW_MICROS, "the injectors may have begun up to %.1f ms after each other", skew / 1000.0);
    }

    /**
     * The numbers are right, but of two plans. That is no fault where the data grow: a server may leave an index for
     * another one and come back to it as fed events pile up in front of the first.
     */
    private void notePlans(List<PlanRecord> plans) {
        Map<String, List<String>> changes = new LinkedHashMap<>();
        for (PlanRecord plan : plans) {
            if (plan.changed()) {
                changes.computeIfAbsent(plan.shape() + " -> " + plan.shapeAtEnd(), change -> new ArrayList<>())
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
        if (holds) {
            Findings.add(found.signs(), true, format, values);
            saidBySigns.add(new Exhaustion.Resource(gaveOut, advice));
        }
    }

    /** The verdict: without signs the database kept up, however busy it was. */
    private Saturation saturation() {
        if (found.signs().isEmpty()) {
            return Saturation.NONE;
        }
        List<Exhaustion.Resource> gaveOut = exhaustion.resources().isEmpty() ? saidBySigns : exhaustion.resources();
        return new Saturation(
                gaveOut.stream().map(Exhaustion.Resource::words).toList(),
                found.signs(),
                gaveOut.get(0).advice());
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
        private final Findings found = new Findings();
        private double off;

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

        private void checkGenerator(double cpuRatio) {
            found.faultIf(
                    cpuRatio > GENERATOR_LIMIT,
                    "the load generator used %.0f %% of its CPUs: the numbers describe it, not the database",
                    100 * cpuRatio);
        }

        /** A late timer is part of the response time of the search that waited for it: it matters where that is not much longer. */
        private void checkEventLoops(MicrosSummary responseTimes) {
            MicrosSummary lateness = host.eventLoopLatenessMicros();
            long late = lateness.p99();
            if (late <= LATE_MICROS) {
                return;
            }
            String text = String.format(
                    Locale.ROOT, "the load generator's event loops were %.1f ms late at p99", late / 1000.0);
            if (late > LATE_TOLERANCE * responseTimes.p95()) {
                addWaiting(text + ", which is much of the response times", lateness, responseTimes);
            } else {
                found.note(text + ", which is part of the response times");
            }
        }

        /** Judges a waiting of the load generator itself that is a part of what it measures. */
        private void addWaiting(String text, MicrosSummary waits, MicrosSummary responseTimes) {
            boolean mostly = waits.p50() > OWN_WAIT_LIMIT * responseTimes.p50();
            if (isDisturbed() && !starved) {
                off = Math.max(off, (double) waits.p95() / Math.max(1, responseTimes.p95()));
            } else if (!starved) {
                found.fault(text + ": this machine has too little CPU for load generator and database together"
                        + shares() + "; use fewer users, or run the load generator on another machine");
            } else if (mostly) {
                found.fault(text + ": the database took the CPUs" + shares()
                        + ", so that the load generator measured its own"
                        + " waiting for one; run it on another machine, or use fewer users");
            } else {
                found.signs().add(text + ": the database took the CPUs that the load generator needs, too");
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
                                Locale.ROOT,
                                "searches waited %.1f ms at p95 for a worker that was free",
                                wait / 1000.0),
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
                found.signs().add(text + ": the database took the CPUs that they need");
            } else if (isDisturbed() && ratio > PAUSED_LIMIT && ratio <= PAUSED_LIMIT_IF_STARVED) {
                found.note(text + ": other programs took the CPUs that they need");
            } else if (ratio > PAUSED_LIMIT) {
                found.fault(text + ": response times from p99 on may be those of pauses (give it more memory)");
            } else {
                found.note(text + ": the longest response times may be those of pauses");
            }
        }

        /** Steps last long: a pause is a part of one, and matters by its share. */
        private void checkPausesOfSteps(Pauses pauses) {
            if (pauses.maxMicros() <= PAUSE_MICROS) {
                return;
            }
            if (pauses.totalMicros() > PAUSED_LIMIT_OF_STEPS * seconds * 1e6) {
                found.fault(text(pauses) + ": steps took that much longer (give it more memory)");
            } else {
                found.note(text(pauses) + ": steps took that much longer");
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
                found.note("other programs were busy on this machine (" + heavy + " of all CPUs)");
            }
            if (ratio > OFF_LIMIT && !told) {
                found.note(
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
            double read = sum(host.disks(), HostActivity.Disk::readBytes);
            double written = sum(host.disks(), HostActivity.Disk::writtenBytes);
            double byOthers = Math.max(0, read - sum(database.io(), Io::readBytes))
                    + Math.max(0, written - sum(database.io(), Io::writtenBytes));
            double othersRatio = byOthers / Math.max(1, read + written);
            double ratio = waiting * othersRatio / Math.max(running, LEAST_RUNNING);
            if (ratio > OFF_LIMIT && othersRatio > OWN_WAIT_LIMIT) {
                causes.add(String.format(
                        Locale.ROOT,
                        "other programs moved %.0f %% of what the disks read and wrote",
                        100 * othersRatio));
                off = Math.max(off, ratio);
            }
        }

        private static <T> double sum(List<T> things, ToLongFunction<T> bytes) {
            return things.stream().mapToLong(bytes).sum();
        }

        private void checkSwap() {
            long bytes = host.transfers().swapInBytes() + host.transfers().swapOutBytes();
            boolean much = bytes > SWAP_LIMIT_BYTES_PER_SECOND * seconds;
            double megabytes = bytes / (double) (1 << 20);
            found.faultIf(much, "this machine swapped %.1f MB: it has too little memory", megabytes);
            found.noteIf(bytes > 0 && !much, "this machine swapped %.1f MB", megabytes);
        }

        private void noteSharedCpus() {
            found.noteIf(
                    host.cpu().databaseCpuRatio() > 0,
                    "database and load generator share the %d CPUs of this machine; they took %.0f %% and %.0f %% of them",
                    host.cpus(),
                    100 * host.cpu().databaseCpuRatio(),
                    100 * host.cpu().generatorCpuRatio());
        }
    }
}
