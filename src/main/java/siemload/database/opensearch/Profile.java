package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.database.Plan;
import siemload.database.Plan.Access;
import siemload.database.Plan.Access.Kind;

/**
 * Reduces what {@code profile} says to what can be compared: the queries that Lucene carried out in each shard. A field whose values are
 * read document by document ({@code doc values}) counts as reading all of the index, since no index of that field narrows it.
 *
 * @see <a href="https://docs.opensearch.org/latest/api-reference/search-apis/profile/">Profile</a>
 */
final class Profile {
    private static final String NOTHING = "MatchNoDocsQuery";
    private static final Pattern FIELD = Pattern.compile("([A-Za-z_][\\w.-]*):");
    /** Reads values of documents; not {@code IndexSort...}, which looks by the order of the index, nor what chooses between both. */
    private static final Pattern READING_ALL =
            Pattern.compile("(?!IndexSort|IndexOrDocValues).*DocValues.*|MatchAllDocsQuery|FieldExistsQuery");

    private final String index;
    private final String timeField;
    private final List<Access> accesses = new ArrayList<>();

    private Profile(String index, String timeField) {
        this.index = index;
        this.timeField = timeField;
    }

    /** @param sorted whether the rows had to be sorted */
    static Plan plan(JsonNode profile, String index, String timeField, boolean sorted) {
        Profile read = new Profile(index, timeField);
        profile.path("shards")
                .forEach(shard -> shard.path("searches")
                        .forEach(search -> search.path("query").forEach(read::visit)));
        return new Plan(profile.toPrettyString(), Plan.Format.JSON, read.accesses, sorted, false, Optional.empty());
    }

    private void visit(JsonNode query) {
        JsonNode inner = query.path("children");
        if (!inner.isEmpty()) {
            inner.forEach(this::visit);
            return;
        }
        String type = query.path("type").asText();
        Matcher field = FIELD.matcher(query.path("description").asText());
        if (READING_ALL.matcher(type).matches()) {
            accesses.add(new Access(Kind.TABLE, index));
        } else if (field.find()) {
            accesses.add(new Access(kind(field.group(1)), field.group(1)));
        } else if (type.equals(NOTHING)) {
            // The terms of a segment tell that there are none.
            accesses.add(new Access(Kind.FIELD_INDEX, type));
        }
    }

    private Kind kind(String field) {
        if (field.equals("_id")) {
            return Kind.ID_INDEX;
        }
        return field.equals(timeField) ? Kind.TIME_INDEX : Kind.FIELD_INDEX;
    }
}
