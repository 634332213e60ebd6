package siemload.run.procedure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.Io;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.query.Order;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.results.statistics.JobCourse;
import siemload.run.procedure.TimedSearch.AnswerHash;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Items;

/** Submits jobs of many items one after the other, and has their items worked on by the sessions of all servers. */
record ItemSteps(
        Procedure procedure, Items items, Servers servers, ProcedureContext context, ProcedureSearches searches) {

    void run() {
        // All sessions are open before the first job: what a job takes has no connecting in it.
        servers.all().forEach(server -> server.sessions(items.inFlight()));
        int number = 0;
        for (int pass = 1; pass <= procedure.passes(); pass++) {
            for (int level : items.levels()) {
                context.steps().check();
                submit(++number, pass, level);
            }
        }
    }

    private int places() {
        return procedure.servers() * items.inFlight();
    }

    private void submit(int number, int pass, int level) {
        context.status(
                "job %d of %d, of size %,d, at most %d items at once",
                number, procedure.passes() * items.levels().size(), level, places());
        servers.all().forEach(server -> server.io().start(server.sessions(items.inFlight())));
        Job job = new Job(number, level);
        ParallelTasks.run("job", job.work());
        Step step = job.step().fact("pass", pass);
        if (context.steps().isInterrupted()) {
            step.fact("interrupted", "after " + job.ended() + " of " + level + " items");
        } else {
            counted().ifPresent(step::readAndWritten);
        }
        context.steps().add(step.done());
        context.steps().check();
    }

    /** Of all servers together; empty unless all tell it. */
    private Optional<CounterReading> counted() {
        Map<String, Io> sum = new HashMap<>();
        for (Servers.One server : servers.all()) {
            Optional<CounterReading> counted = server.io().sinceStart();
            if (counted.isEmpty()) {
                return Optional.empty();
            }
            counted.orElseThrow().io().forEach((category, io) -> sum.merge(category, io, Io::plus));
        }
        return Optional.of(new CounterReading(sum.values(), List.of(), Map.of()));
    }

    /** A job while its items are worked on: whoever is free takes the next one. Thread-safe. */
    private final class Job {
        private final int number;
        private final int level;
        private final long startNanos = System.nanoTime();
        private final AtomicInteger next = new AtomicInteger(1);
        private final List<JobCourse.Item> done = new ArrayList<>();
        private final Histogram times = new Histogram(3);
        private final AnswerHash answers = new AnswerHash(Order.UNSORTED);
        private Optional<String> firstFailure = Optional.empty();
        private int failedItems;
        private long failed;
        private long rows;

        Job(int number, int level) {
            this.number = number;
            this.level = level;
        }

        /** The first session of each server before the second one of any, so that small jobs are shared as well. */
        List<Runnable> work() {
            List<Runnable> work = new ArrayList<>();
            for (int place = 0; place < items.inFlight(); place++) {
                for (Servers.One server : servers.all()) {
                    SearchSession session = server.sessions(items.inFlight()).get(place);
                    work.add(() -> work(session));
                }
            }
            return work;
        }

        /** One item after the other, until none is left or the run is to end. */
        private void work(SearchSession session) {
            for (int item = next.getAndIncrement();
                    item <= level && !context.steps().isInterrupted();
                    item = next.getAndIncrement()) {
                work(item, session);
            }
        }

        /**
         * An item asks for the same in every run and at every level; the kinds of searches take turns. A search that fails does not keep
         * the next ones from being asked: whoever audits wants to know all that can be known.
         */
        private void work(int item, SearchSession session) {
            List<SearchName> names = searches.asked().searches();
            AnswerHash hash = new AnswerHash(Order.NEWEST_FIRST);
            Optional<String> failure = Optional.empty();
            int ok = 0;
            long found = 0;
            long started = microsNow();
            for (int one = 0; one < items.itemSearches() && !context.steps().isInterrupted(); one++) {
                try {
                    int draw = (item - 1) * items.itemSearches() + one;
                    Search search = searches.search(names.get(one % names.size()), draw);
                    TimedSearch read = context.steps().counted(() -> TimedSearch.read(search, session));
                    hash.add(read.answersHash());
                    found += read.rows();
                    ok++;
                } catch (SearchException thrown) {
                    failure = failure.or(() -> Optional.of(String.valueOf(thrown.getMessage())));
                }
            }
            JobCourse.Item ended = new JobCourse.Item(started, microsNow());
            synchronized (this) {
                done.add(ended);
                times.recordValue(ended.micros());
                answers.add(item + " " + hash);
                firstFailure = firstFailure.isPresent() ? firstFailure : failure;
                failedItems += ok < items.itemSearches() ? 1 : 0;
                failed += items.itemSearches() - ok;
                rows += found;
            }
        }

        /** How many items were worked on to their end. */
        synchronized int ended() {
            return done.size() - failedItems;
        }

        /**
         * What was measured of it. Failed items count as what they are, and make the run one that is not valid; where none is left, nothing
         * was measured. Without any, answers can be compared.
         */
        synchronized Step step() {
            JobCourse course = JobCourse.of(done, places());
            double seconds = course.durationMicros() / 1e6;
            double answered = (double) done.size() * items.itemSearches() - failed;
            Step step = new Step("job of " + level + (level == 1 ? " item" : " items"))
                    .fact("job", number)
                    .fact("level", level)
                    .fact("servers", procedure.servers())
                    .fact("inFlight", items.inFlight())
                    .fact("itemSearches", items.itemSearches())
                    .figure("seconds", seconds)
                    .figure("rampUpSeconds", course.fullMicros() / 1e6)
                    .figure("tailSeconds", (course.durationMicros() - course.lastStartMicros()) / 1e6)
                    .figure("items", done.size())
                    .figure("itemsPerMinute", seconds == 0 ? 0 : done.size() / seconds * 60)
                    .figure("searchesPerSecond", seconds == 0 ? 0 : answered / seconds)
                    .figure("rows", rows)
                    .figure("itemP50Micros", times.getValueAtPercentile(50))
                    .figure("itemP95Micros", times.getValueAtPercentile(95))
                    .figure("mostInFlight", course.mostInFlight())
                    .figure("startSecond", context.second(startNanos))
                    .figure("failedItems", failedItems)
                    .figure("failedSearches", failed);
            if (course.steadyItemsPerMinute() > 0) {
                step.figure("steadySeconds", (course.lastStartMicros() - course.fullMicros()) / 1e6)
                        .figure("steadyItemsPerMinute", course.steadyItemsPerMinute());
            }
            firstFailure.ifPresent(why -> step.fact("firstFailure", why));
            if (failedItems == level) {
                step.failed("all " + level + " items failed, the first one by: " + firstFailure.orElse("its end"));
            } else if (failedItems == 0 && done.size() == level) {
                step.fact("answersHash", answers.toString());
            }
            return step;
        }

        private long microsNow() {
            return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startNanos);
        }
    }
}
