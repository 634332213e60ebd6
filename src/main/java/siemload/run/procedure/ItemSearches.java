package siemload.run.procedure;

import java.util.List;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.scenario.Procedure;

/**
 * The searches of the items of a procedure's jobs. An item asks for the same in every run and at every level: its values depend on
 * its number and the seed alone. Thread-safe.
 */
final class ItemSearches {
    private final Procedure.Jobs procedure;
    private final ProcedureSearches searches;
    private final Page page;

    ItemSearches(Procedure.Jobs procedure, ProcedureSearches searches) {
        this.procedure = procedure;
        this.searches = searches;
        this.page = procedure.page();
    }

    /** How many an item has. */
    int count() {
        return procedure.itemSearches();
    }

    /**
     * One of them: the kinds take turns.
     *
     * @param item its number in the job, 1 for the first
     * @param search its number in the item, 0 for the first
     */
    Search search(int item, int search) {
        List<SearchName> names = procedure.searchSet().searches();
        int draw = (item - 1) * count() + search;
        return searches.search(names.get(search % names.size()), draw, procedure.order(), page);
    }
}
