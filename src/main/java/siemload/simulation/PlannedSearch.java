package siemload.simulation;

import siemload.query.PageClass;
import siemload.query.Search;

/** What an analyst does next. Immutable. */
record PlannedSearch(Search search, PageClass page, SearchRequest.Keep keep) {

    SearchRequest dueAt(long intendedStart) {
        return new SearchRequest(search, page, intendedStart, keep);
    }
}
