package siemload.results;

import java.util.Comparator;
import siemload.config.Choices;
import siemload.query.Order;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;

/** The key by which measurements are separated: the search, how the user came to the page, and the order. Immutable. */
public record SearchKey(SearchName search, PageClass page, Order order) implements Comparable<SearchKey> {
    private static final Comparator<SearchKey> BY_NAME = Comparator.comparing(SearchKey::search)
            .thenComparing(SearchKey::page)
            .thenComparing(SearchKey::order);

    /** Returns the key of a search; the page class of a search for a summary of its events is SUMMARY. */
    public static SearchKey of(Search search) {
        PageClass page =
                search.summary().isPresent() ? PageClass.SUMMARY : search.page().pageClass();
        return new SearchKey(search.name(), page, search.order());
    }

    @Override
    public int compareTo(SearchKey other) {
        return BY_NAME.compare(this, other);
    }

    /** This method and {@link #equals} are written by hand: a record's own methods are slow, and every search is looked up by its key. */
    @Override
    public int hashCode() {
        return (search.hashCode() * 31 + page.hashCode()) * 31 + order.hashCode();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SearchKey key && search.equals(key.search) && page == key.page && order == key.order;
    }

    /** Returns the kind of search, which stands for the key in results. */
    public SearchKind kind() {
        return new SearchKind(search.name(), page.label(), Choices.camelCase(order));
    }

    /** Returns the name of the key in lists, such as {@code HAWAT1 first}; see {@link SearchKind#label}. */
    public String label() {
        return kind().label();
    }

    /** A kind of search, by page class and order. Without page class and order, the kind means all pages of a search. */
    public record SearchKind(String name, String page, String order) {
        /** The kind that means all pages of all searches. */
        public static final SearchKind ALL = new SearchKind("all", "", "");

        /** The kind that means all exact counts, which are not pages. */
        public static final SearchKind COUNTS = new SearchKind("all", PageClass.COUNT.label(), "");

        /** Returns the kind's name in logs, where a comma or a space would break the line: {@code HAWAT1-first-newestFirst}. */
        public String tag() {
            return name + "-" + page + "-" + order;
        }

        /** Returns the kind in words: {@code HAWAT1 first}, with any order other than newest first; for a statement only its name. */
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
}
