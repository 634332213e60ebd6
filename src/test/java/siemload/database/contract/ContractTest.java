package siemload.database.contract;

import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of a target: it implements the contracts that the target keeps, and says in its constructor what their subject is. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ContractTest {
    @RegisterExtension
    final ContractSubject subject;

    protected ContractTest(ContractSubject subject) {
        this.subject = subject;
    }

    public final ContractSubject subject() {
        return subject;
    }
}
