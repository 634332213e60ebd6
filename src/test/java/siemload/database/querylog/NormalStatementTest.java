package siemload.database.querylog;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import siemload.GoldenFile;
import siemload.database.querylog.StatementForms.Tokens;
import siemload.query.SqlLexer;

class NormalStatementTest {

    @Test
    void aStatementHasANormalForm() throws IOException {
        GoldenFile.of("statements.txt").assertEach(NormalStatementTest::told);
    }

    private static String told(String line) {
        Optional<Tokens> tokens =
                SqlLexer.tokens(line.replace("\\n", "\n").replace("\\r", "\r")).map(Tokens::new);
        if (tokens.isEmpty()) {
            return "does not end";
        }
        Tokens.Normal normal = tokens.orElseThrow().new Normal();
        List<String> told = new ArrayList<>(List.of(normal.text.toString()));
        normal.values.forEach(value -> told.add("value: " + value));
        tokens.orElseThrow().refusal().ifPresent(why -> told.add("left out: it " + why));
        if (tokens.orElseThrow().areHousekeeping()) {
            told.add("asks for no data of a user");
        }
        return String.join("\n", told);
    }
}
