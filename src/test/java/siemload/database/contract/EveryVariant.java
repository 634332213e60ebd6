package siemload.database.contract;

import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.database.Variant;

/**
 * What one contract or several ask of one variant after another, on one server and with each set of indexes loaded once. A test
 * class implements the contracts, names the server, and has a static method {@code variants()}.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("variants")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class EveryVariant {
    @Parameter
    Variant variant;

    private ContractSubject subject;

    /** The one that starts the server. */
    protected abstract ContractSubject server();

    @BeforeParameterizedClassInvocation
    void open(Variant next) {
        subject = server().sharing(next);
    }

    @AfterParameterizedClassInvocation
    void close() {
        subject.close();
    }

    public final ContractSubject subject() {
        return subject;
    }
}
