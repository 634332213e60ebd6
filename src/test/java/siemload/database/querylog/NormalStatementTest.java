package siemload.database.querylog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.database.querylog.StatementForms.NormalStatement;
import siemload.database.querylog.StatementForms.Tokens;
import siemload.query.SqlLexer;

/** Literals become parameters where that changes nothing but the value. */
class NormalStatementTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "SELECT 1 FROM t WHERE a = 5 | SELECT 1 FROM t WHERE a = :p1::integer | 5",
                "SELECT 1 FROM t WHERE a=-5 | SELECT 1 FROM t WHERE a=:p1::integer | -5",
                "SELECT 1 FROM t WHERE a = b - 5 | SELECT 1 FROM t WHERE a = b - :p1::integer | 5",
                "SELECT 1 FROM t WHERE a > 5000000000 | SELECT 1 FROM t WHERE a > :p1::bigint | 5000000000",
                "SELECT 1 FROM t WHERE a > 99999999999999999999 | SELECT 1 FROM t WHERE a > :p1::numeric | 99999999999999999999",
                "SELECT 1 FROM t WHERE a > 1_000.5e3 | SELECT 1 FROM t WHERE a > :p1::numeric | 1000.5e3",
                "SELECT 1 FROM t WHERE a = 0x1F | SELECT 1 FROM t WHERE a = 0x1F |",
                "SELECT 1 FROM t WHERE a LIKE 'x''y%' | SELECT 1 FROM t WHERE a LIKE :p1 | x'y%",
                "SELECT 1 FROM t WHERE a = E'x\\ty' | SELECT 1 FROM t WHERE a = E'x\\ty' |",
                "SELECT 1 FROM t WHERE a = $q$it's$q$ | SELECT 1 FROM t WHERE a = :p1 | it's",
                "SELECT 1 FROM t WHERE a = B'101' | SELECT 1 FROM t WHERE a = B'101' |",
                "SELECT 1 FROM t WHERE varchar(5) 'x' = \"char\" 'y' AND pg_catalog.date '2024-02-29' = d | SELECT 1 FROM t WHERE varchar(5) 'x' = \"char\" 'y' AND pg_catalog.date '2024-02-29' = d |",
                "SELECT 1 FROM t WHERE concat('x', a) = 'y' OR 'z' IS NULL | SELECT 1 FROM t WHERE concat('x', a) = :p1 OR 'z' IS NULL | y",
                "SELECT 1 FROM t WHERE make_interval(days := 3) < a;; | SELECT 1 FROM t WHERE make_interval(days := :p1::integer) < a | 3",
                "SELECT 1 FROM t WHERE d > date '2024-02-29' | SELECT 1 FROM t WHERE d > :p1::date | 2024-02-29",
                "SELECT 1 FROM t WHERE d > now() - interval '1' day | SELECT 1 FROM t WHERE d > now() - interval '1' day |",
                "SELECT 1 FROM t WHERE d AT TIME ZONE 'UTC' > '2024-02-29' | SELECT 1 FROM t WHERE d AT TIME ZONE 'UTC' > :p1 | 2024-02-29",
                "SELECT CAST(a AS numeric(10, 2)) FROM t WHERE CAST(a AS varchar(3)) = 'x' | SELECT CAST(a AS numeric(10, 2)) FROM t WHERE CAST(a AS varchar(3)) = :p1 | x",
                "SELECT a + 1 FROM t GROUP BY 1 HAVING sum(b) > 3 ORDER BY 1, 2 | SELECT a + 1 FROM t GROUP BY 1 HAVING sum(b) > 3 ORDER BY 1, 2 |",
                "SELECT 1 FROM t JOIN u ON t.a = u.a AND u.b = 7 JOIN v USING (a) | SELECT 1 FROM t JOIN u ON t.a = u.a AND u.b = :p1::integer JOIN v USING (a) | 7",
                "SELECT 1 FROM (SELECT 2 FROM t WHERE a = 3) x, generate_series(1, 4) | SELECT 1 FROM (SELECT 2 FROM t WHERE a = :p1::integer) x, generate_series(1, 4) | 3",
                "SELECT 1 FROM t WHERE a IS DISTINCT FROM 3 OFFSET 4 FETCH FIRST 5 ROWS ONLY | SELECT 1 FROM t WHERE a IS DISTINCT FROM :p1::integer OFFSET :p2::integer FETCH FIRST 5 ROWS ONLY | 3;4",
                "SELECT 1 FROM t OFFSET 4 ROWS FETCH NEXT 5 ROWS ONLY | SELECT 1 FROM t OFFSET 4 ROWS FETCH NEXT 5 ROWS ONLY |",
                "SELECT 1 FROM t WHERE a = 1 UNION SELECT 2 | SELECT 1 FROM t WHERE a = :p1::integer UNION SELECT 2 | 1",
                "SELECT 1 FROM t WHERE tag->>'k' = 'v' LIMIT 10; | SELECT 1 FROM t WHERE tag->>:p1 = :p2 LIMIT :p3::integer | k;v;10",
                "UPDATE t SET a = a + -5, b = now() - interval '1 day' WHERE c = 'x' RETURNING 7 | UPDATE t SET a = a + :p1::integer, b = now() - :p2::interval WHERE c = :p3 RETURNING 7 | -5;1 day;x",
                "INSERT INTO t (a, b) VALUES (1, 'x'), (2, 'y') ON CONFLICT (a) DO UPDATE SET b = 'z' | INSERT INTO t (a, b) VALUES (:p1::integer, :p2), (:p3::integer, :p4) ON CONFLICT (a) DO UPDATE SET b = :p5 | 1;x;2;y;z",
                "INSERT INTO t SELECT 1, b FROM u WHERE c = 2 | INSERT INTO t SELECT 1, b FROM u WHERE c = :p1::integer | 2",
                "WITH x AS (SELECT 1, 'y') INSERT INTO t SELECT 2 FROM x WHERE a = 3 | WITH x AS (SELECT 1, 'y') INSERT INTO t SELECT 2 FROM x WHERE a = :p1::integer | 3",
                "WITH x AS (VALUES (1)) INSERT INTO t VALUES (2, 'y') | WITH x AS (VALUES (1)) INSERT INTO t VALUES (:p1::integer, :p2) | 2;y",
                "WITH x AS (UPDATE t SET a = 1 RETURNING 2) SELECT 3 FROM x | WITH x AS (UPDATE t SET a = :p1::integer RETURNING 2) SELECT 3 FROM x | 1",
                "SELECT set, values FROM t WHERE a = 1 | SELECT set, values FROM t WHERE a = :p1::integer | 1",
                "/*+ SeqScan(t) */ SELECT 1 | /*+ SeqScan(t) */ SELECT 1 |",
                "SELECT a FROM t WHERE b = $2 AND c = $1 AND d = 5 | SELECT a FROM t WHERE b = :p2 AND c = :p1 AND d = 5 |",
                "SELECT \"where\" FROM t ORDER BY \"a b\" LIMIT 3 | SELECT \"where\" FROM t ORDER BY \"a b\" LIMIT :p1::integer | 3",
            })
    void aStatementHasANormalForm(String sql, String normal, String values) {
        NormalStatement found = new NormalStatement(tokens(sql));

        assertThat(found.text()).isEqualTo(normal);
        assertThat(found.values()).isEqualTo(values == null ? List.of() : List.of(values.split(";", -1)));
    }

    @Test
    void commentsGoAndSlicesOfArraysAndStringsOnSeveralLinesStay() {
        String sql = "SELECT  1 -- why\nFROM /* a /* b */ */ t WHERE x[1:2] = y || 'a' -- b\n 'c'";

        NormalStatement found = new NormalStatement(tokens(sql));
        assertThat(found.text()).isEqualTo("SELECT 1 FROM t WHERE x[:p1::integer: :p2::integer] = y || 'a'\n'c'");
        assertThat(found.values()).containsExactly("1", "2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT 'a", "SELECT /* a", "SELECT \"a", "SELECT $x$ a", "SELECT E'a\\'"})
    void whatDoesNotEndHasNoTokens(String sql) {
        assertThat(SqlLexer.tokens(sql)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT 1 | ",
                "(SELECT 1) UNION (SELECT 2) | ",
                "WITH x AS (SELECT 1) SELECT * FROM x | ",
                "VALUES (1) | ",
                "SELECT update FROM t WHERE a.into = 1 | ",
                "SELECT substring(a FOR 3) FROM t | ",
                "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x | writes, locks rows or calls a function that writes",
                "WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x | writes, locks rows or calls a function that writes",
                "WITH x AS (SELECT 1), y AS (SELECT 2) UPDATE t SET a = 1 FROM x | writes, locks rows or calls a function that writes",
                "/*+ SeqScan(t) */ WITH x AS (SELECT 1) DELETE FROM t USING x | writes, locks rows or calls a function that writes",
                "WITH x AS (SELECT 1) MERGE INTO t USING x ON true WHEN MATCHED THEN DO NOTHING | writes, locks rows or calls a function that writes",
                "WITH x AS (INSERT INTO t VALUES (1) RETURNING *) SELECT * FROM x | writes, locks rows or calls a function that writes",
                "WITH RECURSIVE x(n) AS (SELECT 1) SEARCH DEPTH FIRST BY n SET s INSERT INTO t SELECT n FROM x | writes, locks rows or calls a function that writes",
                "WITH update AS (SELECT 1), values AS (SELECT 2) SELECT * FROM update | ",
                "WITH insert (a) AS (SELECT 1) SELECT delete FROM insert | ",
                "WITH x AS (SELECT 1) SELECT a delete FROM x | ",
                "WITH x AS (SELECT 1) SELECT * INTO t FROM x | makes a table (SELECT INTO)",
                "SELECT 1 INTO t | makes a table (SELECT INTO)",
                "SELECT 1 FROM t FOR NO KEY UPDATE | writes, locks rows or calls a function that writes",
                "SELECT nextval('s') | writes, locks rows or calls a function that writes",
                "SELECT 1; SELECT 2 | is one of several that were sent as one",
                "BEGIN | is no query (BEGIN)",
                "EXPLAIN SELECT 1 | is no query (EXPLAIN)",
                "-- nothing | holds no statement",
            })
    void whatDoesNotOnlyReadIsToldByItsText(String sql, String reason) {
        assertThat(StatementForms.refusal(tokens(sql))).isEqualTo(Optional.ofNullable(reason));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1",
                "VALUES (1)",
                "SELECT count(*) FROM (SELECT 1) x WHERE (1 = 1)",
                "SELECT version(), current_schema(), pg_catalog.set_bit($1, 1, 1)",
                "SELECT now() AT TIME ZONE 'UTC'",
                "SELECT count(*) FROM pg_stat_activity WHERE state = $1",
                "SELECT * FROM public.pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid",
                "SELECT extract(epoch FROM now() - pg_last_xact_replay_timestamp())",
                "SELECT pg_database_size(datname) FROM pg_database",
                "SELECT c.relname FROM pg_catalog.pg_class c, pg_catalog.pg_inherits i WHERE c.oid = i.inhrelid AND c.relkind IN ('r', 'p')",
                "SELECT NULL AS cat FROM (SELECT n.nspname FROM pg_catalog.pg_namespace n LEFT JOIN (pg_class c JOIN pg_type t USING (oid)) ON true) q",
                "SELECT table_name FROM information_schema.tables WHERE table_schema NOT IN (SELECT unnest($1::text[]))",
            })
    void whatAsksForNoDataOfAUserIsToldApart(String sql) {
        assertThat(StatementForms.isHousekeeping(tokens(sql))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a FROM t",
                "TABLE t",
                "WITH q AS (SELECT oid FROM pg_class) TABLE t",
                "SELECT 1 FROM pg_class c, t",
                "SELECT 1 FROM pg_class WHERE EXISTS (SELECT 1 FROM (t JOIN u USING (a, b)))",
                "SELECT pg_stat_get_snapshot_timestamp(), (SELECT max(a) FROM t)",
                "SELECT a FROM pgbench_accounts",
                "SELECT a FROM shop.pg_class",
                "SELECT a FROM \"Pg_class\"",
                "SELECT price_of($1)",
                "SELECT shop.version($1)",
                "SELECT * FROM price_of($1)",
                "SELECT pg_sleep($1)",
                "SELECT trim(both FROM pg_backend_pid()) FROM t"
            })
    void whatMayBeOfAnApplicationIsKept(String sql) {
        assertThat(StatementForms.isHousekeeping(tokens(sql))).isFalse();
    }

    private static Tokens tokens(String sql) {
        return Tokens.of(sql).orElseThrow();
    }
}
