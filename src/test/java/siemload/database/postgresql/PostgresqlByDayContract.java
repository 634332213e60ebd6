package siemload.database.postgresql;

import java.util.List;
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
import siemload.database.contract.RandomContract;
import siemload.database.contract.ReadContract;
import siemload.database.contract.SinkContract;
import siemload.database.contract.SizesContract;
import siemload.database.contract.SummaryContract;
import siemload.database.contract.TrendContract;
import siemload.query.Paging;

/** A layout cut into days answers, is fed and is maintained like one in one piece; hints and index sets are in {@link PostgresqlVariantsContract}. */
abstract class PostgresqlByDayContract extends EveryVariant
        implements PagingContract,
                RandomContract,
                SinkContract,
                CopyContract,
                ReadContract,
                MaintenanceContract,
                SizesContract,
                CursorContract,
                TrendContract,
                LargePageContract,
                SummaryContract {
    private static final PostgresqlPlugin PLUGIN = new PostgresqlPlugin();
    /** The one that is tried by day with every build, and in one piece by {@link PostgresqlAddressContractTest}. */
    private static final String WITH_EVERY_BUILD = "address";

    /** The server of the tests of a class. */
    static ContractSubject newServer() {
        return new ContractSubject(PLUGIN, IndexSet.NONE);
    }

    /** The layout that every build tries. */
    static List<Variant> first() {
        return List.of(byDay(WITH_EVERY_BUILD));
    }

    /** The others. */
    static List<Variant> remaining() {
        return PLUGIN.abilities().layouts().stream()
                .filter(layout -> !layout.equals(WITH_EVERY_BUILD))
                .map(PostgresqlByDayContract::byDay)
                .toList();
    }

    private static Variant byDay(String layout) {
        return new Variant(layout, Partitions.DAY, IndexSet.NATIVE, Hint.NONE, Paging.CURSOR);
    }
}
