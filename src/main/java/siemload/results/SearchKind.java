package siemload.results;

import siemload.config.Choices;
import siemload.query.PageClass;

/** A kind of search: by page class and order. One with neither stands for all pages of a search. */
public record SearchKind(String name, String page, String order) {
    /** All pages of all searches. */
    public static final SearchKind ALL = new SearchKind("all", "", "");

    /** All exact counts, which are no pages. */
    public static final SearchKind COUNTS = new SearchKind("all", PageClass.COUNT.label(), "");

    /** All pages of one search, in any order. */
    public static SearchKind allPages(String name) {
        return new SearchKind(name, "", "");
    }

    static SearchKind of(SearchKey key) {
        return new SearchKind(key.search().name(), key.page().label(), Choices.camelCase(key.order()));
    }

    /** The name in logs, as {@link SearchKey#tag} has it. */
    public String tag() {
        return name + "-" + page + "-" + order;
    }

    /** For people: {@code HAWAT1 first}, with the order added where it is not newest first; of a statement the name alone. */
    public String label() {
        if (page.isEmpty() || page.equals(PageClass.STATEMENT.label())) {
            return name;
        }
        if (equals(COUNTS)) {
            return "exact counts";
        }
        String label = name + " " + page;
        return switch (order) {
            case "oldestFirst" -> label + ", oldest first";
            case "unsorted" -> label + ", unsorted";
            default -> label;
        };
    }
}
