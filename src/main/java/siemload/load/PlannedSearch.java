package siemload.load;

import java.util.Optional;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.results.Asked;

/** What an analyst does next. Immutable. */
record PlannedSearch(Search search, PageClass page, Asked asked, SearchRequest.Keep keep, Optional<UserCursor> cursor) {

    SearchRequest dueAt(long intendedStart, double draw) {
        return new SearchRequest(search, page, asked, intendedStart, intendedStart, keep, cursor, draw);
    }
}
