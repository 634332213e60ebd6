package siemload.target.mongodb;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.target.Hint;
import siemload.target.IndexSet;
import siemload.target.contract.ContractSubject;
import siemload.target.contract.PlanContract;
import siemload.target.contract.SizesContract;

/** Plans and what hints do to them: the stand-in has neither the command explain nor indexes to choose from. */
@Tag("database")
final class MongodbPlanContractTest {

    @Nested
    final class WithoutAHint implements PlanContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = TestServer.realSubject(IndexSet.NATIVE, Hint.NONE);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }

    @Nested
    final class WithFullScans implements PlanContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = TestServer.realSubject(IndexSet.NATIVE, Hint.FULL_SCAN);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }

    @Nested
    final class WithTheTimeIndex implements PlanContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = TestServer.realSubject(IndexSet.NATIVE, Hint.TIME_INDEX);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }

    @Nested
    final class WithNativeIndexes implements PlanContract, SizesContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = TestServer.realSubject(IndexSet.NATIVE, Hint.INDEX);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }

    @Nested
    final class WithFieldIndexes implements PlanContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = TestServer.realSubject(IndexSet.FIELDS, Hint.INDEX);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }
}
