package siemload.query;

import java.util.List;

/**
 * One search as a user would press the button for it. Immutable.
 *
 * @param name what it is called in results
 * @param window the detect times it looks at
 * @param criteria the conditions, all of which an event must meet; empty finds every event in the window
 * @param order the order of its rows
 * @param page which of its rows are read
 */
public record Search(SearchName name, Window window, List<Criterion> criteria, Order order, Page page) {

    /** @throws IllegalArgumentException if a page of an unsorted result is asked for */
    public Search {
        criteria = List.copyOf(criteria);
        if (order == Order.UNSORTED && !(page instanceof Page.Whole)) {
            throw new IllegalArgumentException("only a whole result can be read unsorted, not " + page);
        }
    }

    /** This search for another page. */
    public Search with(Page other) {
        return new Search(name, window, criteria, order, other);
    }
}
