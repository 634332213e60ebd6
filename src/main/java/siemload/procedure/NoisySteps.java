package siemload.procedure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import siemload.measure.StepRecord;
import siemload.query.Page;
import siemload.query.SearchName;
import siemload.scenario.Procedure;
import siemload.target.TargetException;

/**
 * Users who read first pages in a closed loop without thinking: alone, beside somebody who asks for every event there is,
 * and alone again after that search was cancelled.
 */
final class NoisySteps implements Runnable {
    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Procedure.Noisy procedure;
    private final Workbench bench;
    private final List<ClosedLoopReader> readers = new ArrayList<>();
    private final List<Third> thirds = new ArrayList<>();

    NoisySteps(Procedure.Noisy procedure, Workbench bench) {
        this.procedure = procedure;
        this.bench = bench;
    }

    /** One of the three parts; times of searches that began in it come in until the last of them has ended. */
    private record Third(String name, Durations times, double seconds) {}

    @Override
    public void run() {
        List<StepRecord> noiseSteps = new ArrayList<>();
        try {
            startReaders();
            third("before");
            try (Noise noise = Noise.start(bench)) {
                third("beside");
                noise.cancel();
                third("after");
                noiseSteps.add(noise.step().done());
            }
        } finally {
            readers.forEach(ClosedLoopReader::close);
            thirds.forEach(third -> bench.steps().add(step(third)));
            noiseSteps.forEach(bench.steps()::add);
        }
    }

    private void startReaders() {
        List<SearchName> searches = procedure.asking().searches();
        AskedSearches asked = bench.searches(procedure.asking());
        Page page = new Page.Numbered(procedure.pageSize(), 1);
        for (int user = 0; user < procedure.users(); user++) {
            int own = user;
            // Users differ in their values and in the search that they begin with, the same ones in every run.
            ClosedLoopReader reader = new ClosedLoopReader(
                    bench.store().openSession(),
                    number -> asked.search(
                            searches.get((number + own) % searches.size()),
                            number * procedure.users() + own,
                            procedure.order(),
                            page));
            readers.add(reader);
            bench.interruption().onAsk(reader::cancel);
        }
        readers.forEach(ClosedLoopReader::start);
    }

    /** Measures for a while. */
    private void third(String name) {
        bench.interruption().check();
        bench.progress()
                .status(String.format(Locale.ROOT, "%d users, %s the search for everything", procedure.users(), name));
        Durations times = new Durations();
        readers.forEach(reader -> reader.recordInto(times));
        long start = System.nanoTime();
        while (System.nanoTime() - start < procedure.third().toNanos()) {
            bench.interruption().check();
            LockSupport.parkNanos(MOMENT_NANOS);
        }
        thirds.add(new Third(name, times, (System.nanoTime() - start) / 1e9));
        for (ClosedLoopReader reader : readers) {
            reader.failure().ifPresent(failure -> {
                throw new TargetException("a user's search failed: " + failure.getMessage(), failure);
            });
        }
    }

    private StepRecord step(Third third) {
        Durations times = third.times();
        return new Step(third.name())
                .fact("users", procedure.users())
                .figure("searches", times.count())
                .figure("searchesPerSecond", times.count() / third.seconds())
                .figure("p50Micros", times.percentile(50))
                .figure("p95Micros", times.percentile(95))
                .figure("maxMicros", times.percentile(100))
                .done();
    }
}
