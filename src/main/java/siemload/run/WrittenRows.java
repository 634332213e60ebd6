package siemload.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import siemload.measure.EndedSearches;
import siemload.measure.LatencyRecorder;
import siemload.query.SearchName;

/**
 * What statements wrote that say that they do, in the warm-up, too. Immutable.
 *
 * @param statements in the order of the scenario
 */
record WrittenRows(Map<SearchName, EndedSearches> statements) {

    static WrittenRows of(Set<SearchName> writing, LatencyRecorder searches) {
        Map<SearchName, EndedSearches> statements = new LinkedHashMap<>();
        writing.forEach(name -> statements.put(name, searches.ended(name)));
        return new WrittenRows(statements);
    }

    /**
     * How many rows anybody wrote, these among them.
     *
     * @param counted by the server, which may not have counted the latest yet; empty where it does not tell
     */
    OptionalLong amongAll(OptionalLong counted) {
        long own = statements.values().stream().mapToLong(EndedSearches::rows).sum();
        return counted.isPresent() ? OptionalLong.of(Math.max(own, counted.getAsLong())) : counted;
    }

    /** What a reader must know of them; nothing where none of them writes. */
    List<String> notes(OptionalLong counted) {
        List<String> notes = new ArrayList<>();
        statements.forEach((name, ended) -> notes.add(String.format(
                Locale.ROOT,
                "%s wrote, and that stays: %,d executions were acknowledged, with %,d rows written or returned, the warm-up's"
                        + " included%s",
                name.name(),
                ended.answered(),
                ended.rows(),
                ended.failed() == 0
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "; %,d failed, of which those that lost their connection may have written",
                                ended.failed()))));
        if (!statements.isEmpty() && counted.isPresent()) {
            notes.add(String.format(
                    Locale.ROOT,
                    "the server has counted %,d rows that anybody wrote into the database meanwhile",
                    counted.getAsLong()));
        }
        return notes;
    }
}
