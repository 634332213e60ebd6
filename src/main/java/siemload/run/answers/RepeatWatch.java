package siemload.run.answers;

import java.util.ArrayList;
import java.util.List;
import siemload.query.Search;
import siemload.results.SearchKey;

/** Sums up the rows of one answer to a statement. */
final class RepeatWatch implements AnswerWatch {
    private static final int MOST_SHOWN = 10;
    private static final int LONGEST_SHOWN = 4_000;

    private final RepeatedAnswers answers;
    private final Search search;
    private final SearchKey key;
    private final UnorderedDigest rows = new UnorderedDigest();
    private final List<byte[]> shown = new ArrayList<>();

    RepeatWatch(RepeatedAnswers answers, Search search, SearchKey key) {
        this.answers = answers;
        this.search = search;
        this.key = key;
    }

    @Override
    public boolean wantsContents() {
        return true;
    }

    @Override
    public void contents(byte[] row) {
        rows.add(row);
        if (shown.size() < MOST_SHOWN && row.length <= LONGEST_SHOWN) {
            shown.add(row);
        }
    }

    @Override
    public void answered(long seenFromNanos, long endNanos, long reportedRows) {
        Answer.StatementRows answer = new Answer.StatementRows(rows, shown);
        answers.add(new SampledAnswer(key, search, 0, seenFromNanos, endNanos, reportedRows, answer), answer);
    }
}
