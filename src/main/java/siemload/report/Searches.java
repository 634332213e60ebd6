package siemload.report;

import siemload.measure.RunResult.SearchResult;

/** How searches are called in reports. */
final class Searches {
    private Searches() {}

    static String label(SearchResult search) {
        return label(search.name(), search.page(), search.order());
    }

    /** {@code HAWAT1 first}, with the order added where it is not newest first. */
    static String label(String name, String page, String order) {
        String label = name + " " + page;
        return switch (order) {
            case "oldestFirst" -> label + ", oldest first";
            case "unsorted" -> label + ", unsorted";
            default -> label;
        };
    }
}
