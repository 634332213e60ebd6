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
import siemload.results.JobItem;
import siemload.results.RunFile;
import siemload.results.RunWriter.TableWriter;
import siemload.results.statistics.JobCourse;
import siemload.run.procedure.TimedSearch.AnswerHash;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Items;

/** Submits jobs of many items one after the other, and has their items worked on by the sessions of all servers. */
final class ItemSteps {
    private final Procedure procedure;
    private final Items items;
    private final Servers servers;
    private final ProcedureContext context;
    private final ProcedureSearches searches;
    /** Made when the first item has ended. */
    private Optional<TableWriter> log = Optional.empty();

    ItemSteps(Procedure procedure, Items items, Servers servers, ProcedureContext context, ProcedureSearches searches) {
        this.procedure = procedure;
        this.items = items;
        this.servers = servers;
        this.context = context;
        this.searches = searches;
    }

    void run() {
        // All sessions are open before the first job: what a job takes has no connecting in it.
        servers.all().forEach(server -> server.sessions(items.inFlight()));
        try {
            int number = 0;
            for (int pass = 1; pass <= procedure.passes(); pass++) {
                for (int level : items.levels()) {
                    context.steps().check();
                    submit(++number, pass, level);
                }
            }
        } finally {
            log.ifPresent(ProcedureContext::close);
        }
    }

    private int places() {
        return procedure.servers() * items.inFlight();
    }

    private void submit(int number, int pass, int level) {
        context.status(
                "job %d of %d, of size %,d, at most %d items at once",
                number, procedure.passes() * items.levels().size(), level, places());
        boolean counts = ProcedureContext.told(() -> {
                    servers.all().forEach(server -> server.io().start(server.sessions(items.inFlight())));
                    return Optional.of(true);
                })
                .isPresent();
        Job job = new Job(number, level);
        ParallelTasks.run("job", job.work());
        Step step = job.step().fact("pass", pass);
        if (context.steps().isInterrupted()) {
            step.fact("interrupted", "after " + job.ended() + " of " + level + " items");
        } else if (counts) {
            ProcedureContext.told(this::sinceStart).ifPresent(step::readAndWritten);
        }
        context.steps().add(step.done());
        context.steps().check();
    }

    /** Of all servers together; empty unless all tell it. */
    private Optional<CounterReading> sinceStart() {
        Map<String, Io> sum = new HashMap<>();
        for (Servers.One server : servers.all()) {
            Optional<CounterReading> counted = server.io().sinceStart(server.sessions(items.inFlight()));
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
        private final List<JobItem> done = new ArrayList<>();
        private final Histogram times = new Histogram(3);
        private final AnswerHash answers = new AnswerHash(Order.UNSORTED);
        private Optional<String> firstFailure = Optional.empty();
        private long rows;

        Job(int number, int level) {
            this.number = number;
            this.level = level;
        }

        /** The first session of each server before the second one of any, so that small jobs are shared as well. */
        List<Runnable> work() {
            List<Runnable> work = new ArrayList<>();
            for (int place = 1; place <= items.inFlight(); place++) {
                for (int server = 1; server <= procedure.servers(); server++) {
                    SearchSession session = servers.all()
                            .get(server - 1)
                            .sessions(items.inFlight())
                            .get(place - 1);
                    JobItem.Slot slot = new JobItem.Slot(server, place);
                    work.add(() -> work(slot, session));
                }
            }
            return work;
        }

        /** One item after the other, until none is left or the run is to end. */
        private void work(JobItem.Slot slot, SearchSession session) {
            for (int item = next.getAndIncrement();
                    item <= level && !context.steps().isInterrupted();
                    item = next.getAndIncrement()) {
                work(item, slot, session);
            }
        }

        /**
         * An item asks for the same in every run and at every level; the kinds of searches take turns. A search that fails does not keep
         * the next ones from being asked: whoever audits wants to know all that can be known.
         */
        private void work(int item, JobItem.Slot slot, SearchSession session) {
            List<SearchName> names = searches.asked().searches();
            AnswerHash hash = new AnswerHash(Order.NEWEST_FIRST);
            Optional<String> failed = Optional.empty();
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
                } catch (SearchException failure) {
                    failed = failed.or(() -> Optional.of(String.valueOf(failure.getMessage())));
                }
            }
            add(
                    new JobItem(item, slot, 0, started, microsNow(), ok, items.itemSearches() - ok),
                    found,
                    hash.toString(),
                    failed);
        }

        private synchronized void add(JobItem item, long found, String answersHash, Optional<String> failed) {
            done.add(item);
            times.recordValue(item.micros());
            answers.add(item.number() + " " + answersHash);
            firstFailure = firstFailure.or(() -> failed);
            rows += found;
            log = Optional.of(log.orElseGet(() -> context.table(RunFile.ITEMS)));
            item.write(log.orElseThrow(), context.second(System.nanoTime()), number, level);
        }

        /** How many items were worked on to their end. */
        synchronized int ended() {
            return (int) done.stream().filter(item -> !item.hasFailed()).count();
        }

        /**
         * What was measured of it. Failed items count as what they are, and make the run one that is not valid; where none is left, nothing
         * was measured. Without any, answers can be compared.
         */
        synchronized Step step() {
            JobCourse course = JobCourse.of(done, places());
            double seconds = course.durationMicros() / 1e6;
            int failedItems = done.size() - ended();
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
                    .figure(
                            "searchesPerSecond",
                            seconds == 0
                                    ? 0
                                    : done.stream().mapToLong(JobItem::ok).sum() / seconds)
                    .figure("rows", rows)
                    .figure("itemP50Micros", times.getValueAtPercentile(50))
                    .figure("itemP95Micros", times.getValueAtPercentile(95))
                    .figure("mostInFlight", course.mostInFlight())
                    .figure("startSecond", context.second(startNanos))
                    .figure("failedItems", failedItems)
                    .figure(
                            "failedSearches",
                            done.stream().mapToLong(JobItem::failed).sum());
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
