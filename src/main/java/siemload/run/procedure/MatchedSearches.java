package siemload.run.procedure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import siemload.dataset.Popularity;
import siemload.dataset.SeededRandom;
import siemload.query.MatchClass;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.run.answers.AnswerCheck;
import siemload.scenario.DrawRule;
import siemload.scenario.Ingest;

/**
 * One search for each class, whose values are chosen by how many events of the data set have them: values of every popularity are drawn, the
 * events that have them are counted one by one, and of those in the class the one with the middle count is taken. Every run with the
 * same data set and seed takes the same ones. Immutable.
 *
 * @param byClass those for which a value was found
 * @param tried all searches that were tried, by their name
 * @param events of the data set
 */
record MatchedSearches(Map<MatchClass, Matched> byClass, Map<SearchName, List<Matched>> tried, long events) {
    /** Of each popularity; one in three hot addresses of the shipped data sets is sparse. */
    private static final int DRAWS = 24;
    /** More than are drawn of one search. */
    private static final long MOST_DRAWS = 1_000;

    /** A search, and how many events of the data set it finds. */
    record Matched(Search search, long matching) {}

    MatchedSearches {
        byClass = Map.copyOf(byClass);
        tried = Map.copyOf(tried);
    }

    /** Reads the whole data set once. */
    static MatchedSearches choose(Ingest procedure, ProcedureContext context) {
        Map<SearchName, List<Matched>> tried = new LinkedHashMap<>();
        count(candidates(procedure, context), context)
                .forEach(one -> tried.computeIfAbsent(one.search().name(), unused -> new ArrayList<>())
                        .add(one));
        long events = context.source().count();
        Map<MatchClass, Matched> byClass = new EnumMap<>(MatchClass.class);
        procedure
                .matching()
                .forEach((one, name) -> middle(tried.getOrDefault(name, List.of()).stream()
                                .filter(matched -> one.holds(matched.matching(), events))
                                .toList())
                        .ifPresent(matched -> byClass.put(one, matched)));
        return new MatchedSearches(byClass, tried, events);
    }

    private static List<Search> candidates(Ingest procedure, ProcedureContext context) {
        Window window = new Window(context.draw().dataFirst(), context.source().until());
        Set<Search> candidates = new LinkedHashSet<>();
        for (SearchName name : Set.copyOf(procedure.matching().values())) {
            long number = name.name().hashCode() * MOST_DRAWS;
            for (Popularity popularity : List.of(Popularity.HOT, Popularity.TYPICAL, Popularity.RARE)) {
                for (int draw = 0; draw < DRAWS; draw++) {
                    DrawRule rule = new DrawRule(popularity, 1, SeededRandom.of(context.seed(), number++));
                    candidates.add(context.draw().search(name, rule, window, Order.NEWEST_FIRST, new Page.Whole()));
                }
            }
        }
        return List.copyOf(candidates);
    }

    private static List<Matched> count(List<Search> searches, ProcedureContext context) {
        try {
            List<Long> matching = AnswerCheck.matches(
                    searches, context.source(), () -> context.interruption().isAsked());
            return IntStream.range(0, searches.size())
                    .mapToObj(i -> new Matched(searches.get(i), matching.get(i)))
                    .toList();
        } catch (CancellationException givenUp) {
            context.interruption().check();
            throw givenUp;
        }
    }

    private static Optional<Matched> middle(List<Matched> inClass) {
        return inClass.stream()
                .sorted(Comparator.comparingLong(Matched::matching))
                .skip(inClass.size() / 2)
                .findFirst();
    }

    /** Why there is no search of a class. */
    String missing(MatchClass one, SearchName name) {
        String counts = tried.getOrDefault(name, List.of()).stream()
                .map(Matched::matching)
                .distinct()
                .sorted()
                .map(count -> String.format(Locale.ROOT, "%,d", count))
                .collect(Collectors.joining(" "));
        return String.format(
                Locale.ROOT,
                "no %s that was tried is %s (%s): of %,d events they find %s (give the class another search below matching, or"
                        + " take a larger data set)",
                name,
                one.label(),
                one.words(),
                events,
                counts);
    }
}
