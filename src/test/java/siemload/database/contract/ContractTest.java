package siemload.database.contract;

import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

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
