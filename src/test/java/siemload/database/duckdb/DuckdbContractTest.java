package siemload.database.duckdb;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.IndexSet;
import siemload.database.contract.ConcurrencyContract;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.ContractTest;
import siemload.database.contract.PlanContract;
import siemload.database.contract.TargetContract;

final class DuckdbContractTest extends ContractTest implements TargetContract, PlanContract, ConcurrencyContract {
    DuckdbContractTest() {
        super(new ContractSubject(new DuckdbPlugin(), IndexSet.FIELDS));
    }

    /** Tested only nightly, since the portions are the same for every JDBC target. */
    @Override
    @Test
    @Tag("exhaustive")
    public void aLargePageThatIsLeftInItsMiddleEndsThereAndTheSessionGoesOn() {
        TargetContract.super.aLargePageThatIsLeftInItsMiddleEndsThereAndTheSessionGoesOn();
    }
}
