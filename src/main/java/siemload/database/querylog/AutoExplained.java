package siemload.database.querylog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;
import siemload.database.Plan;
import siemload.database.postgresql.search.StatementPlanReader;

/**
 * A plan that {@code auto_explain} has logged, with the text of its statement as the client sent it. It is read where {@code
 * auto_explain.log_format} is text or json. Immutable.
 */
record AutoExplained(String query, Plan plan) {
    /** What stands behind the duration of such a record. */
    static final String BEGIN = "plan:";

    private static final String QUERY = "Query Text: ";
    private static final String PARAMETERS = "Query Parameters: ";
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Reads what stands behind {@link #BEGIN}; empty where it is in another format, or cut off. */
    static Optional<AutoExplained> read(String written) {
        String text = written.strip();
        return text.startsWith("{") ? ofDocument(text) : ofText(text);
    }

    private static Optional<AutoExplained> ofDocument(String text) {
        try {
            JsonNode document = JSON.readTree(text);
            JsonNode query = document.path("Query Text");
            return query.isTextual() && document.path("Plan").isObject()
                    ? Optional.of(new AutoExplained(query.asText(), StatementPlanReader.ofDocument(text, document)))
                    : Optional.empty();
        } catch (JsonProcessingException cutOff) {
            return Optional.empty();
        }
    }

    /** The statement may have several lines, and so may its parameters, which stand between it and the first step. */
    private static Optional<AutoExplained> ofText(String text) {
        if (!text.startsWith(QUERY)) {
            return Optional.empty();
        }
        int parameters = -1;
        for (int line = text.indexOf('\n'); line >= 0; line = text.indexOf('\n', line + 1)) {
            int end = text.indexOf('\n', line + 1);
            String next = text.substring(line + 1, end < 0 ? text.length() : end);
            if (parameters < 0 && next.startsWith(PARAMETERS)) {
                parameters = line;
            }
            if (StatementPlanReader.isFirstStep(next)) {
                String query = text.substring(QUERY.length(), parameters < 0 ? line : parameters);
                return Optional.of(new AutoExplained(query, StatementPlanReader.ofText(text.substring(line + 1))));
            }
        }
        return Optional.empty();
    }
}
