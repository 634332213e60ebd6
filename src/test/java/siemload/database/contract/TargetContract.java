package siemload.database.contract;

/** All that every target must do, topic by topic. A test class implements it and names its subject. */
public interface TargetContract
        extends SearchContract,
                PagingContract,
                LargePageContract,
                CursorContract,
                SummaryContract,
                PlanContract,
                RandomContract,
                SinkContract,
                CopyContract,
                ReadContract,
                MaintenanceContract,
                TrendContract,
                SizesContract,
                ServerTimeContract,
                StopContract {

    @Override
    ContractSubject subject();
}
