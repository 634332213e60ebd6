package siemload.run.answers;

import siemload.query.Search;
import siemload.results.SearchKey;

/** Sums up the rows of one answer to a statement. */
final class RepeatWatch implements AnswerWatch {
    private final RepeatedAnswers answers;
    private final Search search;
    private final SearchKey key;
    private final UnorderedDigest rows = new UnorderedDigest();

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
    }

    @Override
    public void answered(long seenFromNanos, long endNanos, long reportedRows) {
        SampledAnswer answer = new SampledAnswer(
                key, search, 0, seenFromNanos, endNanos, reportedRows, new Answer.StatementRows(rows));
        answers.add(answer, rows);
    }
}
