package siemload.results;

import java.util.Locale;

/** Enum constants as they are written in run.json. */
public final class Labels {
    private Labels() {}

    /** {@code NEWEST_FIRST} as {@code newestFirst}. */
    public static String camelCase(Enum<?> constant) {
        StringBuilder text = new StringBuilder();
        for (String word : constant.name().toLowerCase(Locale.ROOT).split("_", -1)) {
            boolean first = text.length() == 0;
            text.append(first ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return text.toString();
    }

    /** The name of a kind of search in lists, from the texts of run.json: {@code HAWAT1 first, oldest first}. */
    static String ofSearch(String name, String page, String order) {
        String label = name + " " + page;
        return switch (order) {
            case "oldestFirst" -> label + ", oldest first";
            case "unsorted" -> label + ", unsorted";
            default -> label;
        };
    }
}
