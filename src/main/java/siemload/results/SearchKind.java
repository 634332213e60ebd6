package siemload.results;

import siemload.config.Choices;
import siemload.query.PageClass;

/** A kind of search: by page class and order. */
public record SearchKind(String name, String page, String order) {

    static SearchKind of(SearchKey key) {
        return new SearchKind(key.search().name(), key.page().label(), Choices.camelCase(key.order()));
    }

    /** The name in logs, as {@link SearchKey#tag} has it. */
    public String tag() {
        return name + "-" + page + "-" + order;
    }

    /** For people: {@code HAWAT1 first}, with the order added where it is not newest first; of a statement the name alone. */
    public String label() {
        if (page.equals(PageClass.STATEMENT.label())) {
            return name;
        }
        String label = name + " " + page;
        return switch (order) {
            case "oldestFirst" -> label + ", oldest first";
            case "unsorted" -> label + ", unsorted";
            default -> label;
        };
    }
}
