package siemload.database.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.apache.shardingsphere.sql.parser.autogen.OracleStatementLexer;
import org.apache.shardingsphere.sql.parser.autogen.OracleStatementParser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.ServerAddress;
import siemload.database.Variant;
import siemload.database.contract.ContractSearches;
import siemload.database.oracle.OraclePlugin.OracleDialect;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlSearches.Compiled;
import siemload.database.sql.TableGroup;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.Summary;

class GrammarTest {
    private static final OracleDialect ORACLE = new OracleDialect(new ServerAddress("", "", ""));
    private static final TableGroup TABLES = new TableGroup(
            ORACLE,
            new SqlAccess(() -> ORACLE.open(1), ORACLE),
            "SL_00C0117AC7000001_0A1B2C3D",
            new Variant("arc_event", Partitions.DAY, IndexSet.NATIVE, Hint.NONE, Paging.OFFSET));
    /** The different statements without a hint, by their SQL. */
    private static final Map<String, Function<TableGroup.Searches, Compiled>> WITHOUT_A_HINT = withoutAHint();

    /** The parser needs half a minute to learn all kinds of searches, which the contract tests on H2. */
    @Test
    @Tag("exhaustive")
    void everySearchIsOracleSql() {
        assertThat(WITHOUT_A_HINT).hasSizeGreaterThan(150);
        assertThat(errors(WITHOUT_A_HINT.keySet())).isEmpty();
    }

    @Test
    @Tag("exhaustive")
    void everyOtherStatementIsOracleSql() {
        List<String> texts = new ArrayList<>();
        Map<String, String> parts = TABLES.parts();
        parts.put("table", TABLES.name("event"));
        parts.put("kept", "SL_KEPT_EVENT");
        parts.put("index", TABLES.name("event_time"));
        parts.put("ids", "?, ?, ?");
        parts.put("statement", "SELECT 1 FROM DUAL");
        for (String table : TableGroup.TABLES) {
            texts.add(TABLES.statement("table-" + table).sql());
            texts.add(TABLES.statement("insert-" + table).sql());
        }
        Stream.of("keys", "indexes-time", "indexes-fields", "indexes-compound", "indexes-native", "present")
                .forEach(file -> texts.addAll(TABLES.dialect().blocks().steps(file, parts).stream()
                        .map(step -> step.sql())
                        .toList()));
        Stream.of(
                        ("copy statistics drop-table drop-index drop-key delete-all events explain plan session checkpoint about"
                                        + " settings create-registry now object-numbers other-sessions transactions"
                                        + " free-bytes relation-sizes")
                                .split(" ", -1))
                .forEach(file -> texts.addAll(statements(file, parts)));
        assertThat(texts).hasSizeGreaterThan(40);
        assertThat(errors(texts)).isEmpty();
    }

    private static Map<String, Function<TableGroup.Searches, Compiled>> withoutAHint() {
        TableGroup.Searches statements = new TableGroup.Searches(TABLES);
        Map<String, Function<TableGroup.Searches, Compiled>> asked = new LinkedHashMap<>();
        for (Order order : Order.values()) {
            ContractSearches.inOrder(order).stream()
                    .flatMap(search -> of(search).stream())
                    .forEach(one -> asked.putIfAbsent(one.apply(statements).sql(), one));
        }
        return asked;
    }

    /** All statements for a search. */
    private static List<Function<TableGroup.Searches, Compiled>> of(Search search) {
        List<Function<TableGroup.Searches, Compiled>> asked = new ArrayList<>();
        asked.add(statements -> statements.count(search));
        List<Page> pages = new ArrayList<>(List.of(new Page.Whole()));
        if (search.order() != Order.UNSORTED) {
            pages.add(new Page.Numbered(100, 3));
            pages.add(new Page.After(100, new PageKey(Instant.EPOCH, "id")));
            pages.add(new Page.Last(100));
        }
        pages.forEach(page ->
                asked.add(statements -> statements.rows(search.with(page)).statement()));
        if (!search.window().isAlways()) {
            for (Field field : Field.values()) {
                asked.add(statements -> statements.of(search, new Summary.Timeline(field, 200)));
                asked.add(statements -> statements.of(search, new Summary.TopList(field, 20)));
            }
        }
        return asked;
    }

    private static List<String> statements(String file, Map<String, String> parts) {
        String text = TABLES.dialect().blocks().read(file, parts).sql();
        return text.startsWith("BEGIN")
                ? List.of(text)
                : Stream.of(text.split(";\\s*", -1))
                        .filter(part -> !part.isBlank())
                        .toList();
    }

    /**
     * Removes syntax that Oracle accepts and this grammar does not: the number of columns after COMPRESS, and a backslash as an ordinary
     * character in a text.
     */
    private static String withoutGaps(String sql) {
        return sql.replace(" COMPRESS 1 ", " COMPRESS ").replace("\\", "/");
    }

    private static List<String> errors(Collection<String> texts) {
        return texts.stream().flatMap(sql -> errors(sql).stream()).toList();
    }

    /** The fast mode refuses a few texts that the slow mode accepts, but accepts no others. */
    private static List<String> errors(String statement) {
        String sql = withoutGaps(statement);
        return errors(sql, PredictionMode.SLL).isEmpty() ? List.of() : errors(sql, PredictionMode.LL);
    }

    private static List<String> errors(String sql, PredictionMode mode) {
        List<String> errors = new ArrayList<>();
        BaseErrorListener listener = new BaseErrorListener() {
            @Override
            public void syntaxError(
                    Recognizer<?, ?> recognizer,
                    Object symbol,
                    int line,
                    int column,
                    String text,
                    RecognitionException e) {
                errors.add(line + ":" + column + " " + text + " in: " + sql);
            }
        };
        OracleStatementLexer lexer = new OracleStatementLexer(CharStreams.fromString(sql));
        lexer.removeErrorListeners();
        lexer.addErrorListener(listener);
        OracleStatementParser parser = new OracleStatementParser(new CommonTokenStream(lexer));
        parser.removeErrorListeners();
        parser.addErrorListener(listener);
        parser.getInterpreter().setPredictionMode(mode);
        parser.execute();
        return errors;
    }
}
