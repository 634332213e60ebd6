package siemload.database.mongodb;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.PlanContract;
import siemload.database.contract.SizesContract;

/** Plans and what hints do to them: the stand-in has neither the command explain nor indexes to choose from. */
@Tag("database")
final class MongodbPlanContractTest {

    @Nested
    final class WithoutAHint implements PlanContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = MongodbTestServer.realSubject(IndexSet.NATIVE, Hint.NONE);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }

    @Nested
    final class WithFullScans implements PlanContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = MongodbTestServer.realSubject(IndexSet.NATIVE, Hint.FULL_SCAN);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }

    @Nested
    final class WithTheTimeIndex implements PlanContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = MongodbTestServer.realSubject(IndexSet.NATIVE, Hint.TIME_INDEX);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }

    @Nested
    final class WithNativeIndexes implements PlanContract, SizesContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = MongodbTestServer.realSubject(IndexSet.NATIVE, Hint.INDEX);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }

    @Nested
    final class WithFieldIndexes implements PlanContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = MongodbTestServer.realSubject(IndexSet.FIELDS, Hint.INDEX);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }
}
