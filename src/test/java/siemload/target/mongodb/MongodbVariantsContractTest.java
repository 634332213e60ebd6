package siemload.target.mongodb;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.target.Hint;
import siemload.target.IndexSet;
import siemload.target.contract.ContractSubject;
import siemload.target.contract.SearchContract;
import siemload.target.contract.SinkContract;

/** The other index sets, and the hints: none of them may change an answer. */
@Tag("database")
final class MongodbVariantsContractTest {

    @Nested
    final class WithoutIndexes implements SearchContract, SinkContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = TestServer.subject(IndexSet.NONE, Hint.NONE);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }

    @Nested
    final class WithTheTimeIndex implements SearchContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = TestServer.subject(IndexSet.TIME, Hint.TIME_INDEX);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }

    @Nested
    final class WithFieldIndexes implements SearchContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = TestServer.subject(IndexSet.FIELDS, Hint.INDEX);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }

    @Nested
    final class WithCompoundIndexes implements SearchContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = TestServer.subject(IndexSet.COMPOUND, Hint.INDEX);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }

    @Nested
    final class WithFullScans implements SearchContract {
        @RegisterExtension
        static final ContractSubject SUBJECT = TestServer.subject(IndexSet.NATIVE, Hint.FULL_SCAN);

        @Override
        public ContractSubject subject() {
            return SUBJECT;
        }
    }
}
