package siemload.database.postgresql;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.CopyContract;
import siemload.database.contract.CursorContract;
import siemload.database.contract.EveryVariant;
import siemload.database.contract.LargePageContract;
import siemload.database.contract.MaintenanceContract;
import siemload.database.contract.PagingContract;
import siemload.database.contract.ReadContract;
import siemload.database.contract.SearchContract;
import siemload.database.contract.SinkContract;
import siemload.database.contract.SizesContract;
import siemload.database.contract.TrendContract;
import siemload.query.Paging;

/**
 * A layout partitioned by day answers, is fed and is maintained like one without partitions. {@link PostgresqlVariantsContractTest} tests
 * its hints and index sets.
 */
@Tag("database")
@Tag("exhaustive")
final class PostgresqlByDayContractTest extends EveryVariant
        implements PagingContract,
                SinkContract,
                CopyContract,
                ReadContract,
                MaintenanceContract,
                SizesContract,
                CursorContract,
                TrendContract,
                LargePageContract,
                SearchContract {
    private static final PostgresqlPlugin PLUGIN = new PostgresqlPlugin();

    @RegisterExtension
    static final ContractSubject SERVER = new ContractSubject(PLUGIN, IndexSet.NONE);

    static List<Variant> variants() {
        return PLUGIN.abilities().layouts().stream()
                .map(layout -> new Variant(layout, Partitions.DAY, IndexSet.NATIVE, Hint.NONE, Paging.CURSOR))
                .toList();
    }

    @Override
    protected ContractSubject server() {
        return SERVER;
    }
}
