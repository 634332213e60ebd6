package siemload.database.mongodb;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.SearchContract;
import siemload.database.contract.SinkContract;

/** The other index sets, and the hints: none of them may change an answer. */
@Tag("database")
final class MongodbVariantsContractTest {

    @Nested
    final class WithoutIndexes implements SearchContract, SinkContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = MongodbTestServer.subject(IndexSet.NONE, Hint.NONE);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }

    @Nested
    final class WithTheTimeIndex implements SearchContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = MongodbTestServer.subject(IndexSet.TIME, Hint.TIME_INDEX);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }

    @Nested
    final class WithFieldIndexes implements SearchContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = MongodbTestServer.subject(IndexSet.FIELDS, Hint.INDEX);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }

    @Nested
    final class WithCompoundIndexes implements SearchContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = MongodbTestServer.subject(IndexSet.COMPOUND, Hint.INDEX);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }

    @Nested
    final class WithFullScans implements SearchContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = MongodbTestServer.subject(IndexSet.NATIVE, Hint.FULL_SCAN);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }
}
