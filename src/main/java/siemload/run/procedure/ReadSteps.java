package siemload.run.procedure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import siemload.config.Choices;
import siemload.dataset.Popularity;
import siemload.dataset.SeededRandom;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.SearchKey;
import siemload.run.answers.AnswerCheck;
import siemload.run.procedure.Procedures.Searches;
import siemload.run.procedure.StepLog.Step;
import siemload.scenario.DrawRule;
import siemload.scenario.FollowUp;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Counting;
import siemload.scenario.Procedure.Read;
import siemload.scenario.Procedure.Read.Change;
import siemload.scenario.Procedure.Read.Match;
import siemload.scenario.Procedure.Read.Passes;

/**
 * Reads results, search by search: the whole result or its first page, in a declared state of the caches.
 *
 * @param changed whether what the store holds is other than when plans were read
 */
record ReadSteps(Procedure procedure, Servers servers, ProcedureContext context, boolean changed) {
    private static final double MILLION = 1e6;

    /** @param searches nothing but for what is chosen by how many events it finds */
    void read(Read read, Optional<Searches> searches) {
        if (!read.matching().isEmpty()) {
            match(read.matching());
            return;
        }
        Searches drawn = searches.orElseThrow();
        for (SearchName name : drawn.asked().searches()) {
            Search search = drawn.search(name, 0);
            if (!read.changes().isEmpty()) {
                read.changes().forEach(change -> follow(search, change));
            } else if (read.values() == Passes.OTHER_VALUES) {
                servers.each(one -> readOthers(drawn, name, one));
            } else {
                servers.eachPass(name.name(), "reading " + name, (server, pass, step) -> {
                    TimedSearch unused = read(search, read.count(), pass, asked(step, search), server);
                });
            }
        }
    }

    private Step asked(Step step, Search search) {
        step.search(search).fact("caches", procedure.caches());
        return context.draw().catalog().get(search.name()).hasList()
                ? step.fact("listLength", procedure.asked().orElseThrow().listLength())
                : step;
    }

    private TimedSearch read(Search search, Counting counting, int pass, Step step, Servers.One server) {
        TimedSearch timed = server.measure(pass, step, () -> server.read(search));
        double total = timed.lastEventMicros();
        if (counting == Counting.EXACT) {
            long start = System.nanoTime();
            step.figure("matchingEvents", server.count(search));
            double micros = (System.nanoTime() - start) / 1e3;
            total += micros;
            step.figure("countMicros", micros).figure("countFactor", total / timed.lastEventMicros());
        }
        step.figure("totalMicros", total).plan(shape(search, server));
        return timed;
    }

    /** As it was read before all steps, unless the store holds something else by now. */
    private String shape(Search search, Servers.One server) {
        return changed
                ? server.session().expect(search).shape()
                : context.planShapes().getOrDefault(SearchKey.of(search), "");
    }

    /** All passes are one step. */
    private void readOthers(Searches drawn, SearchName name, Servers.One server) {
        server.status("reading " + name);
        Search first = drawn.search(name, 0);
        Step step = asked(server.step(name.name()), first).fact("passes", procedure.passes());
        context.steps().attempt(step, () -> {
            Histogram times = new Histogram(3);
            long rows = 0;
            for (int pass = 0; pass < procedure.passes(); pass++) {
                context.steps().check();
                server.prepare();
                TimedSearch timed = server.read(drawn.search(name, pass));
                times.recordValue(Math.round(timed.lastEventMicros()));
                rows += timed.rows();
            }
            step.percentiles("p", times, 50, 95).figure("rows", rows).plan(shape(first, server));
        });
    }

    /**
     * A search that differs a little from one before it, on the only server. It is asked first of all, and again from the same state of the
     * caches on, after the search that it follows. Every second pass does both the other way around, so that neither gains from being the
     * later one.
     */
    private void follow(Search before, Change change) {
        Servers.One server = servers.first();
        String name = before.name() + " " + Choices.camelCase(change);
        List<Search> found = new ArrayList<>();
        Step none = server.step(name).search(before);
        context.steps()
                .tried(
                        none,
                        () -> after(before, change, server).ifPresentOrElse(found::add, () -> {
                            none.failed("no row was found that the search could be narrowed by");
                        }));
        if (none.error().isPresent()) {
            context.steps().add(none);
            return;
        }
        Search after = found.get(0);
        for (int pass = 1; pass <= procedure.passes(); pass++) {
            server.status("asking " + name + ", pass " + pass + " of " + procedure.passes());
            for (int turn = 0; turn < 2; turn++) {
                boolean isFirst = (turn + pass) % 2 == 1;
                context.steps().check();
                server.prepare();
                if (!isFirst) {
                    ask(name + " before", before, "before", pass, server);
                }
                ask(name, after, isFirst ? "first" : "afterwards", pass, server);
            }
        }
    }

    private Optional<Search> after(Search before, Change change, Servers.One server) {
        if (change == Change.WINDOW) {
            return Optional.of(FollowUp.earlier(before));
        }
        List<byte[]> first = new ArrayList<>();
        Search one = before.with(new Page.Numbered(1, 1));
        server.session().search(one, row -> first.add(row.idea().clone()));
        SeededRandom random = SeededRandom.of(context.seed(), 0);
        FollowUp narrowing = new FollowUp(context.draw().catalog());
        return first.stream().findFirst().flatMap(row -> narrowing.narrow(before, row, before.page(), random));
    }

    private void ask(String name, Search search, String asked, int pass, Servers.One server) {
        context.steps().check();
        Step step = asked(server.step(name), search).fact("pass", pass).fact("asked", asked);
        context.steps().attempt(step, () -> {
            TimedSearch unused = server.measure(step, () -> server.read(search));
        });
    }

    /** Whole results of searches that are chosen by how many events they find. */
    private void match(SortedMap<String, Match> matching) {
        context.progress().status("choosing values by how many events have them");
        List<Found> tried = tried(matching.values().stream().map(Match::search).collect(Collectors.toSet()));
        matching.forEach((name, wanted) -> {
            List<Found> of = tried.stream()
                    .filter(found -> found.search().name().equals(wanted.search()))
                    .toList();
            List<Found> inClass = of.stream()
                    .filter(found ->
                            wanted.holds(found.matching(), context.source().count()))
                    .toList();
            servers.eachPass(name, name, (server, pass, step) -> {
                step.fact("class", name).fact("search", wanted.search());
                if (inClass.isEmpty()) {
                    step.failed(missing(name, wanted.search(), of));
                } else {
                    readMatched(inClass.get(inClass.size() / 2), pass, step, server);
                }
            });
        });
    }

    private void readMatched(Found found, int pass, Step step, Servers.One server) {
        Search search = found.search();
        TimedSearch timed = read(search, Counting.EXACT, pass, step.search(search), server);
        long counted = (long) step.figure("matchingEvents");
        step.figure("matchesPerMillion", MILLION * counted / context.source().count())
                .figure("matchingEventsPerSecond", timed.rows() / timed.lastEventMicros() * MILLION);
        if (counted != found.matching() || timed.rows() != counted) {
            step.failed(String.format(
                    Locale.ROOT,
                    "%s has %,d matching events in the data set, the server counts %,d and gave %,d rows",
                    search.name(),
                    found.matching(),
                    counted,
                    timed.rows()));
        }
    }

    /** A search, and how many events of the data set it finds. */
    private record Found(Search search, long matching) {
        /** Of each popularity; one in three hot addresses of the shipped data sets is sparse. */
        private static final int DRAWS = 24;
        /** More than are drawn of one search. */
        private static final long MOST_DRAWS = 1_000;
    }

    /**
     * Searches with values of every popularity, those that find the fewest events first: the events that have them are counted one by one,
     * in one pass over the data set. Every run with the same data set and seed tries the same ones.
     */
    private List<Found> tried(Set<SearchName> names) {
        Window window = new Window(context.draw().dataFirst(), context.source().until());
        Set<Search> searches = new LinkedHashSet<>();
        for (SearchName name : names) {
            long number = name.name().hashCode() * Found.MOST_DRAWS;
            for (Popularity popularity : List.of(Popularity.HOT, Popularity.TYPICAL, Popularity.RARE)) {
                for (int draw = 0; draw < Found.DRAWS; draw++) {
                    DrawRule rule = new DrawRule(popularity, 1, SeededRandom.of(context.seed(), number++));
                    searches.add(context.draw().search(name, rule, window, Order.NEWEST_FIRST, new Page.Whole()));
                }
            }
        }
        Iterator<Long> matching = AnswerCheck.matches(List.copyOf(searches), context.source(), () -> {
                    context.steps().check();
                    return false;
                })
                .iterator();
        return searches.stream()
                .map(search -> new Found(search, matching.next()))
                .sorted(Comparator.comparingLong(Found::matching))
                .toList();
    }

    /** Why there is no search of a class. */
    private String missing(String name, SearchName search, List<Found> tried) {
        return String.format(
                Locale.ROOT,
                "no %s that was tried is %s: of %,d events they find %s (give it another search below matching, or take a"
                        + " larger data set)",
                search,
                name,
                context.source().count(),
                tried.stream()
                        .map(found -> String.format(Locale.ROOT, "%,d", found.matching()))
                        .distinct()
                        .collect(Collectors.joining(" ")));
    }
}
