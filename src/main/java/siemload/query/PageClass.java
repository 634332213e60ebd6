package siemload.query;

import siemload.config.Choices.Labelled;

/** The way in which a user came to a page. Each class has its own response times, since the database's work differs. */
public enum PageClass implements Labelled {
    FIRST,
    DEEPER,
    LAST,
    WHOLE,
    /** The exact count of the rows, which a user needs to find the last page. */
    COUNT,
    /** Events summed up instead of listed: {@link Summary}. */
    SUMMARY,
    /** The whole result of a user's statement: {@link Page.Stated}. */
    STATEMENT
}
