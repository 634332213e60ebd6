package siemload.run;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.query.PageClass;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.results.SearchKey;

/**
 * What the server calls the statements of each kind of search: a kind has several where values are of several kinds, such as
 * addresses of both families. Immutable.
 *
 * @param byKind without the kinds whose statements the server does not tell
 */
record StatementNames(Map<SearchKey, Set<String>> byKind) {
    /** Names of no search. */
    static final StatementNames NONE = new StatementNames(Map.of());

    StatementNames {
        byKind = Map.copyOf(byKind);
    }

    /** Asks for those of examples; a kind of which one cannot be asked for has none. */
    static StatementNames of(Map<SearchKey, List<Search>> examples, Paging paging, SearchSession session) {
        Map<SearchKey, Set<String>> names = new TreeMap<>();
        examples.forEach((kind, searches) -> {
            try {
                Set<String> all = new LinkedHashSet<>();
                for (Search search : searches) {
                    name(search, kind.page(), paging, session).ifPresent(all::add);
                }
                if (!all.isEmpty()) {
                    names.put(kind, Set.copyOf(all));
                }
            } catch (SearchException unknown) {
                names.remove(kind);
            }
        });
        return new StatementNames(names);
    }

    private static Optional<String> name(Search search, PageClass page, Paging paging, SearchSession session) {
        boolean byCursor = paging == Paging.CURSOR && (page == PageClass.FIRST || page == PageClass.DEEPER);
        return byCursor ? session.statementOfCursors() : session.statement(search, page);
    }
}
