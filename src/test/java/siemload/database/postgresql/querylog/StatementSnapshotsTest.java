package siemload.database.postgresql.querylog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.database.CountedSpread;
import siemload.database.CountedStatement;
import siemload.database.StatementCounts;
import siemload.query.Statement.Effect;

/** Copies of pg_stat_statements, whole and broken ones. */
class StatementSnapshotsTest {
    private static final String HEAD =
            "userid,dbid,toplevel,queryid,query,calls,total_plan_time,total_exec_time,rows\n";
    private static final String SINCE = HEAD.replace("rows", "rows,stats_since");

    @TempDir
    private Path directory;

    private final StatementSnapshots reader = new StatementSnapshots(Effect.READS);

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private StatementCounts upTo(String text) throws IOException {
        return reader.upTo(file("one.csv", text));
    }

    private StatementCounts between(String earlier, String later) throws IOException {
        return reader.between(file("earlier.csv", earlier), file("later.csv", later));
    }

    private static String text(CountedStatement statement) {
        return statement.text().written(code -> code, name -> ":" + name);
    }

    /** The columns that matter, in the orders of versions 1.8, 1.10 and 1.12, and by hand. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "userid,dbid,queryid,query,plans,total_plan_time,calls,total_exec_time,rows,wal_bytes\n10,5,-7,%s,3,1.5,4,6.5,8,0\n",
                "userid,dbid,toplevel,queryid,query,plans,total_plan_time,calls,total_exec_time,rows\n10,5,t,-7,%s,3,1.5,4,6.5,8\n",
                "userid,dbid,toplevel,queryid,query,plans,total_plan_time,calls,total_exec_time,rows,stats_since\n"
                        + "10,5,t,-7,%s,3,1.5,4,6.5,8,2026-01-01 00:00:00+00\n",
                "dbid,query,calls,total_plan_time,total_exec_time,rows,dbid\n5,%s,4,1.5,6.5,8,6\n",
                "\uFEFFRows, Calls ,query,total_exec_time,total_plan_time,dbid\n8,4,%s,6.5e0,1.5,5\n\n",
            })
    void aStatementHasItsCountsWhateverColumnsThereAre(String snapshot) throws IOException {
        CountedStatement found = upTo(snapshot.replace("%s", "\"SELECT \"\"a\"\"\nFROM t WHERE b = $1\""))
                .statements()
                .get(0);

        assertThat(text(found)).isEqualTo("SELECT \"a\" FROM t WHERE b = :p1");
        assertThat(found.database()).isEqualTo("5");
        assertThat(found.calls()).isEqualTo(4);
        assertThat(found.rows()).isEqualTo(8);
        assertThat(found.meanMicros()).isCloseTo(2_000, within(0.001));
        assertThat(found.preparingRatio()).isCloseTo(1.5 / 8, within(1e-9));
        assertThat(found.form()).isEqualTo(CountedStatement.Form.WHOLE);
    }

    @Test
    void whatWasCountedBetweenTwoIsTheirDifference() throws IOException {
        String earlier = HEAD
                + "10,5,t,1,SELECT 1 FROM t,100,0,50.5,100\n10,5,t,2,SELECT 2 FROM t,9,0,1,9\n11,5,t,1,SELECT 1 FROM t,1,0,1,1\n";
        String later = HEAD
                + "11,5,t,1,SELECT 1 FROM t,2,0,3,2\n10,5,t,1,SELECT 1 FROM t,104,0,58.5,108\n10,5,t,2,SELECT 2 FROM t,9,0,1,9\n"
                + "10,5,t,3,SELECT 3 FROM t,6,0,3,6\n";

        StatementCounts counts = between(earlier, later);

        assertThat(counts.statements()).extracting(CountedStatement::calls).containsExactly(1L, 4L, 6L);
        assertThat(counts.statements())
                .extracting(CountedStatement::meanMicros)
                .usingElementComparator((one, other) -> Math.abs(one - other) < 0.001 ? 0 : 1)
                .containsExactly(2_000.0, 2_000.0, 500.0);
        assertThat(counts.notes()).isEmpty();
    }

    @Test
    void ofWhatWasResetInBetweenTheNewCountsAreTaken() throws IOException {
        StatementCounts byCounts = between(
                HEAD
                        + "10,5,t,1,SELECT 1 FROM t,100,0,50,100\n10,5,t,2,SELECT 2 FROM t,1,0,1,1\n10,5,t,3,SELECT 3 FROM t,1,0,1,1\n",
                HEAD + "10,5,t,1,SELECT 1 FROM t,3,0,6,3\n10,5,t,2,SELECT 2 FROM t,2,0,2,2\n");
        StatementCounts bySince = between(
                SINCE + "10,5,t,1,SELECT 1 FROM t,100,0,50,100,2026-01-01 00:00:00+00\n",
                SINCE + "10,5,t,1,SELECT 1 FROM t,120,0,240,120,2026-01-02 00:00:00+00\n");

        assertThat(byCounts.statements()).extracting(CountedStatement::calls).containsExactly(3L, 1L);
        assertThat(byCounts.statements().get(0).meanMicros()).isCloseTo(2_000, within(0.001));
        assertThat(byCounts.notes()).hasSize(2);
        assertThat(byCounts.notes().get(0)).startsWith("1 statements were reset between the snapshots");
        assertThat(byCounts.notes().get(1)).startsWith("1 statements of the first snapshot are not in the second one");
        assertThat(bySince.statements()).extracting(CountedStatement::calls).containsExactly(120L);
        assertThat(bySince.notes()).hasSize(1);
    }

    /** Of 1 and 3 ms before, 2 and 4 and 6 ms in between: mean 4, variance 8/3; of all five mean 3.2, variance 74/25. */
    @Test
    void theSpreadInBetweenIsThatOfTheNewExecutionsAlone() throws IOException {
        String head = HEAD.replace("rows", "rows,min_exec_time,max_exec_time,stddev_exec_time");
        String earlier = head + "10,5,t,1,SELECT 1 FROM t,2,0,4,2,1,3,1\n";
        String later = head + "10,5,t,1,SELECT 1 FROM t,5,0,16,5,1,6,1.7204650534085253\n";

        CountedStatement all = upTo(later).statements().get(0);
        CountedStatement between = between(earlier, later).statements().get(0);

        assertThat(stddev(all)).isCloseTo(1_720.465, within(0.001));
        assertThat(all.spread().minMicros()).hasValue(1_000);
        assertThat(all.spread().maxMicros()).hasValue(6_000);
        assertThat(stddev(between)).isCloseTo(Math.sqrt(8.0 / 3) * 1_000, within(0.001));
        assertThat(between.spread().minMicros())
                .as("the shortest one was there before")
                .isEmpty();
        assertThat(between.spread().maxMicros()).as("which is a new one").hasValue(6_000);
    }

    private static double stddev(CountedStatement statement) {
        return statement
                .spread()
                .stddevMicros(statement.calls(), statement.micros())
                .orElseThrow();
    }

    @Test
    void aSpreadIsToldOfWhatHasOneAlone() throws IOException {
        String head = HEAD.replace(
                "rows", "rows,min_exec_time,max_exec_time,stddev_exec_time,stats_since,minmax_stats_since");
        StatementCounts counts = upTo(head + "10,5,t,1,SELECT 1 FROM t,2,0,4,2,1,3,1,2026-01-01,2026-01-01\n"
                + "11,5,t,1,SELECT 1 FROM t,2,0,8,2,4,4,0,2026-01-01,2026-01-01\n"
                + "10,5,t,2,SELECT 2 FROM t,2,0,4,2,1,3,1,2026-01-01,2026-01-02\n"
                + "10,5,t,3,SELECT 3 FROM t,2,1,4,2,1,3,1,2026-01-01,2026-01-01\n");

        CountedStatement ofTwoUsers =
                counts.statements().get(0).plus(counts.statements().get(1));
        assertThat(ofTwoUsers.spread().maxMicros()).hasValue(4_000);
        assertThat(stddev(ofTwoUsers)).as("of 1, 3, 4 and 4 ms").isCloseTo(Math.sqrt(1.5) * 1_000, within(0.001));
        assertThat(counts.statements().get(2).spread().maxMicros())
                .as("forgotten later than the rest")
                .isEmpty();
        assertThat(counts.statements().get(3).spread())
                .as("planning is in the mean, and has a spread of its own")
                .isEqualTo(CountedSpread.UNKNOWN);
        assertThat(upTo(HEAD + "10,5,t,1,SELECT 1 FROM t,2,0,4,2\n")
                        .statements()
                        .get(0)
                        .spread())
                .isEqualTo(CountedSpread.UNKNOWN);
    }

    @Test
    void theLaterOneIsNotTakenForTheEarlierOne() {
        String early = HEAD + "10,5,t,1,SELECT 1 FROM t,100,0,50,100\n10,5,t,2,SELECT 2 FROM t,9,0,1,9\n";
        String late = HEAD
                + "10,5,t,1,SELECT 1 FROM t,101,0,51,101\n10,5,t,2,SELECT 2 FROM t,9,0,1,9\n10,5,t,3,SELECT 3 FROM t,9,0,1,9\n";

        assertThatIOException()
                .isThrownBy(() -> between(late, early))
                .withMessageContaining("no count is above, and some are below those of")
                .withMessageContaining("give the earlier snapshot first");
    }

    @Test
    void whatCannotBeAskedAgainIsLeftOutWithItsCalls() throws IOException {
        String rows =
                HEAD + "10,5,f,1,SELECT 1 FROM t,2,0,1,2\n10,5,t,,<insufficient privilege>,3,0,1,3\n10,5,t,2,,4,0,1,4\n"
                        + "10,5,t,3,UPDATE t SET a = $1,5,0,1,5\n10,5,t,4,COMMIT,6,0,1,0\n10,5,t,5,SELECT 'x,7,0,1,7\n"
                        + "10,5,t,6,SELECT 8,0,0,0,0\n";

        StatementCounts counts = upTo(rows);
        StatementCounts writing = new StatementSnapshots(Effect.WRITES).upTo(file("writes.csv", rows));

        assertThat(counts.statements()).isEmpty();
        assertThat(counts.leftOut())
                .extracting(out -> out.calls() + " " + out.reason())
                .containsExactly(
                        "2 is a part of a function or a procedure that is counted itself",
                        "3 is of a role whose texts were not shown (pg_read_all_stats)",
                        "4 has no text",
                        "5 writes",
                        "6 begins or ends a transaction",
                        "7 is cut off within quotes or a comment");
        assertThat(writing.statements()).extracting(CountedStatement::effect).containsExactly(Effect.WRITES);
    }

    /** Since 1.12 one text stands for lists of any length; a text that was not normalised keeps its literals. */
    @Test
    void listsAreToldAndLiteralsStay() throws IOException {
        StatementCounts counts = upTo(HEAD + "10,5,t,1,\"SELECT a FROM t WHERE b IN ($1 /*, ... */)\",1,0,1,1\n"
                + "10,5,t,2,SELECT a FROM t WHERE b = 7,1,0,1,1\n");

        assertThat(counts.statements().get(0).form()).isEqualTo(CountedStatement.Form.SHORTENED_LISTS);
        assertThat(text(counts.statements().get(0))).startsWith("SELECT a FROM t WHERE b IN (:p1");
        assertThat(text(counts.statements().get(1))).isEqualTo("SELECT a FROM t WHERE b = 7");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "query,calls,total_time#SELECT 1,1,1|1: there is no column total_exec_time, which pg_stat_statements has since its version 1.8",
                "query,calls#SELECT 1,1|1: there is no column total_exec_time (needed: what \\copy",
                "query,calls,total_exec_time#SELECT 1,1,1#SELECT 2,1|3: there are 2 columns, and not 3 as in the first line",
                "query,calls,total_exec_time#\"SELECT#1\",-1,1|2: calls is '-1', and no whole number",
                "query,calls,total_exec_time#SELECT 1,1,NaN|2: total_exec_time is 'NaN', and no number of milliseconds",
                "query,calls,total_exec_time#SELECT 1,1,1#\"SELECT 2,1,1|3: a row begins here and does not end",
            })
    void whatIsNotAsItShouldBeIsRefusedWithItsLine(String lines, String why) throws IOException {
        Path file = file("broken.csv", lines.replace('#', '\n') + "\n");

        assertThatIOException().isThrownBy(() -> reader.upTo(file)).withMessageStartingWith(file + ":" + why);
    }

    @Test
    void aSnapshotIsToldFromALogByItsFirstLineAndMayBePacked() throws IOException {
        Path packed = directory.resolve("packed.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write((HEAD + "10,5,t,1,SELECT 1 FROM t,2,0,1,2\n").getBytes(StandardCharsets.UTF_8));
        }

        assertThat(reader.isSnapshot(packed)).isTrue();
        assertThat(reader.upTo(packed).statements()).hasSize(1);
        assertThat(reader.isSnapshot(file("empty", ""))).isFalse();
        assertThat(reader.isSnapshot(file("log", "2024-03-01 12:00:00.500 CET,\"ann\",\"query\",\"calls")))
                .isFalse();
        assertThat(reader.isSnapshot(file("json", "{\"query\":1,\"calls\":2}\n")))
                .isFalse();
    }
}
