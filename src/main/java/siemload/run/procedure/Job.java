package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import siemload.query.Order;
import siemload.results.LoggedJob.JobItem;
import siemload.results.statistics.JobCourse;
import siemload.results.statistics.SteadyPart;
import siemload.scenario.Procedure;

/** A job while its items are worked on: whoever is free takes the next one. Thread-safe. */
final class Job {
    private static final double MICROS = 1e6;
    private static final double SECONDS_OF_MINUTE = 60;

    private final int number;
    private final int level;
    private final ItemSink sink;
    private final long startNanos = System.nanoTime();
    private final Queue<Queued> queue = new ConcurrentLinkedQueue<>();
    private final List<JobItem> items = new ArrayList<>();
    private final LatencySamples times = new LatencySamples();
    private final AnswerHash answers = new AnswerHash(Order.UNSORTED);
    private Optional<String> firstFailure = Optional.empty();
    private long rows;

    /** It begins now. */
    Job(int number, int level, ItemSink sink) {
        this.number = number;
        this.level = level;
        this.sink = sink;
    }

    private record Queued(int item, long micros) {}

    /** Queues all items. */
    void submit() {
        for (int item = 1; item <= level; item++) {
            queue.add(new Queued(item, microsAt(System.nanoTime())));
        }
    }

    /** What a session does of it: one item after the other, until none is left or the run is to end. */
    Runnable workOf(ItemSession session) {
        return () -> {
            for (Queued next = queue.poll(); next != null && !session.isOver(); next = queue.poll()) {
                long started = System.nanoTime();
                ItemSession.Done done = session.work(next.item());
                long ended = System.nanoTime();
                JobItem item = new JobItem(
                        next.item(),
                        session.slot(),
                        next.micros(),
                        microsAt(started),
                        microsAt(ended),
                        done.ok(),
                        done.failed());
                add(item, done, ended);
            }
        };
    }

    private synchronized void add(JobItem item, ItemSession.Done done, long endNanos) {
        items.add(item);
        times.add((double) item.micros());
        answers.add(item.number() + " " + done.answersHash());
        firstFailure = firstFailure.or(done::firstFailure);
        rows += done.rows();
        sink.add(number, level, endNanos, item);
    }

    /** How many items were worked on to their end. */
    synchronized int ended() {
        return (int) items.stream().filter(item -> !item.hasFailed()).count();
    }

    /** What was measured of it. */
    synchronized Step step(Procedure.Jobs procedure) {
        JobCourse course = JobCourse.of(items, procedure.inFlight() * procedure.servers());
        double seconds = course.durationMicros() / MICROS;
        long searches = items.stream().mapToLong(JobItem::ok).sum();
        Step step = new Step("job of " + level + (level == 1 ? " item" : " items"))
                .fact("job", number)
                .fact("level", level)
                .fact("servers", procedure.servers())
                .fact("inFlight", procedure.inFlight())
                .fact("itemSearches", procedure.itemSearches())
                .figure("seconds", seconds)
                .figure("rampUpSeconds", course.fullMicros() / MICROS)
                .figure("tailSeconds", (course.durationMicros() - course.lastStartMicros()) / MICROS)
                .figure("items", items.size())
                .figure("itemsPerMinute", perSecond(items.size(), seconds) * SECONDS_OF_MINUTE)
                .figure("searchesPerSecond", perSecond(searches, seconds))
                .figure("rows", rows)
                .figure("itemP50Micros", times.percentile(50))
                .figure("itemP95Micros", times.percentile(95))
                .figure("mostInFlight", course.mostInFlight());
        course.steady().ifPresent(steady -> addSteady(step, steady));
        addFailures(step);
        return step;
    }

    private static void addSteady(Step step, SteadyPart steady) {
        step.figure("steadySeconds", steady.micros() / MICROS)
                .figure("steadyItemsPerMinute", steady.itemsPerMinute())
                .figure("steadyItemMicros", steady.itemMicros())
                .figure("littleItemsPerMinute", steady.littleItemsPerMinute());
    }

    /**
     * Failed items count as what they are, and make the run one that is not valid; where none is left, nothing was measured.
     * Without any, answers can be compared.
     */
    private void addFailures(Step step) {
        long failedItems = items.stream().filter(JobItem::hasFailed).count();
        long failedSearches = items.stream().mapToLong(JobItem::failed).sum();
        step.figure("failedItems", failedItems);
        step.figure("failedSearches", failedSearches);
        firstFailure.ifPresent(why -> step.fact("firstFailure", why));
        if (failedItems == level) {
            step.failed("all " + level + " items failed, the first one by: " + firstFailure.orElse("its end"));
        } else if (failedItems == 0 && items.size() == level) {
            step.fact("answersHash", answers.toString());
        }
    }

    private static double perSecond(long count, double seconds) {
        return seconds == 0 ? 0 : count / seconds;
    }

    private long microsAt(long nanos) {
        return TimeUnit.NANOSECONDS.toMicros(nanos - startNanos);
    }
}
