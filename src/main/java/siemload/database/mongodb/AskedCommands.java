package siemload.database.mongodb;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import siemload.database.SearchException;
import siemload.database.mongodb.command.CommandTemplate;
import siemload.query.Criterion;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Statement;

/** The commands of a scenario. Each is read when it is first asked: those that cannot be were refused before. Thread-safe. */
final class AskedCommands {
    private final Map<SearchName, Statement> statements;
    private final Map<SearchName, CommandTemplate> templates = new ConcurrentHashMap<>();

    AskedCommands(List<Statement> statements) {
        this.statements = statements.stream().collect(Collectors.toMap(Statement::name, statement -> statement));
    }

    /**
     * The command that a search asks.
     *
     * @throws SearchException if a value is none of the type that it stands within
     */
    BsonDocument of(Search search) {
        Statement statement = statements.get(search.name());
        if (statement == null) {
            throw new IllegalArgumentException(search.name() + " is no statement of this run");
        }
        CommandTemplate template =
                templates.computeIfAbsent(search.name(), name -> CommandTemplate.of(statement.text()));
        Map<String, String> values = new HashMap<>();
        for (Criterion criterion : search.criteria()) {
            if (criterion instanceof Criterion.ParameterIs is) {
                values.put(is.parameter(), is.value());
            }
        }
        try {
            return template.with(parameter -> value(parameter, values));
        } catch (IllegalArgumentException wrong) {
            throw new SearchException(SearchException.Kind.OTHER, "", String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private static String value(String parameter, Map<String, String> values) {
        String value = values.get(parameter);
        if (value == null) {
            throw new IllegalStateException("no value for :" + parameter);
        }
        return value;
    }
}
