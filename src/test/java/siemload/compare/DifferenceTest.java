package siemload.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.compare.Comparer.Measured;
import siemload.compare.Comparison.Difference;
import siemload.compare.Experiment.ComparedVariant;
import siemload.compare.RunLog.Ledger;

class DifferenceTest {
    /** Of four runs, two of each value of the axis: none, index, index, none. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
        runs that differ in the axis alone are alike               | hint       | scenario | hint            | none, index, index, none                | 0
        nor need what follows from it be alike                     | tasks      | scenario | workers         | 7, 9, 9, 7                              | 0
        nor the server that a variant has                          | parameters | database | setting.jit     | off, on, on, off                        | 0
        but not within one variant                                 | parameters | database | setting.jit     | off, on, off, off                       | 1
        no axis makes another machine                              | hint       | hardware | cpus            | 2, 4, 4, 2                              | 1
        trends lie in a table of their own                         | analysts.by-source.tasks | tables   | trend_line      | (none), 8192, 8192, (none)              | 0
        other indexes make other tables                            | indexes    | tables   | events_time     | 500000, 700000, 700000, 500000          | 0
        which nothing else does                                    | hint       | tables   | events_time     | 500000, 700000, 700000, 500000          | 1
        a search of one's own is the same in all runs              | scenario   | scenario | ownSearches.ssh | contents a, contents b, contents b, contents a | 1
        which need not all have it                                 | scenario   | scenario | ownSearches.ssh | contents a, (none), (none), contents a  | 0
        sizes that differ by little are the same                   | hint       | tables   | events_hulls    | 30130176, 29999104, 29564928, 30130176  | 0
        sizes that differ by more are not                          | hint       | tables   | events_hulls    | 30130176, 29999104, 28564928, 30130176  | 1
        small sizes may differ by more                             | hint       | tables   | events_hulls    | 319488, 344064, 319488, 335872          | 0
        numbers of events may not differ at all                    | hint       | dataset  | events          | 200000, 199999, 200000, 200000          | 1
        a size that could not be read is a difference              | hint       | tables   | sizes           | (none), could not be read, (none), (none) | 1
        """)
    void whatRunsMayDifferInDependsOnWhatIsVaried(
            String rule, String varied, String section, String key, String values, int differences) {
        assertThat(Difference.between(runs(section, key, values.split(", ")), Set.of(varied)))
                .as(rule)
                .hasSize(differences);
    }

    private static List<Measured> runs(String section, String key, String... values) {
        String[] cells = {"none", "index", "index", "none"};
        return IntStream.range(0, 4)
                .mapToObj(i -> new Ledger.Slot(i, 0, new ComparedVariant(cells[i], Map.of())))
                .map(slot -> Examples.with(
                        Examples.run(slot, Map.of()),
                        change -> change.environment = Map.of(section, Map.of(key, values[slot.position()]))))
                .toList();
    }
}
