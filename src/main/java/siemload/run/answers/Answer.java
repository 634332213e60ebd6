package siemload.run.answers;

import java.util.List;
import siemload.query.Summary;

/** What came back for a sampled search, as far as it can be checked. Not changed once the search has ended. */
sealed interface Answer {

    /** How many rows of it are kept in memory. */
    int keptRows();

    /** The rows of a page. */
    record PageRows(AnswerRows rows) implements Answer {
        @Override
        public int keptRows() {
            return rows.size();
        }
    }

    /**
     * A whole result, however long.
     *
     * @param stored the rows from before the run, summed up
     * @param fed the rows with detect times from the start of the run on, in no order
     * @param misplaced the id of the first row that did not come after the one before it; empty if all did
     */
    record WholeResult(UnorderedDigest stored, AnswerRows fed, String misplaced) implements Answer {
        @Override
        public int keptRows() {
            return fed.size();
        }
    }

    /** An exact count. */
    record Count(long rows) implements Answer {
        @Override
        public int keptRows() {
            return 0;
        }
    }

    /** A summary. */
    record Lines(Summary summary, List<Summary.Line> lines) implements Answer {
        public Lines {
            lines = List.copyOf(lines);
        }

        @Override
        public int keptRows() {
            return lines.size();
        }
    }

    /**
     * The rows of a statement, summed up, whatever their order.
     *
     * @param shown some of the first ones, which nobody changes
     */
    record StatementRows(UnorderedDigest rows, List<byte[]> shown) implements Answer {
        public StatementRows {
            shown = List.copyOf(shown);
        }

        @Override
        public int keptRows() {
            return 0;
        }
    }
}
