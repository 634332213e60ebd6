package siemload.database.contract;

/** All that every target must do, topic by topic. A test class implements it, with the contracts of what its target offers beside that, and names its subject. */
public interface TargetContract
        extends SearchContract,
                PagingContract,
                LargePageContract,
                SinkContract,
                CopyContract,
                MaintenanceContract,
                StopContract {

    @Override
    ContractSubject subject();
}
