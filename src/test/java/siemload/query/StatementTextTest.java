package siemload.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.config.YamlRecords.Misfit;

class StatementTextTest {

    @Test
    void eachPlaceOfAParameterIsFound() {
        StatementText text = text("SELECT :a, x FROM t WHERE y BETWEEN :a AND :b_2 -- until :b_2\n");

        assertThat(text.places()).containsExactly("a", "a", "b_2");
        assertThat(text.parameters()).containsExactly("a", "b_2");
        assertThat(written(text)).isEqualTo("SELECT <a>, x FROM t WHERE y BETWEEN <a> AND <b_2> -- until :b_2\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT x::text, '1'::int4",
                "SELECT ':no', 'it''s :no'",
                "SELECT E'\\':no', e'a''\\\\'",
                "SELECT \":no\", \"a\"\":no\"",
                "SELECT 1 -- :no",
                "SELECT /* :no /* :no */ :no */ 1",
                "SELECT $$:no$$, $tag$ :no $$ :no $tag$",
                "SELECT f(a := 1), b[1 : 2]",
                "SELECT a$b$c FROM t$1",
                "SELECT 'a' -- ':no'\n ':no', E'\\''\n'\\':no'"
            })
    void whatOnlyLooksLikeAParameterIsNone(String sql) {
        assertThat(text(sql).parameters()).isEmpty();
        assertThat(written(text(sql))).isEqualTo(sql);
    }

    @Test
    void emptyStatementsAtTheEndAreNone() {
        assertThat(written(text("SELECT :a;; -- end\r\n;\r\n"))).isEqualTo("SELECT <a>");
    }

    @Test
    void aNameThatEndsAsAStringBeginsDoesNotBeginOne() {
        assertThat(text("SELECT typE'\\' , :a").parameters()).containsExactly("a");
    }

    @Test
    void aSemicolonAtTheEndIsLeftOutWithTheCommentsBehindIt() {
        assertThat(written(text("SELECT ';' ; -- done\n /* :no */ "))).isEqualTo("SELECT ';' ");
    }

    static Stream<Arguments> flaws() {
        return Stream.of(
                arguments("SELECT 1; DROP TABLE t", 8, "another statement follows (write one statement for each name)"),
                arguments("SELECT :a, '$1', $1", 17, "$1 is not a parameter here (write :name)"),
                arguments("SELECT 'abc", 7, "the quote or comment that begins here with ' does not end"),
                arguments("SELECT E'abc\\'", 7, "the quote or comment that begins here with E' does not end"),
                arguments("SELECT \"abc", 7, "the quote or comment that begins here with \" does not end"),
                arguments("SELECT 1 /* /* */", 9, "the quote or comment that begins here with /* does not end"),
                arguments("SELECT $x$ $$", 7, "the quote or comment that begins here with $x$ does not end"),
                arguments("SELECT 1; /* ", 10, "the quote or comment that begins here with /* does not end"),
                arguments(" ;", 0, "holds no statement (write some SQL)"),
                arguments("-- nothing", 0, "holds no statement (write some SQL)"));
    }

    @ParameterizedTest
    @MethodSource("flaws")
    void whatIsNotOneStatementIsToldWithItsPlace(String sql, int offset, String message) {
        Misfit wrong = catchThrowableOfType(Misfit.class, () -> text(sql));

        assertThat(wrong).hasMessage(message);
        assertThat(wrong.offset()).isEqualTo(offset);
    }

    private static StatementText text(String sql) {
        return StatementText.parse(sql);
    }

    private static String written(StatementText text) {
        return text.written(code -> code, name -> "<" + name + ">");
    }
}
