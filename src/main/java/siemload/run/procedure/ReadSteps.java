package siemload.run.procedure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.dataset.Popularity;
import siemload.dataset.SeededRandom;
import siemload.query.MatchClass;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.run.answers.AnswerCheck;
import siemload.scenario.CacheState;
import siemload.scenario.DrawRule;
import siemload.scenario.FollowUp;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Change;
import siemload.scenario.Procedure.Counting;
import siemload.scenario.Procedure.Passes;
import siemload.scenario.Procedure.Read;

/**
 * Reads results, search by search: the whole result or its first page, in a declared state of the caches.
 *
 * @param searches nothing but for what is chosen by how many events it finds
 * @param changed whether what the store holds is other than when plans were read
 */
record ReadSteps(
        Procedure procedure,
        Read read,
        Servers servers,
        ProcedureContext context,
        Optional<ProcedureSearches> searches,
        boolean changed)
        implements Runnable {
    private static final double MILLION = 1e6;
    private static final String FIRST = "first";
    private static final String AFTERWARDS = "afterwards";

    @Override
    public void run() {
        try {
            searches.ifPresentOrElse(this::read, this::readMatched);
        } finally {
            servers.closeSessions();
        }
    }

    private void read(ProcedureSearches asked) {
        for (SearchName name : asked.asked().searches()) {
            Search search = asked.search(name);
            if (!read.changes().isEmpty()) {
                servers.each(one -> new FollowUps(one).ask(search));
            } else if (read.values() == Passes.OTHER_VALUES) {
                servers.each(one -> readOthers(asked, name, one));
            } else {
                for (int pass = 1; pass <= procedure.passes(); pass++) {
                    int now = pass;
                    servers.each(one -> {
                        one.status("reading " + name + ", pass " + now + " of " + procedure.passes());
                        Step step = step(one, name.name(), search).fact("pass", now);
                        one.attempt(step, () -> {
                            TimedSearch unused = read(search, now, step, one.session());
                        });
                    });
                }
            }
        }
    }

    private Step step(Servers.One server, String name, Search search) {
        Step step = server.step(name).search(search).caches(procedure.caches());
        return context.draw().catalog().get(search.name()).hasList()
                ? step.fact("listLength", searches.orElseThrow().asked().listLength())
                : step;
    }

    private TimedSearch read(Search search, int pass, Step step, MeasuredSession session) {
        session.prepare(procedure.caches());
        if (procedure.caches() == CacheState.HOT && pass == 1) {
            TimedSearch.read(search, session.get());
        }
        TimedSearch timed = session.read(search, step);
        double counting = read.counting() == Counting.EXACT ? count(search, step, session) : 0;
        step.figure("totalMicros", timed.lastEventMicros() + counting);
        if (read.counting() == Counting.EXACT) {
            step.figure("countFactor", (timed.lastEventMicros() + counting) / timed.lastEventMicros());
        }
        addPlan(search, step, session);
        return timed;
    }

    private double count(Search search, Step step, MeasuredSession session) {
        long start = System.nanoTime();
        long matching = session.get().count(search);
        double micros = (System.nanoTime() - start) / 1e3;
        step.figure("countMicros", micros).figure("matchingEvents", matching);
        return micros;
    }

    private void addPlan(Search search, Step step, MeasuredSession session) {
        Optional<String> shape = changed
                ? Optional.of(session.get().expect(search).shape()).filter(told -> !told.isEmpty())
                : context.planShape(search);
        shape.ifPresent(told -> step.fact("planShape", told));
    }

    /** All passes are one step. */
    private void readOthers(ProcedureSearches asked, SearchName name, Servers.One server) {
        MeasuredSession session = server.session();
        server.status("reading " + name);
        Search first = asked.search(name);
        Step step = step(server, name.name(), first).fact("passes", procedure.passes());
        server.attempt(step, () -> {
            LatencySamples times = new LatencySamples();
            long rows = 0;
            for (int pass = 0; pass < procedure.passes(); pass++) {
                context.interruption().check();
                session.prepare(procedure.caches());
                TimedSearch timed = TimedSearch.read(asked.search(name, pass), session.get());
                times.add(timed.lastEventMicros());
                rows += timed.rows();
            }
            step.figure("p50Micros", times.percentile(50))
                    .figure("p95Micros", times.percentile(95))
                    .figure("rows", rows);
            addPlan(first, step, session);
        });
    }

    private void readMatched() {
        context.progress().status("choosing values by how many events have them");
        Matches matches = Matches.of(read.matching().values(), context);
        read.matching().forEach((one, name) -> {
            for (int pass = 1; pass <= procedure.passes(); pass++) {
                int now = pass;
                servers.each(server -> {
                    server.status(one.label() + ", pass " + now);
                    Step step = server.step(one.label())
                            .fact("class", one.label())
                            .fact("search", name)
                            .fact("pass", now);
                    server.attempt(step, () -> {
                        Optional<Matches.Matched> matched = matches.middle(one, name);
                        if (matched.isEmpty()) {
                            step.failed(matches.missing(one, name));
                            return;
                        }
                        Search search = matched.orElseThrow().search();
                        TimedSearch timed = read(search, now, step.search(search), server.session());
                        long counted = (long) step.figure("matchingEvents");
                        step.figure("matchesPerMillion", MILLION * counted / matches.events())
                                .figure("matchingEventsPerSecond", timed.rows() / timed.lastEventMicros() * MILLION);
                        matches.fault(one, matched.orElseThrow(), counted, timed.rows())
                                .ifPresent(step::failed);
                    });
                });
            }
        });
    }

    /**
     * One search for each class: values of every popularity are drawn, the events that have them are counted one by one, and of those in
     * the class the one with the middle count is taken. Every run with the same data set and seed takes the same ones. Immutable.
     *
     * @param tried all searches that were tried, by their name
     * @param events of the data set
     */
    private record Matches(Map<SearchName, List<Matched>> tried, long events) {
        /** Of each popularity; one in three hot addresses of the shipped data sets is sparse. */
        private static final int DRAWS = 24;
        /** More than are drawn of one search. */
        private static final long MOST_DRAWS = 1_000;

        /** A search, and how many events of the data set it finds. */
        private record Matched(Search search, long matching) {}

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
            Map<SearchName, List<Matched>> tried = new HashMap<>();
            Iterator<Long> matching = count(List.copyOf(searches), context).iterator();
            searches.forEach(search -> tried.computeIfAbsent(search.name(), unused -> new ArrayList<>())
                    .add(new Matched(search, matching.next())));
            return new Matches(tried, context.source().count());
        }

        private static List<Long> count(List<Search> searches, ProcedureContext context) {
            try {
                return AnswerCheck.matches(
                        searches, context.source(), () -> context.interruption().isAsked());
            } catch (CancellationException givenUp) {
                context.interruption().check();
                throw givenUp;
            }
        }

        private Stream<Matched> sorted(SearchName name) {
            return tried.getOrDefault(name, List.of()).stream().sorted(Comparator.comparingLong(Matched::matching));
        }

        Optional<Matched> middle(MatchClass one, SearchName name) {
            List<Matched> inClass = sorted(name)
                    .filter(matched -> one.holds(matched.matching(), events))
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
                    sorted(name)
                            .map(matched -> String.format(Locale.ROOT, "%,d", matched.matching()))
                            .distinct()
                            .collect(Collectors.joining(" ")));
        }

        /** What is wrong with what the server counted and gave. */
        Optional<String> fault(MatchClass one, Matched matched, long counted, long rows) {
            SearchName name = matched.search().name();
            if (!one.holds(counted, events)) {
                return Optional.of(String.format(
                        Locale.ROOT,
                        "%s found %,d of %,d events (%.4f %%), which is not %s (%s)",
                        name,
                        counted,
                        events,
                        100.0 * counted / events,
                        one.label(),
                        one.words()));
            }
            return counted == matched.matching() && rows == counted
                    ? Optional.empty()
                    : Optional.of(String.format(
                            Locale.ROOT,
                            "%s has %,d matching events in the data set, the server counts %,d and gave %,d rows",
                            name,
                            matched.matching(),
                            counted,
                            rows));
        }
    }

    /**
     * Asks follow-ups: searches that differ a little from one before them. Each is asked first of all, and again from the same state of
     * the caches on, after the search that it follows. Every second pass does both the other way around, so that neither gains from
     * being the later one.
     */
    private final class FollowUps {
        private final Servers.One server;
        private final MeasuredSession session;

        FollowUps(Servers.One server) {
            this.server = server;
            this.session = server.session();
        }

        void ask(Search before) {
            for (Change change : read.changes()) {
                context.interruption().check();
                String name = before.name() + " " + Choices.camelCase(change);
                List<Search> after = new ArrayList<>();
                Step none = server.step(name).search(before);
                context.attempt(none, () -> after(before, change).ifPresent(after::add));
                if (after.isEmpty()) {
                    if (none.error().isEmpty()) {
                        none.failed("no row was found that the search could be narrowed by");
                    }
                    server.add(none);
                } else {
                    ask(name, before, after.get(0));
                }
            }
        }

        private Optional<Search> after(Search before, Change change) {
            return switch (change) {
                case WINDOW -> Optional.of(FollowUp.earlier(before));
                case NARROWER ->
                    firstRow(before)
                            .flatMap(row -> new FollowUp(context.draw().catalog())
                                    .narrow(before, row, before.page(), SeededRandom.of(context.seed(), 0)));
            };
        }

        private Optional<byte[]> firstRow(Search search) {
            List<byte[]> first = new ArrayList<>();
            session.get()
                    .search(
                            search.with(new Page.Numbered(1, 1)),
                            row -> first.add(row.idea().clone()));
            return first.stream().findFirst();
        }

        private void ask(String name, Search before, Search after) {
            for (int pass = 1; pass <= procedure.passes(); pass++) {
                server.status("asking " + name + ", pass " + pass + " of " + procedure.passes());
                for (String asked : pass % 2 == 1 ? List.of(FIRST, AFTERWARDS) : List.of(AFTERWARDS, FIRST)) {
                    context.interruption().check();
                    session.prepare(procedure.caches());
                    if (asked.equals(AFTERWARDS)) {
                        read(name + " before", before, "before", pass);
                    }
                    read(name, after, asked, pass);
                }
            }
        }

        private void read(String name, Search search, String asked, int pass) {
            context.interruption().check();
            Step step = step(server, name, search).fact("pass", pass).fact("asked", asked);
            server.attempt(step, () -> {
                TimedSearch unused = session.read(search, step);
            });
        }
    }
}
