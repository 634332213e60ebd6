package siemload.run.procedure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.Io;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.query.Order;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.run.answers.RowSum;
import siemload.run.procedure.StepLog.Step;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Items;

/** Submits jobs of many items one after the other, and has their items worked on by the sessions of all servers. */
record ItemSteps(
        Procedure procedure, Items items, Servers servers, ProcedureContext context, Procedures.Searches searches) {

    void run() {
        // All sessions are open before the first job: what a job takes has no connecting in it.
        servers.all().forEach(server -> server.sessions(items.inFlight()));
        int jobs = procedure.passes() * items.levels().size();
        for (int number = 1; number <= jobs; number++) {
            context.steps().check();
            int level = items.levels().get((number - 1) % items.levels().size());
            context.status("job %d of %d, of size %,d, at most %d items at once", number, jobs, level, places());
            submit(
                    level,
                    new Step("job of " + level + (level == 1 ? " item" : " items"))
                            .fact("job", number)
                            .fact("pass", (number - 1) / items.levels().size() + 1));
        }
    }

    private int places() {
        return procedure.servers() * items.inFlight();
    }

    private void submit(int level, Step step) {
        servers.all().forEach(server -> server.io().start(server.sessions(items.inFlight())));
        OptionalLong cpuBefore = context.cpu().get();
        Job job = new Job(level);
        Servers.await(Servers.start("job", job.work()));
        OptionalLong cpuAfter = context.cpu().get();
        if (cpuBefore.isPresent() && cpuAfter.isPresent()) {
            double seconds = Math.max(0, cpuAfter.getAsLong() - cpuBefore.getAsLong()) / 1e9;
            step.figure("databaseCpuSeconds", seconds)
                    .figure("databaseCpuSecondsPerServer", seconds / procedure.servers());
        }
        job.tell(step);
        if (context.steps().isInterrupted()) {
            step.fact("interrupted", "after " + (job.done.size() - job.failedItems) + " of " + level + " items");
        } else {
            counted().ifPresent(step::readAndWritten);
        }
        context.steps().add(step);
        context.steps().check();
    }

    /** Of all servers together; empty unless all tell it. */
    private Optional<List<Io>> counted() {
        Map<String, Io> sum = new HashMap<>();
        for (Servers.One server : servers.all()) {
            Optional<CounterReading> counted = server.io().sinceStart();
            if (counted.isEmpty()) {
                return Optional.empty();
            }
            counted.orElseThrow().io().forEach((category, io) -> sum.merge(category, io, Io::plus));
        }
        return Optional.of(List.copyOf(sum.values()));
    }

    /** An item that was worked on, in seconds since its job began. */
    private record Item(double start, double end) {}

    /** A job while its items are worked on: whoever is free takes the next one. Thread-safe. */
    private final class Job {
        private final int level;
        private final long startNanos = System.nanoTime();
        private final AtomicInteger next = new AtomicInteger(1);
        private final List<Item> done = new ArrayList<>();
        private final Histogram times = new Histogram(3);
        private final RowSum answers = new RowSum();
        private Optional<String> firstFailure = Optional.empty();
        private int failedItems;
        private long failed;
        private long rows;
        private int atWork;
        private int mostAtWork;
        /** When so many items were at work as ever may be, for the first time. */
        private Optional<Double> full = Optional.empty();

        private double lastStart;

        Job(int level) {
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
            RowSum hash = new RowSum();
            Optional<String> failure = Optional.empty();
            int ok = 0;
            long found = 0;
            double started = started();
            for (int one = 0; one < items.itemSearches() && !context.steps().isInterrupted(); one++) {
                try {
                    int draw = (item - 1) * items.itemSearches() + one;
                    Search search = searches.search(names.get(one % names.size()), draw);
                    TimedSearch read = context.steps().counted(() -> TimedSearch.read(search, session));
                    hash.add(read.answersHash(), Order.NEWEST_FIRST);
                    found += read.rows();
                    ok++;
                } catch (SearchException thrown) {
                    failure = failure.or(() -> Optional.of(String.valueOf(thrown.getMessage())));
                }
            }
            synchronized (this) {
                atWork--;
                Item ended = new Item(started, seconds());
                done.add(ended);
                times.recordValue(Math.round((ended.end() - started) * 1e6));
                answers.add(item + " " + hash.hex(), Order.UNSORTED);
                firstFailure = firstFailure.isPresent() ? firstFailure : failure;
                failedItems += ok < items.itemSearches() ? 1 : 0;
                failed += items.itemSearches() - ok;
                rows += found;
            }
        }

        private double seconds() {
            return (System.nanoTime() - startNanos) / 1e9;
        }

        private synchronized double started() {
            mostAtWork = Math.max(mostAtWork, ++atWork);
            lastStart = seconds();
            full = atWork == places() && full.isEmpty() ? Optional.of(lastStart) : full;
            return lastStart;
        }

        /**
         * Adds what was measured of it. Failed items count as what they are, and make the run one that is not valid; where none is left,
         * nothing was measured. Without any, answers can be compared. Its steady part begins when as many items are at work as ever may be,
         * and ends when the last item is started: from one to the other the place of each item that ends is taken by the next one. Of items
         * that lie in it with a part of their time that part counts: otherwise a job would seem slower by the work on its last items.
         */
        synchronized void tell(Step step) {
            double seconds = done.stream().mapToDouble(Item::end).max().orElse(0);
            double answered = (double) done.size() * items.itemSearches() - failed;
            double from = full.orElse(lastStart);
            step.fact("level", level)
                    .fact("servers", procedure.servers())
                    .fact("inFlight", items.inFlight())
                    .fact("itemSearches", items.itemSearches())
                    .figure("seconds", seconds)
                    .figure("rampUpSeconds", from)
                    .figure("tailSeconds", Math.max(0, seconds - lastStart))
                    .figure("items", done.size())
                    .figure("itemsPerMinute", seconds == 0 ? 0 : done.size() / seconds * 60)
                    .figure("searchesPerSecond", seconds == 0 ? 0 : answered / seconds)
                    .figure("rows", rows)
                    .percentiles("itemP", times, 50, 95)
                    .figure("mostInFlight", mostAtWork)
                    .figure("failedItems", failedItems)
                    .figure("failedSearches", failed);
            if (from < lastStart) {
                double within = done.stream()
                        .filter(item -> item.end() > from && item.start() < lastStart)
                        .mapToDouble(item -> (Math.min(lastStart, item.end()) - Math.max(from, item.start()))
                                / (item.end() - item.start()))
                        .sum();
                step.figure("steadySeconds", lastStart - from)
                        .figure("steadyItemsPerMinute", within / (lastStart - from) * 60);
            }
            firstFailure.ifPresent(why -> step.fact("firstFailure", why));
            if (failedItems == level) {
                step.failed("all " + level + " items failed, the first one by: " + firstFailure.orElse("its end"));
            } else if (failedItems == 0 && done.size() == level) {
                step.fact("answersHash", answers.hex());
            }
        }
    }
}
