package siemload.dataset.format;

import java.time.ZoneId;
import java.util.List;
import java.util.Map;

/**
 * Which field of a format goes where in IDEA, as a mapping file says. Immutable.
 *
 * @param zone of times that name none
 * @param fields where in IDEA, as {@link IdeaPlace} names it, and the fields that may stand there
 * @param lists whose elements are told apart, a way to each
 * @param categories asked one after the other; the first that knows the value of its field decides
 * @param otherwise the category of events that none of them knows
 */
record FormatMapping(
        ZoneId zone,
        Map<IdeaPlace, List<FieldPath>> fields,
        List<FieldPath> lists,
        List<CategoryRule> categories,
        String otherwise) {

    FormatMapping {
        fields = Map.copyOf(fields);
        lists = List.copyOf(lists);
        categories = List.copyOf(categories);
    }

    /** The fields that may stand there. */
    List<FieldPath> paths(IdeaPlace place) {
        return fields.getOrDefault(place, List.of());
    }

    /**
     * How a field says the category.
     *
     * @param field where to look
     * @param match whether the whole value is compared, or is searched for words
     * @param values lower case; in the order of the file
     */
    record CategoryRule(FieldPath field, Match match, Map<String, String> values) {}

    /** How a value is compared, without regard to case. */
    enum Match {
        /** The value is the whole text. */
        IS,
        /** The text has the value in it. */
        CONTAINS
    }
}
