package siemload.target.mongodb;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.target.Hint;
import siemload.target.IndexSet;
import siemload.target.contract.ContractSubject;
import siemload.target.contract.PlanContract;
import siemload.target.contract.Required;

/** Plans and what hints do to them: the stand-in has neither the command explain nor indexes to choose from. */
@Tag("database")
final class MongodbPlanContractTest {

    @BeforeAll
    static void requireMongodb() {
        Required.orSkip("mongodb", TestServer.missing());
    }

    @Nested
    final class WithoutAHint implements PlanContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = TestServer.subject(IndexSet.NATIVE, Hint.NONE);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }

    @Nested
    final class WithFullScans implements PlanContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = TestServer.subject(IndexSet.NATIVE, Hint.FULL_SCAN);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }

    @Nested
    final class WithTheTimeIndex implements PlanContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = TestServer.subject(IndexSet.NATIVE, Hint.TIME_INDEX);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }

    @Nested
    final class WithNativeIndexes implements PlanContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = TestServer.subject(IndexSet.NATIVE, Hint.INDEX);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }

    @Nested
    final class WithFieldIndexes implements PlanContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = TestServer.subject(IndexSet.FIELDS, Hint.INDEX);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }
}
