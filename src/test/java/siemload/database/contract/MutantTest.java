package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import siemload.database.IndexSet;
import siemload.database.memory.MemoryPlugin;

/** The test of the contract: a target with one fault fails it, and a healthy one does not. */
final class MutantTest {
    private static final List<Class<?>> TOPICS = List.of(
            SearchContract.class,
            PagingContract.class,
            SummaryContract.class,
            RandomContract.class,
            SinkContract.class);

    @ParameterizedTest
    @EnumSource(Mutant.Fault.class)
    void theContractNoticesEveryFault(Mutant.Fault fault) throws ReflectiveOperationException {
        assertThat(failures(new ContractSubject(new Mutant(fault), IndexSet.NONE)))
                .as("tests of the contract that fail")
                .isNotEmpty();
    }

    @Test
    void theContractHasNoComplaintAboutTheReference() throws ReflectiveOperationException {
        assertThat(failures(new ContractSubject(new MemoryPlugin(), IndexSet.NONE)))
                .isEmpty();
    }

    /** The names of the contract's plain tests that fail. */
    private static List<String> failures(ContractSubject subject) throws ReflectiveOperationException {
        subject.start();
        try {
            Whole contract = () -> subject;
            List<String> failures = new ArrayList<>();
            for (Class<?> topic : TOPICS) {
                for (Method test : topic.getMethods()) {
                    if (test.isAnnotationPresent(Test.class) && fails(contract, test)) {
                        failures.add(test.getName());
                    }
                }
            }
            return failures;
        } finally {
            subject.stop();
        }
    }

    private static boolean fails(Whole contract, Method test) throws IllegalAccessException {
        try {
            test.invoke(contract);
            return false;
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof AssertionError) {
                return true;
            }
            throw new IllegalStateException(thrown.getCause());
        }
    }

    /** The topics that compare answers. */
    private interface Whole extends SearchContract, PagingContract, SummaryContract, RandomContract, SinkContract {}
}
