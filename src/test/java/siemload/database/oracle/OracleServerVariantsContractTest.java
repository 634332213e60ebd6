package siemload.database.oracle;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.PlanContract;
import siemload.database.contract.SearchContract;
import siemload.database.provision.RealServer;
import siemload.query.Paging;

/** On Oracle itself, see {@link RealServer}: every index set with every hint that it may have, which must take effect. */
@Tag("database")
@ParameterizedClass(name = "{0}")
@MethodSource("variants")
final class OracleServerVariantsContractTest implements SearchContract, PlanContract {
    @RegisterExtension
    static final ContractSubject SERVER = new ContractSubject(
            new OraclePlugin(),
            new Variant("arc_event", IndexSet.NATIVE, Hint.NONE, Paging.OFFSET),
            () -> RealServer.of(new OraclePlugin()));

    static ContractSubject subject;

    @Parameter
    Variant variant;

    static List<Variant> variants() {
        return OracleOnH2VariantsContractTest.variants();
    }

    @BeforeParameterizedClassInvocation
    static void open(Variant variant) {
        subject = SERVER.sharing(variant);
    }

    @AfterParameterizedClassInvocation
    static void close() {
        subject.close();
    }

    @Override
    public ContractSubject subject() {
        return subject;
    }
}
