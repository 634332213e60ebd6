package siemload.database.mongodb;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.contract.ConcurrencyContract;
import siemload.database.contract.ContractTest;
import siemload.database.contract.CursorContract;
import siemload.database.contract.ServerTimeContract;
import siemload.database.contract.TargetContract;
import siemload.database.contract.TrendContract;

/** Everything but plans, which only MongoDB itself has: {@link MongodbServerVariantsContractTest}. */
@Tag("database")
final class MongodbContractTest extends ContractTest
        implements TargetContract, CursorContract, TrendContract, ServerTimeContract, ConcurrencyContract {
    MongodbContractTest() {
        super(MongodbTestServer.subject(IndexSet.NATIVE, Hint.NONE));
    }

    /** By night: the stand-in sorts all events anew for each portion. */
    @Override
    @Test
    @Tag("exhaustive")
    public void aLargePageThatIsLeftInItsMiddleEndsThereAndTheSessionGoesOn() {
        TargetContract.super.aLargePageThatIsLeftInItsMiddleEndsThereAndTheSessionGoesOn();
    }
}
