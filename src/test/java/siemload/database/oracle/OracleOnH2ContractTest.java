package siemload.database.oracle;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.IndexSet;
import siemload.database.contract.ConcurrencyContract;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.ContractTest;
import siemload.database.contract.SizesContract;
import siemload.database.contract.TargetContract;

/** Everything but plans, which H2 tells in its own way. */
final class OracleOnH2ContractTest extends ContractTest implements TargetContract, SizesContract, ConcurrencyContract {
    OracleOnH2ContractTest() {
        super(new ContractSubject(new H2Plugin(), IndexSet.NATIVE));
    }

    /** By night: what it takes H2 says nothing of Oracle. */
    @Override
    @Test
    @Tag("exhaustive")
    public void aLargePageThatIsLeftInItsMiddleEndsThereAndTheSessionGoesOn() {
        TargetContract.super.aLargePageThatIsLeftInItsMiddleEndsThereAndTheSessionGoesOn();
    }
}
