package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.database.Plan;
import siemload.database.Plan.Access;
import siemload.database.Plan.Access.Kind;
import siemload.database.Plan.PlanTree;
import siemload.database.Plan.PlanTree.Detail;
import siemload.database.Plan.PlanTree.Pages;
import siemload.database.Plan.PlanTree.Step;

/** What {@code profile} says of an answer: what its steps are to a reader, and what of it can be compared. */
final class Profile {

    private Profile() {}

    /** Its steps; empty where it is no profile. */
    static Optional<PlanTree> steps(JsonNode profile) {
        Steps read = new Steps();
        for (JsonNode shard : profile.path("shards")) {
            for (JsonNode search : shard.path("searches")) {
                read.rewriteMillis += search.path("rewrite_time").asDouble() / Steps.NANOS_PER_MILLI;
                read.add(search.path("query"), "description", "query");
                read.add(search.path("collector"), "reason", "for");
            }
            read.add(shard.path("aggregations"), "description", "of");
        }
        return read.steps.isEmpty()
                ? Optional.empty()
                : Optional.of(new PlanTree(read.rewriteMillis, read.millis, read.steps));
    }

    /**
     * What can be compared of it.
     *
     * @param sorted whether the rows had to be sorted
     */
    static Plan plan(JsonNode profile, String index, String timeField, boolean sorted) {
        Accesses read = new Accesses(index, timeField);
        for (JsonNode shard : profile.path("shards")) {
            for (JsonNode search : shard.path("searches")) {
                search.path("query").forEach(read::visit);
            }
        }
        return new Plan(profile.toPrettyString(), Plan.Format.JSON, read.accesses, sorted, false, Optional.empty());
    }

    /** The queries of a profile, and what collected their events, as a reader needs them. The time of a query has that of those below it. */
    private static final class Steps {
        private static final Pages NONE = new Pages(0, 0, 0);
        private static final double NANOS_PER_MILLI = 1e6;
        private static final int LONGEST_DESCRIPTION = 400;

        private final List<Step> steps = new ArrayList<>();
        private double rewriteMillis;
        private double millis;

        private void add(JsonNode roots, String detail, String name) {
            for (JsonNode root : roots) {
                millis += millis(root);
                visit(root, 0, detail, name);
            }
        }

        private void visit(JsonNode node, int depth, String detail, String name) {
            String text = node.path(detail).asText();
            String shown = text.length() > LONGEST_DESCRIPTION ? text.substring(0, LONGEST_DESCRIPTION) + "..." : text;
            JsonNode inner = node.path("children");
            steps.add(new Step(
                    depth,
                    node.path("type").asText(node.path("name").asText()),
                    OptionalDouble.empty(),
                    1,
                    OptionalDouble.of(millis(node)),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    NONE,
                    // What is above others only puts together what they say.
                    text.isEmpty() || !inner.isEmpty() ? List.of() : List.of(new Detail(name, shown))));
            inner.forEach(below -> visit(below, depth + 1, detail, name));
        }

        private static double millis(JsonNode node) {
            return node.path("time_in_nanos").asDouble() / NANOS_PER_MILLI;
        }
    }

    /**
     * Reduces what {@code profile} says to what can be compared: the queries that Lucene carried out in each shard. A field whose values are
     * read document by document ({@code doc values}) counts as reading all of the index, since no index of that field narrows it.
     *
     * @see <a href="https://docs.opensearch.org/latest/api-reference/search-apis/profile/">Profile</a>
     */
    private static final class Accesses {
        private static final String ID = "_id";
        private static final String NOTHING = "MatchNoDocsQuery";
        private static final Pattern FIELD = Pattern.compile("([A-Za-z_][\\w.-]*):");
        /** Reads values of documents; not {@code IndexSort...}, which looks by the order of the index, nor what chooses between both. */
        private static final Pattern READING_ALL =
                Pattern.compile("(?!IndexSort|IndexOrDocValues).*DocValues.*|MatchAllDocsQuery|FieldExistsQuery");

        private final String index;
        private final String timeField;
        private final List<Access> accesses = new ArrayList<>();

        private Accesses(String index, String timeField) {
            this.index = index;
            this.timeField = timeField;
        }

        private void visit(JsonNode query) {
            JsonNode inner = query.path("children");
            if (!inner.isEmpty()) {
                inner.forEach(this::visit);
                return;
            }
            String type = query.path("type").asText();
            if (READING_ALL.matcher(type).matches()) {
                accesses.add(new Access(Kind.TABLE, index));
                return;
            }
            Matcher field = FIELD.matcher(query.path("description").asText());
            if (field.find()) {
                String name = field.group(1);
                accesses.add(new Access(kind(name), name));
            } else if (type.equals(NOTHING)) {
                // The terms of a segment tell that there are none.
                accesses.add(new Access(Kind.FIELD_INDEX, type));
            }
        }

        private Kind kind(String field) {
            if (field.equals(ID)) {
                return Kind.ID_INDEX;
            }
            return field.equals(timeField) ? Kind.TIME_INDEX : Kind.FIELD_INDEX;
        }
    }
}
