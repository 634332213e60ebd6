package siemload.run.layout;

import siemload.query.Search;

/**
 * An answer of a layout that is not that of the reference. Immutable.
 *
 * @param kind how the search was asked: {@code rows}, {@code count}
 * @param fault what is wrong with it first
 */
public record WrongLayoutAnswer(Search search, String kind, String fault) {

    /** In one line, with everything that is needed to ask it again. */
    public String text() {
        return search.name() + ": " + fault + "\n  asked for " + kind + ": " + search;
    }
}
