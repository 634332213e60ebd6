package siemload.target.oracle;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.query.Paging;
import siemload.target.EmbeddedServer;
import siemload.target.Hint;
import siemload.target.IndexSet;
import siemload.target.ServerAddress;
import siemload.target.Variant;
import siemload.target.contract.ContractSubject;
import siemload.target.contract.CopyContract;
import siemload.target.contract.PagingContract;
import siemload.target.contract.PlanContract;
import siemload.target.contract.RandomContract;
import siemload.target.contract.SearchContract;
import siemload.target.contract.SinkContract;
import siemload.target.contract.StopContract;
import siemload.target.contract.SummaryContract;

/**
 * On the Oracle server that {@code SIEMLOAD_TEST_ORACLE_URL} names, as {@code SIEMLOAD_TEST_ORACLE_USER} with
 * {@code SIEMLOAD_TEST_ORACLE_PASSWORD}: all that the target offers, which is everything but cursors.
 */
@Tag("database")
@EnabledIfEnvironmentVariable(
        named = OracleServerContractTest.URL,
        matches = ".+",
        disabledReason = "no Oracle server: set SIEMLOAD_TEST_ORACLE_URL (jdbc:oracle:thin:@//host:1521/service),"
                + " SIEMLOAD_TEST_ORACLE_USER and SIEMLOAD_TEST_ORACLE_PASSWORD")
final class OracleServerContractTest
        implements SearchContract,
                PagingContract,
                SummaryContract,
                PlanContract,
                RandomContract,
                SinkContract,
                CopyContract,
                StopContract {
    static final String URL = "SIEMLOAD_TEST_ORACLE_URL";

    @RegisterExtension
    static final ContractSubject SUBJECT = new ContractSubject(
            new OraclePlugin(),
            new Variant("arc_event", IndexSet.NATIVE, Hint.NONE, Paging.OFFSET),
            OracleServerContractTest::server);

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }

    private static EmbeddedServer server() {
        ServerAddress address = new ServerAddress(
                environment(URL),
                environment("SIEMLOAD_TEST_ORACLE_USER"),
                environment("SIEMLOAD_TEST_ORACLE_PASSWORD"));
        return new EmbeddedServer() {
            @Override
            public ServerAddress address() {
                return address;
            }

            @Override
            public void close() {}
        };
    }

    private static String environment(String name) {
        return System.getenv().getOrDefault(name, "");
    }
}
