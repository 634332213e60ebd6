package siemload.run.procedure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import siemload.database.Counters.CounterReading;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.query.Order;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.run.answers.RowSum;
import siemload.run.procedure.Servers.TimedSearch;
import siemload.run.procedure.StepLog.Step;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Items;

/** Submits jobs of many items one after the other, and has their items worked on by the sessions of all servers. */
record ItemSteps(
        Procedure procedure,
        Items items,
        Servers servers,
        ProcedureContext context,
        ProcedureContext.Searches searches) {

    /** An item that was worked on, in seconds since its job began; why the first of its searches failed that did. */
    private record Item(
            int number, double start, double end, int failed, long rows, String hash, Optional<String> failure) {}

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
        Queue<Item> done = new ConcurrentLinkedQueue<>();
        AtomicInteger next = new AtomicInteger(1);
        long start = System.nanoTime();
        List<Runnable> work = new ArrayList<>();
        // The first session of each server before the second one of any, so that small jobs are shared as well.
        for (int place = 0; place < items.inFlight(); place++) {
            for (Servers.One server : servers.all()) {
                SearchSession session = server.sessions(items.inFlight()).get(place);
                work.add(() -> {
                    for (int item = next.getAndIncrement();
                            item <= level && !context.steps().isInterrupted();
                            item = next.getAndIncrement()) {
                        done.add(work(item, session, start));
                    }
                });
            }
        }
        Servers.await(Servers.start("job", work));
        OptionalLong cpuAfter = context.cpu().get();
        if (cpuBefore.isPresent() && cpuAfter.isPresent()) {
            double seconds = Math.max(0, cpuAfter.getAsLong() - cpuBefore.getAsLong()) / 1e9;
            step.figure("databaseCpuSeconds", seconds)
                    .figure("databaseCpuSecondsPerServer", seconds / procedure.servers());
        }
        tell(step, level, done);
        if (context.steps().isInterrupted()) {
            long good = done.stream().filter(item -> item.failed() == 0).count();
            step.fact("interrupted", "after " + good + " of " + level + " items");
        } else {
            step.readAndWritten(counted());
        }
        context.steps().add(step);
        context.steps().check();
    }

    /** Of all servers together; empty unless all tell it. */
    private Optional<CounterReading> counted() {
        List<Optional<CounterReading>> each =
                servers.all().stream().map(server -> server.io().sinceStart()).toList();
        return each.stream()
                .reduce((some, others) -> some.flatMap(one -> others.map(one::plus)))
                .orElseThrow();
    }

    /**
     * An item asks for the same in every run and at every level; the kinds of searches take turns. A search that fails does not keep
     * the next ones from being asked: whoever audits wants to know all that can be known.
     */
    private Item work(int item, SearchSession session, long jobStart) {
        List<SearchName> names = searches.asked().searches();
        RowSum hash = new RowSum();
        Optional<String> failure = Optional.empty();
        int ok = 0;
        long rows = 0;
        double start = (System.nanoTime() - jobStart) / 1e9;
        for (int one = 0; one < items.itemSearches() && !context.steps().isInterrupted(); one++) {
            try {
                int draw = (item - 1) * items.itemSearches() + one;
                Search search = searches.search(names.get(one % names.size()), draw);
                TimedSearch read = TimedSearch.read(search, session);
                hash.add(read.answersHash(), Order.NEWEST_FIRST);
                rows += read.rows();
                ok++;
            } catch (SearchException thrown) {
                failure = failure.or(() -> Optional.of(String.valueOf(thrown.getMessage())));
            }
        }
        double end = (System.nanoTime() - jobStart) / 1e9;
        return new Item(item, start, end, items.itemSearches() - ok, rows, hash.hex(), failure);
    }

    /**
     * Adds what was measured of a job. Failed items count as what they are, and make the run one that is not valid; where none is left,
     * nothing was measured. Without any, answers can be compared. Its steady part begins when as many items are at work as ever may be,
     * and ends when the last item is started: from one to the other the place of each item that ends is taken by the next one. Of items
     * that lie in it with a part of their time that part counts: otherwise a job would seem slower by the work on its last items.
     */
    private void tell(Step step, int level, Collection<Item> done) {
        double[] starts = done.stream().mapToDouble(Item::start).sorted().toArray();
        double[] ends = done.stream().mapToDouble(Item::end).sorted().toArray();
        double seconds = done.isEmpty() ? 0 : ends[ends.length - 1];
        double lastStart = done.isEmpty() ? 0 : starts[starts.length - 1];
        double from = lastStart;
        int most = 0;
        for (int i = 0, ended = 0; i < starts.length; i++) {
            while (ended < i && ends[ended] <= starts[i]) {
                ended++;
            }
            most = Math.max(most, i + 1 - ended);
            from = i + 1 - ended == places() ? Math.min(from, starts[i]) : from;
        }
        Histogram times = new Histogram(3);
        RowSum answers = new RowSum();
        done.forEach(item -> times.recordValue(Math.round((item.end() - item.start()) * 1e6)));
        done.forEach(item -> answers.add(item.number() + " " + item.hash(), Order.UNSORTED));
        long failed = done.stream().mapToLong(Item::failed).sum();
        long failedItems = done.stream().filter(item -> item.failed() > 0).count();
        double answered = (double) done.size() * items.itemSearches() - failed;
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
                .figure("rows", done.stream().mapToLong(Item::rows).sum())
                .percentiles("itemP", times, 50, 95)
                .figure("mostInFlight", most)
                .figure("failedItems", failedItems)
                .figure("failedSearches", failed);
        double steady = lastStart - from;
        if (steady > 0) {
            double begin = from;
            double within = done.stream()
                    .filter(item -> item.end() > begin && item.start() < lastStart)
                    .mapToDouble(item -> (Math.min(lastStart, item.end()) - Math.max(begin, item.start()))
                            / (item.end() - item.start()))
                    .sum();
            step.figure("steadySeconds", steady).figure("steadyItemsPerMinute", within / steady * 60);
        }
        Optional<String> first =
                done.stream().flatMap(item -> item.failure().stream()).findFirst();
        first.ifPresent(why -> step.fact("firstFailure", why));
        if (failedItems == level) {
            step.failed("all " + level + " items failed, the first one by: " + first.orElse("its end"));
        } else if (failedItems == 0 && done.size() == level) {
            step.fact("answersHash", answers.hex());
        }
    }
}
