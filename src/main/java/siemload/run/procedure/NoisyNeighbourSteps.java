package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import siemload.database.TargetException;
import siemload.query.Page;
import siemload.query.SearchName;
import siemload.results.StepRecord;
import siemload.scenario.Procedure;

/**
 * Users who read first pages in a closed loop without thinking: alone, beside one search for every event there is,
 * and alone again after that search was cancelled.
 */
final class NoisyNeighbourSteps implements Runnable {
    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Procedure.Noisy procedure;
    private final ProcedureContext context;
    private final List<ClosedLoopReader> readers = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();

    NoisyNeighbourSteps(Procedure.Noisy procedure, ProcedureContext context) {
        this.procedure = procedure;
        this.context = context;
    }

    /** One of the three parts; times of searches that began in it come in until the last of them has ended. */
    private record Part(String name, LatencySamples times, double seconds) {}

    @Override
    public void run() {
        List<StepRecord> noiseSteps = new ArrayList<>();
        try {
            startReaders();
            part("before");
            try (UnboundedReader noise = UnboundedReader.start(context)) {
                part("beside");
                noise.cancel();
                part("after");
                noiseSteps.add(noise.step().done());
            }
        } finally {
            readers.forEach(ClosedLoopReader::close);
            parts.forEach(part -> context.steps().add(step(part)));
            noiseSteps.forEach(context.steps()::add);
        }
    }

    private void startReaders() {
        List<SearchName> searches = procedure.searchSet().searches();
        ProcedureSearches asked = context.searches(procedure.searchSet());
        Page page = procedure.page();
        for (int user = 0; user < procedure.users(); user++) {
            int own = user;
            // Users differ in their values and in the search that they begin with, the same ones in every run.
            ClosedLoopReader reader = new ClosedLoopReader(
                    context.store().openSession(),
                    number -> asked.search(
                            searches.get((number + own) % searches.size()),
                            number * procedure.users() + own,
                            procedure.order(),
                            page));
            readers.add(reader);
            context.interruption().onAsk(reader::cancel);
        }
        readers.forEach(ClosedLoopReader::start);
    }

    /** Measures for a while. */
    private void part(String name) {
        context.interruption().check();
        context.status("%d users, %s the search for everything", procedure.users(), name);
        LatencySamples times = new LatencySamples();
        readers.forEach(reader -> reader.recordInto(times));
        long start = System.nanoTime();
        while (System.nanoTime() - start < procedure.part().toNanos()) {
            context.interruption().check();
            LockSupport.parkNanos(MOMENT_NANOS);
        }
        parts.add(new Part(name, times, (System.nanoTime() - start) / 1e9));
        // Searches that begin between two parts, or while all of it is brought to its end, are of none of them.
        readers.forEach(reader -> reader.recordInto(new LatencySamples()));
        for (ClosedLoopReader reader : readers) {
            reader.failure().ifPresent(failure -> {
                throw new TargetException("a user's search failed: " + failure.getMessage(), failure);
            });
        }
    }

    private StepRecord step(Part part) {
        LatencySamples times = part.times();
        return new Step(part.name())
                .fact("users", procedure.users())
                .figure("searches", times.count())
                .figure("searchesPerSecond", times.count() / part.seconds())
                .figure("p50Micros", times.percentile(50))
                .figure("p95Micros", times.percentile(95))
                .figure("maxMicros", times.percentile(100))
                .done();
    }
}
