package siemload.run.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import siemload.database.AnsweredRows;
import siemload.database.SearchSession;
import siemload.database.SearchSession.ResultCursor;
import siemload.query.Search;
import siemload.query.Summary;

/** What a layout is asked, with the right answer. Immutable. */
sealed interface LayoutQuestion {

    Search search();

    /** How it is asked, for people: {@code rows}, {@code a count}. */
    String kind();

    /**
     * Asks it, and says what is wrong first with the answer; empty where nothing is.
     *
     * @throws siemload.database.SearchException if it fails
     */
    Optional<String> firstFault(SearchSession session);

    /** The rows of the search's page. */
    record Rows(Search search, AnsweredRows right) implements LayoutQuestion {
        @Override
        public String kind() {
            return "rows";
        }

        @Override
        public Optional<String> firstFault(SearchSession session) {
            return AnsweredRows.of(session, search).firstFault(right);
        }
    }

    /**
     * The whole result by a cursor.
     *
     * @param size how many rows at a time
     */
    record ByCursor(Search search, int size, AnsweredRows right) implements LayoutQuestion {
        @Override
        public String kind() {
            return "rows by a cursor, " + size + " at a time";
        }

        @Override
        public Optional<String> firstFault(SearchSession session) {
            List<AnsweredRows.Line> rows = new ArrayList<>();
            try (ResultCursor cursor = session.open(search)) {
                long count;
                do {
                    count = cursor.next(size, row -> rows.add(AnsweredRows.Line.of(row)));
                } while (count == size);
            }
            return AnsweredRows.of(search, rows).firstFault(right);
        }
    }

    /** How many rows there are. */
    record Count(Search search, long right) implements LayoutQuestion {
        @Override
        public String kind() {
            return "a count";
        }

        @Override
        public Optional<String> firstFault(SearchSession session) {
            long counted = session.count(search);
            return counted == right ? Optional.empty() : Optional.of("counted " + counted + " instead of " + right);
        }
    }

    /** The lines of a summary. */
    record Lines(Search search, Summary summary, List<Summary.Line> right) implements LayoutQuestion {
        public Lines {
            right = List.copyOf(right);
        }

        @Override
        public String kind() {
            return summary.toString();
        }

        @Override
        public Optional<String> firstFault(SearchSession session) {
            List<Summary.Line> lines = session.summarize(search, summary);
            for (int i = 0; i < Math.max(lines.size(), right.size()); i++) {
                String came = text(lines, i);
                String should = text(right, i);
                if (!came.equals(should)) {
                    return Optional.of("line " + (i + 1) + " is " + came + " instead of " + should);
                }
            }
            return Optional.empty();
        }

        private static String text(List<Summary.Line> lines, int place) {
            return place < lines.size() ? lines.get(place).toString() : "not there";
        }
    }
}
