package siemload.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import siemload.measure.AbortWatch;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.measure.SecondLog;
import siemload.measure.TickRecorder;
import siemload.measure.monitor.ReplicaWatch;
import siemload.results.GeneratorCpu;
import siemload.run.LoadRun;
import siemload.run.RunPlan;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.FeedLedger;
import siemload.scenario.AnalystGroup;
import siemload.scenario.Feeder;
import siemload.scenario.LoadModel;
import siemload.scenario.Phases;
import siemload.scenario.Scenario;

/** What of a load exists from its first user on: the clock, and everybody and everything that follows it. */
record StartedLoad(
        RunClock clock,
        LatencyRecorder recorder,
        FeederRecorder feederRecorder,
        ReadPools pools,
        FeederRun feeder,
        GeneratorCpu cpu,
        StatusLine status,
        SecondLog log,
        Optional<RetentionRun> retention) {

    /**
     * Starts all of it.
     *
     * @param nanos when the load begins, on the monotonic clock
     * @param connections that the workers and the feeder take over
     */
    static StartedLoad at(
            long nanos,
            LoadRun run,
            LoadConnections connections,
            AnswerSampler sampler,
            FeedLedger ledger,
            Probes probes) {
        Scenario scenario = run.plan().scenario();
        Phases phases = scenario.phases();
        Feeder feeder = scenario.feeder();
        RunClock clock = RunClock.startingAt(nanos, phases.warmup(), phases.measurement());
        LatencyRecorder recorder = new LatencyRecorder(clock);
        expectTicks(recorder.ticks(), scenario.analysts(), nanos);
        FeederRecorder feederRecorder = new FeederRecorder(clock, feeder.rate());
        recorder.replicas().expect(run.plan().readUrls());
        ReadPools pools = pools(run.plan(), connections, recorder, sampler);
        FeederRun feederRun = new FeederRun(
                feeder,
                run.plan().shard(),
                run.plan().source().feed(),
                clock,
                new DataClock(nanos, run.plan().source().until()),
                feederRecorder,
                ledger,
                probes::acknowledged);
        run.watch(clock);
        probes.start(clock);
        feederRun.start(connections.sinks());
        Optional<RetentionRun> retention = retention(run, clock);
        retention.ifPresent(RetentionRun::start);
        GeneratorCpu cpu = new GeneratorCpu();
        StatusLine status = new StatusLine(
                run.host()::status,
                run.plan().asked(),
                clock,
                recorder,
                feeder.isOn() ? Optional.of(feederRecorder) : Optional.empty());
        status.start();
        status.at(clock.measureNanos(), cpu::phaseStarted);
        status.at(clock.endNanos(), cpu::phaseEnded);
        SecondLog log = run.openLog(clock, recorder, feederRecorder, ledger);
        AbortWatch harm = run.harm();
        status.every(Duration.ofSeconds(1), clock.measureNanos(), () -> {
            log.tick(System.nanoTime());
            harm.second(recorder, feederRecorder).ifPresent(run::abort);
        });
        return new StartedLoad(clock, recorder, feederRecorder, pools, feederRun, cpu, status, log, retention);
    }

    private static ReadPools pools(
            RunPlan plan, LoadConnections connections, LatencyRecorder recorder, AnswerSampler sampler) {
        List<ReadPool> pools = new ArrayList<>();
        for (LoadConnections.Reader reader : connections.readers()) {
            int index = pools.size();
            Answering answering = reader.following()
                    .map(replica -> new Answering(
                            replica.progress()::completeUntil,
                            recorder.replicas().of(index)::finished))
                    .orElse(Answering.STORE);
            SearchWorkers workers = new SearchWorkers(
                    reader.sessions(), recorder, sampler, System::nanoTime, connections::counting, answering);
            UserCursors cursors = new UserCursors(reader.place().store()::openSession, answering.completeUntil());
            Optional<ReplicaWatch> watch = reader.following()
                    .map(replica -> ReplicaWatch.start(
                            replica.positions(),
                            replica.progress(),
                            recorder.replicas().of(index)));
            pools.add(new ReadPool(workers, cursors, watch));
        }
        return new ReadPools(plan.routing(), pools);
    }

    private static void expectTicks(TickRecorder ticks, List<AnalystGroup> analysts, long startNanos) {
        for (AnalystGroup group : analysts) {
            if (group.load() instanceof LoadModel.Scheduled schedule) {
                ticks.expect(
                        group.name(),
                        schedule.tasks(),
                        schedule.every(),
                        nanos -> schedule.dueBefore(nanos - startNanos));
            }
        }
    }

    private static Optional<RetentionRun> retention(LoadRun run, RunClock clock) {
        return run.plan()
                .scenario()
                .retention()
                .map(planned -> new RetentionRun(
                        run.store().dayRemoval().orElseThrow(),
                        run.plan().oldestDay(),
                        clock.measureNanos() + planned.after().toNanos()));
    }
}
