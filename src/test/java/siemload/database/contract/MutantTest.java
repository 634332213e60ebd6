package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.database.IndexSet;

/** The test of the contract: each part of it notices a target with a fault of its kind, and has nothing against a healthy one. */
@Tag("any-java")
final class MutantTest {

    @ParameterizedTest
    @EnumSource(Fault.class)
    void theContractNoticesItsFault(Fault fault) throws ReflectiveOperationException {
        assertThat(failures(fault.contract(), new Mutant(fault.contract(), Optional.of(fault)), 1))
                .as("tests of %s that fail", fault.contract().getSimpleName())
                .isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("contracts")
    void theContractHasNoComplaintAboutTheReference(Class<?> contract) throws ReflectiveOperationException {
        assertThat(failures(contract, new Mutant(contract, Optional.empty()), Integer.MAX_VALUE))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("contracts")
    void everyContractHasAFaultThatItMustNotice(Class<?> contract) {
        assertThat(Fault.values()).extracting(Fault::contract).contains(contract);
    }

    /** All that there are, but for the sum of most of them. */
    static List<Class<?>> contracts() throws IOException, ClassNotFoundException {
        List<Class<?>> contracts = new ArrayList<>();
        Path sources =
                Path.of("src/test/java", MutantTest.class.getPackageName().replace('.', '/'));
        try (Stream<Path> files = Files.list(sources).sorted()) {
            for (Path file : files.filter(source -> source.toString().endsWith("Contract.java"))
                    .toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                contracts.add(Class.forName(MutantTest.class.getPackageName() + "." + name));
            }
        }
        contracts.remove(TargetContract.class);
        return contracts;
    }

    /** The names of the contract's tests that fail; after so many the others are not tried. */
    private static List<String> failures(Class<?> contract, Mutant mutant, int most)
            throws ReflectiveOperationException {
        ContractSubject subject = new ContractSubject(mutant, IndexSet.NONE);
        subject.start();
        try {
            Whole whole = () -> subject;
            List<String> failures = new ArrayList<>();
            for (Method test : contract.getMethods()) {
                for (Object[] arguments : arguments(test)) {
                    if (failures.size() < most && fails(whole, test, arguments)) {
                        failures.add(test.getName() + Arrays.toString(arguments));
                    }
                }
            }
            return failures;
        } finally {
            subject.stop();
        }
    }

    /** What a test is called with, once for each; nothing for a method that is no test. */
    private static List<Object[]> arguments(Method test) throws ReflectiveOperationException {
        if (test.isAnnotationPresent(Test.class)) {
            return List.<Object[]>of(new Object[0]);
        }
        if (!test.isAnnotationPresent(ParameterizedTest.class)) {
            return List.of();
        }
        ValueSource numbers = test.getAnnotation(ValueSource.class);
        if (numbers != null) {
            return Arrays.stream(numbers.ints())
                    .mapToObj(value -> new Object[] {value})
                    .toList();
        }
        String source = test.getAnnotation(MethodSource.class).value()[0];
        Object all = test.getDeclaringClass().getDeclaredMethod(source).invoke(null);
        List<Object[]> each = new ArrayList<>();
        Iterator<?> values = all instanceof BaseStream<?, ?> stream ? stream.iterator() : ((List<?>) all).iterator();
        values.forEachRemaining(value -> each.add(new Object[] {value}));
        return each;
    }

    private static boolean fails(Whole contract, Method test, Object[] arguments) throws IllegalAccessException {
        try {
            test.invoke(contract, arguments);
            return false;
        } catch (InvocationTargetException thrown) {
            Throwable cause = thrown.getCause();
            if (cause instanceof AssertionError
                    || cause instanceof CompletionException && cause.getCause() instanceof AssertionError) {
                return true;
            }
            throw new IllegalStateException(cause);
        }
    }

    private interface Whole extends TargetContract, ConcurrencyContract, SharedLoadContract {
        @Override
        ContractSubject subject();
    }
}
