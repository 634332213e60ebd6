package siemload.run.procedure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import siemload.config.Choices;
import siemload.dataset.Popularity;
import siemload.dataset.SeededRandom;
import siemload.query.MatchClass;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.SearchKey;
import siemload.run.answers.AnswerCheck;
import siemload.scenario.DrawRule;
import siemload.scenario.FollowUp;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Counting;
import siemload.scenario.Procedure.Read;
import siemload.scenario.Procedure.Read.Change;
import siemload.scenario.Procedure.Read.Passes;

/**
 * Reads results, search by search: the whole result or its first page, in a declared state of the caches.
 *
 * @param searches nothing but for what is chosen by how many events it finds
 * @param changed whether what the store holds is other than when plans were read
 */
record ReadSteps(
        Procedure procedure,
        Servers servers,
        ProcedureContext context,
        Optional<ProcedureSearches> searches,
        boolean changed) {
    private static final double MILLION = 1e6;

    void read(Read read) {
        if (read.matching().isPresent()) {
            match(read.matching().get());
            return;
        }
        ProcedureSearches drawn = searches.orElseThrow();
        for (SearchName name : drawn.asked().searches()) {
            Search search = drawn.search(name, 0);
            if (read.changes().isPresent()) {
                read.changes().get().forEach(change -> follow(search, change));
            } else if (read.values() == Passes.OTHER_VALUES) {
                servers.each(one -> readOthers(drawn, name, one));
            } else {
                servers.eachPass(procedure.passes(), name.name(), "reading " + name, (server, pass, step) -> {
                    TimedSearch unused = read(search, read.count(), pass, asked(step, search), server);
                });
            }
        }
    }

    private Step asked(Step step, Search search) {
        step.search(search).caches(procedure.caches());
        return context.draw().catalog().get(search.name()).hasList()
                ? step.fact("listLength", searches.orElseThrow().asked().listLength())
                : step;
    }

    private TimedSearch read(Search search, Counting counting, int pass, Step step, Servers.One server) {
        server.prepare(procedure.caches(), pass, () -> server.read(search));
        TimedSearch timed = server.measure(step, () -> server.read(search));
        double total = timed.lastEventMicros();
        if (counting == Counting.EXACT) {
            long start = System.nanoTime();
            step.figure("matchingEvents", server.count(search));
            double micros = (System.nanoTime() - start) / 1e3;
            total += micros;
            step.figure("countMicros", micros).figure("countFactor", total / timed.lastEventMicros());
        }
        step.figure("totalMicros", total);
        addPlan(search, step, server);
        return timed;
    }

    /** As it was read before all steps, unless the store holds something else by now. */
    private void addPlan(Search search, Step step, Servers.One server) {
        String shape = changed
                ? server.session().expect(search).shape()
                : context.planShapes().getOrDefault(SearchKey.of(search), "");
        if (!shape.isEmpty()) {
            step.fact("planShape", shape);
        }
    }

    /** All passes are one step. */
    private void readOthers(ProcedureSearches drawn, SearchName name, Servers.One server) {
        server.status("reading " + name);
        Search first = drawn.search(name, 0);
        Step step = asked(server.step(name.name()), first).fact("passes", procedure.passes());
        server.attempt(step, () -> {
            Histogram times = new Histogram(3);
            long rows = 0;
            for (int pass = 0; pass < procedure.passes(); pass++) {
                context.steps().check();
                server.prepare(procedure.caches());
                TimedSearch timed = server.read(drawn.search(name, pass));
                times.recordValue(Math.round(timed.lastEventMicros()));
                rows += timed.rows();
            }
            step.figure("p50Micros", times.getValueAtPercentile(50))
                    .figure("p95Micros", times.getValueAtPercentile(95))
                    .figure("rows", rows);
            addPlan(first, step, server);
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
        Step none = server.step(name).search(before);
        context.attempt(
                none,
                () -> after(before, change, server)
                        .ifPresentOrElse(
                                after -> eachTurn(name, before, after, server),
                                () -> none.failed("no row was found that the search could be narrowed by")));
        none.error().ifPresent(unused -> server.add(none));
    }

    private Optional<Search> after(Search before, Change change, Servers.One server) {
        if (change == Change.WINDOW) {
            return Optional.of(FollowUp.earlier(before));
        }
        List<byte[]> first = new ArrayList<>();
        server.session()
                .search(
                        before.with(new Page.Numbered(1, 1)),
                        row -> first.add(row.idea().clone()));
        return first.stream()
                .findFirst()
                .flatMap(row -> new FollowUp(context.draw().catalog())
                        .narrow(before, row, before.page(), SeededRandom.of(context.seed(), 0)));
    }

    private void eachTurn(String name, Search before, Search after, Servers.One server) {
        for (int pass = 1; pass <= procedure.passes(); pass++) {
            server.status("asking " + name + ", pass " + pass + " of " + procedure.passes());
            for (int turn = 0; turn < 2; turn++) {
                boolean isFirst = (turn + pass) % 2 == 1;
                context.steps().check();
                server.prepare(procedure.caches());
                if (!isFirst) {
                    ask(name + " before", before, "before", pass, server);
                }
                ask(name, after, isFirst ? "first" : "afterwards", pass, server);
            }
        }
    }

    private void ask(String name, Search search, String asked, int pass, Servers.One server) {
        context.steps().check();
        Step step = asked(server.step(name), search).fact("pass", pass).fact("asked", asked);
        server.attempt(step, () -> {
            TimedSearch unused = server.measure(step, () -> server.read(search));
        });
    }

    /** Whole results of searches that are chosen by how many events they find. */
    private void match(Map<MatchClass, SearchName> matching) {
        context.progress().status("choosing values by how many events have them");
        Matches matches = Matches.of(matching.values(), context);
        matching.forEach((one, name) -> {
            Optional<Matches.Found> middle = matches.middle(one, name);
            servers.eachPass(procedure.passes(), one.label(), one.label(), (server, pass, step) -> {
                step.fact("class", one.label()).fact("search", name);
                middle.ifPresentOrElse(
                        found -> readMatched(found, matches.events(), pass, step, server),
                        () -> step.failed(matches.missing(one, name)));
            });
        });
    }

    private void readMatched(Matches.Found found, long events, int pass, Step step, Servers.One server) {
        Search search = found.search();
        TimedSearch timed = read(search, Counting.EXACT, pass, step.search(search), server);
        long counted = (long) step.figure("matchingEvents");
        step.figure("matchesPerMillion", MILLION * counted / events)
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

    /**
     * One search for each class: values of every popularity are drawn, the events that have them are counted one by one, and of those in
     * the class the one with the middle count is taken. Every run with the same data set and seed takes the same ones. Immutable.
     *
     * @param tried all searches that were tried, those that find the fewest events first
     * @param events of the data set
     */
    private record Matches(List<Found> tried, long events) {
        /** Of each popularity; one in three hot addresses of the shipped data sets is sparse. */
        private static final int DRAWS = 24;
        /** More than are drawn of one search. */
        private static final long MOST_DRAWS = 1_000;

        /** A search, and how many events of the data set it finds. */
        private record Found(Search search, long matching) {}

        /** Reads the whole data set once. */
        static Matches of(Collection<SearchName> names, ProcedureContext context) {
            Window window =
                    new Window(context.draw().dataFirst(), context.source().until());
            Set<Search> searches = new LinkedHashSet<>();
            for (SearchName name : Set.copyOf(names)) {
                long number = name.name().hashCode() * MOST_DRAWS;
                for (Popularity popularity : List.of(Popularity.HOT, Popularity.TYPICAL, Popularity.RARE)) {
                    for (int draw = 0; draw < DRAWS; draw++) {
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
            List<Found> tried = searches.stream()
                    .map(search -> new Found(search, matching.next()))
                    .sorted(Comparator.comparingLong(Found::matching))
                    .toList();
            return new Matches(tried, context.source().count());
        }

        private Stream<Found> found(SearchName name) {
            return tried.stream().filter(found -> found.search().name().equals(name));
        }

        Optional<Found> middle(MatchClass one, SearchName name) {
            List<Found> inClass = found(name)
                    .filter(found -> one.holds(found.matching(), events))
                    .toList();
            return inClass.stream().skip(inClass.size() / 2).findFirst();
        }

        /** Why there is no search of a class. */
        String missing(MatchClass one, SearchName name) {
            return String.format(
                    Locale.ROOT,
                    "no %s that was tried is %s (%s): of %,d events they find %s (give the class another search below matching, or"
                            + " take a larger data set)",
                    name,
                    one.label(),
                    one.words(),
                    events,
                    found(name)
                            .map(found -> String.format(Locale.ROOT, "%,d", found.matching()))
                            .distinct()
                            .collect(Collectors.joining(" ")));
        }
    }
}
