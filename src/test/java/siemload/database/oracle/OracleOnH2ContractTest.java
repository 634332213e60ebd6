package siemload.database.oracle;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.IndexSet;
import siemload.database.contract.ConcurrencyContract;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.ContractTest;
import siemload.database.contract.SizesContract;
import siemload.database.contract.TargetContract;

/** The contract except for plans, which H2 reports in its own form. */
final class OracleOnH2ContractTest extends ContractTest implements TargetContract, SizesContract, ConcurrencyContract {
    OracleOnH2ContractTest() {
        super(new ContractSubject(new H2Plugin(), IndexSet.NATIVE));
    }

    /** Tested only nightly, since H2's behaviour here says nothing about Oracle's. */
    @Override
    @Test
    @Tag("exhaustive")
    public void aLargePageThatIsLeftInItsMiddleEndsThereAndTheSessionGoesOn() {
        TargetContract.super.aLargePageThatIsLeftInItsMiddleEndsThereAndTheSessionGoesOn();
    }
}
