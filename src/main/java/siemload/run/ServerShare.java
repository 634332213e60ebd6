package siemload.run;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import siemload.database.StatementTime;
import siemload.measure.monitor.StatementTimes;
import siemload.results.SearchResult;
import siemload.results.ServerTimes;

/** Finds the searches of a run among the statements that the server has counted the time of. Stateless. */
final class ServerShare {
    private ServerShare() {}

    /** Searches that share a statement, and all statements of theirs. */
    private record Group(List<SearchResult> searches, Set<String> statements) {}

    /**
     * The server's mean time for the searches that were answered.
     *
     * @param counted over the measured phase
     */
    static ServerTimes of(StatementTimes counted, StatementNames names, List<SearchResult> searches) {
        if (!counted.source().untold().isEmpty()) {
            return new ServerTimes("", "", counted.source().untold(), List.of());
        }
        List<ServerTimes.Statement> statements = new ArrayList<>();
        for (Group group : groups(names, searches)) {
            StatementTime sum = StatementTime.NONE;
            for (String statement : group.statements) {
                sum = sum.plus(counted.times().getOrDefault(statement, StatementTime.NONE));
            }
            long answered = group.searches.stream().mapToLong(SearchResult::ok).sum();
            if (sum.executionNanos() > 0) {
                double each = 1e3 * (sum.calls() > 0 ? sum.calls() : answered);
                List<String> tags =
                        group.searches.stream().map(one -> one.kind().tag()).toList();
                statements.add(new ServerTimes.Statement(
                        tags, sum.calls(), rounded(sum.planningNanos() / each), rounded(sum.executionNanos() / each)));
            }
        }
        return new ServerTimes(
                counted.source().view(),
                counted.source().covers(),
                statements.isEmpty() ? "the server has counted none of the searches of this run" : "",
                statements);
    }

    private static List<Group> groups(StatementNames names, List<SearchResult> searches) {
        Map<String, Set<String>> byTag = new LinkedHashMap<>();
        names.byKind().forEach((kind, statements) -> byTag.put(kind.tag(), statements));
        List<Group> groups = new ArrayList<>();
        for (SearchResult search : searches) {
            Set<String> statements = byTag.getOrDefault(search.kind().tag(), Set.of());
            if (search.ok() > 0 && !statements.isEmpty()) {
                add(search, statements, groups);
            }
        }
        return groups;
    }

    /** To the group that it shares a statement with; several such groups become one. */
    private static void add(SearchResult search, Set<String> statements, List<Group> groups) {
        Group joined = new Group(new ArrayList<>(), new HashSet<>(statements));
        for (Group group : List.copyOf(groups)) {
            if (group.statements.stream().anyMatch(statements::contains)) {
                groups.remove(group);
                joined.searches.addAll(group.searches);
                joined.statements.addAll(group.statements);
            }
        }
        joined.searches.add(search);
        groups.add(joined);
    }

    /** To a nanosecond. */
    private static double rounded(double micros) {
        return Math.round(micros * 1e3) / 1e3;
    }
}
